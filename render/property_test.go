package render

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/store/fact"
)

var (
	genType = rapid.SampledFrom([]fact.Type{
		fact.ToolResult, fact.Thinking, fact.Action, fact.FileType, fact.Prompt, fact.Purpose, fact.Progress, fact.Status,
		fact.Decision, fact.Preference, fact.Error, fact.Context, fact.Result, fact.Note, fact.FactType, "",
	})
	genRow = rapid.SampledFrom([]fact.Row{
		"", fact.RowMarker, fact.RowPrompt, fact.RowOutcome, fact.RowOpenTurn, fact.RowAction, fact.RowFiles, fact.RowTool,
		fact.RowFailure, fact.RowTask, fact.RowSection, fact.RowCheckpoint, fact.RowChoice, fact.RowCustom,
	})
	genClass = rapid.SampledFrom([]fact.Class{"", fact.ClassCheck, fact.ClassVCS, fact.ClassAgent, fact.ClassWrite})
	genValue = rapid.OneOf(
		rapid.SampledFrom(hostile()),
		rapid.SampledFrom([]string{"done", "tests pending?", "fixed", "go test ./... => FAIL cart", "the same long text as before", "The  same long text as BEFORE"}),
		rapid.StringN(0, 40, 200), rapid.StringN(300, 600, 3000),
	)
)

// genView makes a view: turns of a few sessions and facts that refer to each
// other in any way.
func genView(t *rapid.T) *fact.View {
	v := &fact.View{}
	for i := range rapid.IntRange(0, 12).Draw(t, "turns") {
		at := int64(i) * hour
		v.Turns = append(v.Turns, fact.Turn{
			Stamp: fact.Stamp{Time: at, Session: fmt.Sprintf("s%d", rapid.IntRange(0, 3).Draw(t, "session"))},
			ID:    fmt.Sprintf("t%d", i), Ordinal: i, End: at + minute, Closed: rapid.Bool().Draw(t, "closed"),
		})
	}
	n := rapid.IntRange(0, 40).Draw(t, "facts")
	keys := make([]string, n)
	for i := range keys {
		prefix := rapid.SampledFrom([]string{"k", "session:", "prompt:", "result:", "tool:x:", "checkpoint:summary", "last_action", "<", "\u202e"}).Draw(t, "prefix")
		keys[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	for _, key := range keys {
		at := rapid.Int64Range(0, 12).Draw(t, "time") * hour
		f := fact.Fact{
			Entry: fact.Entry{
				Key: strings.TrimSuffix(key, "summary0"), Value: genValue.Draw(t, "value"), Type: genType.Draw(t, "type"),
				CreatedAt: at, UpdatedAt: at + rapid.Int64Range(0, 2).Draw(t, "change")*minute,
			},
			Row: genRow.Draw(t, "row"), Class: genClass.Draw(t, "class"),
			Turn: fmt.Sprintf("t%d", rapid.IntRange(0, 12).Draw(t, "turn")), Resolved: rapid.Bool().Draw(t, "resolved"),
		}
		if f.Row != "" {
			f.Origin = &fact.Origin{Session: fmt.Sprintf("s%d", rapid.IntRange(0, 3).Draw(t, "of")), Via: fact.ViaTranscript}
		}
		f.Task = f.Row == fact.RowTask
		if n := rapid.IntRange(0, 3).Draw(t, "references"); n > 0 {
			f.References = rapid.SliceOfN(rapid.SampledFrom(keys), n, n).Draw(t, "refers")
		}
		v.Facts = append(v.Facts, f)
	}
	sortFacts(v.Facts)
	return v
}

func genOptions(t *rapid.T) Options {
	return Options{
		Prompt:    rapid.SampledFrom([]string{"", "the same text before", "go test cart", "漢字 仮名"}).Draw(t, "prompt"),
		MaxTokens: rapid.OneOf(rapid.IntRange(1, 120), rapid.IntRange(0, 3000)).Draw(t, "tokens"),
		Now:       rapid.Int64Range(0, 40).Draw(t, "now") * hour,
		Session:   rapid.SampledFrom([]string{"", "s0", "s1"}).Draw(t, "asking"),
		Event:     rapid.SampledFrom([]string{"", "prompt", "compact", "resume", "start"}).Draw(t, "event"),
	}
}

func TestBlockProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v, o := genView(t), genOptions(t)
		r := Block(v, o)
		checkBlock(t, r, o.MaxTokens)
		checkParents(t, v, r)
		shuffled := *v
		shuffled.Facts = rapid.Permutation(v.Facts).Draw(t, "order")
		shuffled.Turns = rapid.Permutation(v.Turns).Draw(t, "turn order")
		if got := Block(&shuffled, o); got != r {
			t.Errorf("the order of the facts shows:\n%s\n%s", r.Text, got.Text)
		}
	})
}

// checkParents checks that every entry's parents stand before it, as far as
// they are named and no cycle is in the way.
func checkParents(t *rapid.T, v *fact.View, r Result) {
	at := make(map[string]int)
	lines := strings.Split(r.Text, "\n")
	for i, l := range lines {
		for j := range v.Facts {
			l2 := newLine(j, &v.Facts[j])
			if strings.HasPrefix(l, l2.key+" ["+l2.typ+"]:") || l2.typ == "" && strings.HasPrefix(l, l2.key+":") {
				at[v.Facts[j].Key] = i
			}
		}
	}
	for i := range v.Facts {
		f := &v.Facts[i]
		for _, parent := range f.References {
			p, ok := v.Get(parent)
			if !ok || at[parent] == 0 || at[f.Key] == 0 || reaches(v, p, f.Key, map[string]bool{}) {
				continue
			}
			if at[parent] > at[f.Key] {
				t.Errorf("%q stands before its parent %q:\n%s", f.Key, parent, r.Text)
			}
		}
	}
}

// reaches reports whether a key is among the ancestors of a fact.
func reaches(v *fact.View, f *fact.Fact, key string, seen map[string]bool) bool {
	if f.Key == key {
		return true
	}
	if seen[f.Key] {
		return false
	}
	seen[f.Key] = true
	for _, parent := range f.References {
		if p, ok := v.Get(parent); ok && reaches(v, p, key, seen) {
			return true
		}
	}
	return false
}

// TestBudget holds that a larger budget shows no less, and one that is large
// enough all there is.
func TestBudget(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v, o := genView(t), genOptions(t)
		o.MaxTokens = 1_000_000
		if r := Block(v, o); r.Dropped != 0 {
			t.Errorf("%d entries dropped for no reason", r.Dropped)
		}
	})
}
