package render

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/render/graph"
	"github.com/kmemd/kmemd/store/fact"
)

// TestKeepOrder finds the budget from which on each entry of a view is always
// shown, and holds that it grows along the order of keeping. All lines are
// equally long; what remains of a budget may still show an entry before its
// turn.
func TestKeepOrder(t *testing.T) {
	t.Parallel()
	const letters = "abcdefghijklmnopqrstuvwxyz"
	line := func(f fact.Fact) fact.Fact {
		f.Value = strings.Repeat("x", 100-len(f.Key)-len(f.Type)) // told apart by their keys
		f.Value = f.Value[:len(f.Value)-len(f.Key)] + strings.ReplaceAll(f.Key, ":", "_")
		return f
	}
	var facts []fact.Fact
	var want []string
	add := func(f fact.Fact) {
		facts = append(facts, line(f))
		want = append(want, f.Key)
	}
	all := turns(1000, "t1", "t2", "t3", "t4", "t5")
	add(captured(fact.RowOpenTurn, "old", "progress:turn", "", 1200))
	add(captured(fact.RowFailure, "t5", "error:test", "", 1041, class(fact.ClassOther)))
	for i := range bestMatches {
		add(saved(fmt.Sprintf("lantern_%d", i), "", 9-i))
	}
	for _, turn := range []string{"t5", "t4", "t3", "t2"} {
		at := 1000 + 10*int(turn[1]-'1')
		add(captured(fact.RowPrompt, turn, "prompt:"+turn, "", at))
		add(captured(fact.RowOutcome, turn, "result:"+turn, "", at+4))
		add(captured(fact.RowTool, turn, "tool:test:"+turn, "", at+3, class(fact.ClassCheck)))
		add(captured(fact.RowTool, turn, "tool:push:"+turn, "", at+3, class(fact.ClassVCS)))
	}
	add(captured(fact.RowMarker, "", "marked", "", 8))
	add(saved("kept", "", 7))
	for _, group := range []struct {
		row    fact.Row
		prefix string
		n      int
		class  fact.Class
	}{
		{fact.RowChoice, "decision:", 6, ""}, {fact.RowPreference, "preference:", 5, ""}, {fact.RowSection, "context:", 5, ""},
		{fact.RowTask, "progress:", 5, ""},
	} {
		for i := range group.n {
			add(captured(group.row, "", group.prefix+letters[i:i+1], "", 100-i, class(group.class)))
		}
	}
	add(captured(fact.RowFiles, "", "last_files", "", 50))
	add(captured(fact.RowCheckpoint, "", graph.Checkpoint, "", 1000, typed(fact.Status)))
	add(captured(fact.RowOutcome, "old", "result:old", "", 40))
	add(captured(fact.RowChoice, "", "decision:seventh", "", 1))
	always := alwaysShown(t, view(all, facts...), want)
	const newType = 5 // tokens by which the first entry of a type makes the map line longer
	before := 0
	for _, key := range want {
		if always[key]+newType < before {
			t.Errorf("%s is shown from %d tokens on, what comes before it from %d", key, always[key], before)
		}
		before = max(before, always[key])
	}
}

// alwaysShown returns the budget from which on each key of a view is shown.
func alwaysShown(t *testing.T, v *fact.View, keys []string) map[string]int {
	t.Helper()
	always := make(map[string]int)
	for budget := 60; budget < 5000; budget++ {
		r := Block(v, Options{Prompt: "lantern", MaxTokens: budget, Now: 1300 * minute})
		for _, key := range keys {
			if !strings.Contains(r.Text, "\n"+key+" [") {
				always[key] = budget + 1
			}
		}
		if r.Text != "" && r.Dropped == 0 {
			return always
		}
	}
	t.Fatal("some entries are never shown")
	return nil
}

// TestNeverShown holds what a block leaves out.
func TestNeverShown(t *testing.T) {
	t.Parallel()
	six := turns(100, "a", "b", "c", "d", "e", "f")
	for _, test := range []struct {
		name  string
		turns []fact.Turn
		fact  fact.Fact
		shown bool
	}{
		{"a note", six, saved("note:x", "v", 1), true},
		{"thinking", six, captured(fact.RowThinking, "f", "thinking:1:x", "v", 1), false},
		{"thinking that was saved", six, saved("thinking:1:x", "v", 1), false},
		{"a session record", six, captured(fact.RowSession, "", "session:started", "v", 1), false},
		{"the session's configuration", six, captured(fact.RowConfig, "", "session:config", "v", 1), false},
		{"a resolved failure", six, captured(fact.RowFailure, "f", "error:x", "v", 1, resolved), false},
		{"an open failure", six, captured(fact.RowFailure, "f", "error:x", "fixed", 1), true},
		{"a resolved error of a summary", six, captured(fact.RowSection, "", "error:x", "resolved: v", 1), false},
		{"a resolved error that was saved", six, saved("error:x", "fixed", 1), true},
		{"a tool result of no class", six, captured(fact.RowTool, "f", "tool:x", "v", 1), false},
		{"a check", six, captured(fact.RowTool, "a", "tool:x", "v", 1, class(fact.ClassCheck)), true},
		{"a commit", six, captured(fact.RowTool, "a", "tool:x", "v", 1, class(fact.ClassVCS)), true},
		{"a sub-agent's answer", six, captured(fact.RowTool, "a", "tool:x", "v", 1, class(fact.ClassAgent)), true},
		{"a write of the newest turn", six, captured(fact.RowTool, "f", "tool:x", "v", 1, class(fact.ClassWrite)), true},
		{"a write of another turn", six, captured(fact.RowTool, "e", "tool:x", "v", 1, class(fact.ClassWrite)), false},
		{"a tool result that was saved", six, saved("tool:x", "v", 1), true},
		{"the last action", six, captured(fact.RowAction, "f", "last_action", "v", 1), true},
		{"the checkpoint after six turns", six, captured(fact.RowCheckpoint, "", graph.Checkpoint, "v", 100, typed(fact.Status)), false},
		{"the checkpoint after five turns", six, captured(fact.RowCheckpoint, "", graph.Checkpoint, "v", 106, typed(fact.Status)), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := Block(view(test.turns, test.fact), Options{Now: 200 * minute})
			if got := r.Shown == 1; got != test.shown {
				t.Errorf("shown: %v, want %v\n%s", got, test.shown, r.Text)
			}
		})
	}
}

func TestLastAction(t *testing.T) {
	t.Parallel()
	action := captured(fact.RowAction, "a", "last_action", "the cart", 4)
	with := Block(view(turns(0, "a"), action, captured(fact.RowOutcome, "a", "result:cart", "Added the cart.", 4)), Options{})
	if strings.Contains(with.Text, "last_action") || with.Dropped != 0 {
		t.Errorf("the last action beside its outcome, %d dropped:\n%s", with.Dropped, with.Text)
	}
	other := Block(view(turns(0, "a", "b"), action, captured(fact.RowOutcome, "b", "result:cart", "Added the cart.", 14)), Options{})
	if !strings.Contains(other.Text, "last_action") {
		t.Errorf("no last action beside another turn's outcome:\n%s", other.Text)
	}
}

func TestNewestAgent(t *testing.T) {
	t.Parallel()
	r := Block(view(turns(0, "a"),
		captured(fact.RowTool, "a", "tool:task:one", "v", 1, class(fact.ClassAgent)),
		captured(fact.RowTool, "a", "tool:task:two", "w", 2, class(fact.ClassAgent))), Options{})
	if r.Shown != 1 || !strings.Contains(r.Text, "tool:task:two") {
		t.Errorf("not the newest answer alone:\n%s", r.Text)
	}
}

func TestCheckpointLength(t *testing.T) {
	t.Parallel()
	r := Block(view(nil, captured(fact.RowCheckpoint, "", graph.Checkpoint, strings.Repeat("x", 2000), 1, typed(fact.Status))), Options{MaxTokens: 9000})
	_, value, _ := strings.Cut(r.Text, "[status]: ")
	value, _, _ = strings.Cut(value, "\n")
	if len(value) != longValue {
		t.Errorf("the checkpoint takes %d bytes, want %d", len(value), longValue)
	}
}

// TestLongValues holds that long values do not push out others, and are shown
// whole where there is room.
func TestLongValues(t *testing.T) {
	t.Parallel()
	var facts []fact.Fact
	for i := range 6 {
		facts = append(facts, saved(fmt.Sprintf("note_%d", i), fmt.Sprint(i)+strings.Repeat("x", 5000), i))
	}
	if r := Block(view(nil, facts...), Options{}); r.Dropped != 0 {
		t.Errorf("%d entries dropped", r.Dropped)
	}
	if r := Block(view(nil, facts...), Options{MaxTokens: 9000}); strings.Contains(r.Text, cutEnd) {
		t.Errorf("a value is cut where all fit: %d tokens", r.Tokens)
	}
}

// TestResumeLine holds that the value of the resume line is cut as far as it
// must be, and no further.
func TestResumeLine(t *testing.T) {
	t.Parallel()
	v := view(nil, saved("status:till", strings.Repeat("till ", 100), 5), saved("n", "x", 1))
	shortest := math.MaxInt
	for budget := 1; budget < 300; budget++ {
		r := Block(v, Options{MaxTokens: budget})
		checkBlock(t, r, budget)
		if r.Text == "" {
			if budget > shortest {
				t.Fatalf("nothing for %d tokens, something for %d", budget, shortest)
			}
			continue
		}
		shortest = min(shortest, budget)
		if r.Resume != "status:till" {
			t.Errorf("no resume line for %d tokens:\n%s", budget, r.Text)
		}
		if r.Tokens < budget-2 && strings.Contains(r.Text, cutEnd) {
			t.Errorf("%d of %d tokens used, and yet cut", r.Tokens, budget)
		}
	}
	if shortest > 80 {
		t.Errorf("nothing below %d tokens", shortest)
	}
}

func TestDownstream(t *testing.T) {
	t.Parallel()
	r := Block(view(nil, saved("status:s", "open", 1), saved("note:z", "z", 2, refs("status:s")), saved("note:a", "a", 3, refs("status:s"))), Options{})
	if !strings.Contains(r.Text, "\ndownstream of status:s: note:a, note:z\n</memory>") {
		t.Errorf("no line for the children:\n%s", r.Text)
	}
	r = Block(view(nil, saved("status:s", "open", 1), saved("d", "4", 2, refs("status:s")), saved("a", "1", 3, refs("status:s")),
		saved("c", "3", 3, refs("status:s")), saved("b", "2", 3, refs("status:s"))), Options{})
	if !strings.Contains(r.Text, "\ndownstream of status:s: a, b, c\n") {
		t.Errorf("not three children:\n%s", r.Text)
	}
}

// TestMatches holds which entries match a prompt best.
func TestMatches(t *testing.T) {
	t.Parallel()
	v := view(turns(100, "now"),
		saved("n1", "uploader", 9), saved("n2", "uploader", 8), saved("n3", "uploader", 7), saved("n4", "uploader", 6),
		saved("decision:x", "the uploader uses s3", 2), saved("uploader", "old", 1),
		captured(fact.RowPrompt, "now", "prompt:uploader", "fix the uploader", 100))
	s := look(v, graph.Asking{})
	p := newPlan(s, 0, 10_000)
	var keys []string
	for _, n := range p.matches("fix the Uploader") {
		keys = append(keys, s.g.Facts[n].Key)
	}
	if got, want := strings.Join(keys, " "), "decision:x uploader n1 n2 n3"; got != want {
		t.Errorf("best matches %q, want %q", got, want)
	}
}
