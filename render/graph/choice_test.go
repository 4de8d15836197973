package graph

import (
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

// work is two sessions: s1 with a turn, then s2 with five.
func work() []fact.Turn {
	return []fact.Turn{
		turn("s1", "a", 1, 10*hour),
		turn("s2", "b", 1, 20*hour), turn("s2", "c", 2, 21*hour), turn("s2", "d", 3, 22*hour), turn("s2", "e", 4, 23*hour), turn("s2", "f", 5, 24*hour),
	}
}

// later is n more sessions with one closed turn each.
func later(n int) []fact.Turn {
	turns := work()
	for i := range n {
		id := string(rune('m' + i))
		turns = append(turns, turn("later-"+id, id, 1, (30+int64(i))*hour))
	}
	return turns
}

func TestResume(t *testing.T) {
	t.Parallel()
	openTurn := captured(fact.RowOpenTurn, "s2", "f", "progress:turn", "unfinished; last said: looking", 24*hour)
	for _, test := range []struct {
		name   string
		turns  []fact.Turn
		asking Asking
		facts  []fact.Fact
		want   string
	}{
		{"nothing", nil, Asking{}, nil, ""},
		{"the open turn", work(), Asking{}, []fact.Fact{openTurn}, "progress:turn"},
		{"not the asking session's own at a prompt", work(), Asking{"s2", "prompt"}, []fact.Fact{openTurn}, ""},
		{"not its own where the event is not known", work(), Asking{"s2", ""}, []fact.Fact{openTurn}, ""},
		{"its own after a compaction", work(), Asking{"s2", "compact"}, []fact.Fact{openTurn}, "progress:turn"},
		{"its own after a resume", work(), Asking{"s2", "resume"}, []fact.Fact{openTurn}, "progress:turn"},
		{"another session's at a prompt", work(), Asking{"s9", "prompt"}, []fact.Fact{openTurn}, "progress:turn"},
		{"an open task of the last three turns", work(), Asking{}, []fact.Fact{captured(fact.RowTask, "s2", "d", "progress:cart", "pending: cart", 22*hour)}, "progress:cart"},
		{"no open task of an earlier turn", work(), Asking{}, []fact.Fact{captured(fact.RowTask, "s2", "c", "progress:cart", "pending: cart", 21*hour)}, ""},
		{"no task of an older session", work(), Asking{}, []fact.Fact{captured(fact.RowTask, "s1", "a", "progress:cart", "pending: cart", 10*hour)}, ""},
		{"a task by its time where it has no turn", work(), Asking{}, []fact.Fact{captured(fact.RowTask, "s2", "", "progress:cart", "pending: cart", 23*hour)}, "progress:cart"},
		{"the newest outcome that asks", work(), Asking{}, []fact.Fact{captured(fact.RowOutcome, "s2", "f", "result:cart", "Cart is there. Shall I push?", 24*hour)}, "result:cart"},
		{"not one that does not", work(), Asking{}, []fact.Fact{captured(fact.RowOutcome, "s2", "f", "result:cart", "The cart is there.", 24*hour)}, ""},
		{"not an older one that asks", work(), Asking{}, []fact.Fact{
			captured(fact.RowOutcome, "s2", "e", "result:cart", "Shall I push?", 23*hour), captured(fact.RowOutcome, "s2", "f", "result:till", "The till is there.", 24*hour),
		}, ""},
		{"what a caller saved", work(), Asking{}, []fact.Fact{saved("status:cart", "half way", 1)}, "status:cart"},
		{"what a marker wrote", work(), Asking{}, []fact.Fact{captured(fact.RowMarker, "s1", "a", "status:cart", "half way", 1)}, "status:cart"},
		{"not what reads as done", work(), Asking{}, []fact.Fact{saved("status:cart", "shipped", 1)}, ""},
		{"not a decision", work(), Asking{}, []fact.Fact{saved("decision:cart", "half way", 1)}, ""},
		{"after five later sessions", later(5), Asking{}, []fact.Fact{saved("status:cart", "half way", 25*hour)}, "status:cart"},
		{"not after six", later(6), Asking{}, []fact.Fact{saved("status:cart", "half way", 25*hour)}, ""},
		{"what a summary listed", work(), Asking{}, []fact.Fact{captured(fact.RowSection, "s2", "", "progress:cart", "write the docs", 25*hour)}, "progress:cart"},
		{"not once a later turn has closed", work(), Asking{}, []fact.Fact{captured(fact.RowSection, "s2", "", "progress:cart", "write the docs", 24*hour)}, ""},
		{"no session record", work(), Asking{}, []fact.Fact{saved("session:started", "x", 1, typed(fact.Status))}, ""},
		{"no checkpoint", work(), Asking{}, []fact.Fact{captured(fact.RowCheckpoint, "s2", "", Checkpoint, "Pending: docs", 25*hour, typed(fact.Status)), saved("n", "", 1)}, ""},
		{"the newest of all", work(), Asking{}, []fact.Fact{
			openTurn, saved("status:a", "half way", 25*hour), captured(fact.RowOutcome, "s2", "f", "result:cart", "Shall I push?", 26*hour),
		}, "result:cart"},
		{"equal times: by type", work(), Asking{}, []fact.Fact{saved("result:b", "open", 1), saved("status:a", "open", 1), saved("progress:z", "open", 1)}, "progress:z"},
		{"equal times: then by key", work(), Asking{}, []fact.Fact{saved("status:b", "open", 1), saved("status:a", "open", 1)}, "status:a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := view(test.turns, test.facts...)
			g := New(v)
			node, ok := g.Resume(NewRecent(v), test.asking)
			if got := chosen(g, node, ok); got != test.want {
				t.Errorf("resume %q, want %q", got, test.want)
			}
		})
	}
}

func chosen(g *Graph, node int, ok bool) string {
	if !ok {
		return ""
	}
	return g.Facts[node].Key
}

func TestFailure(t *testing.T) {
	t.Parallel()
	const day = 24 * hour
	turns := []fact.Turn{turn("s1", "a", 1, 10*day), turn("s1", "b", 2, 19*day), turn("s1", "c", 3, 20*day)}
	failed := func(turn, key string, at int64, with ...made) fact.Fact {
		return captured(fact.RowFailure, "s1", turn, key, "go test => FAIL", at, with...)
	}
	for _, test := range []struct {
		name  string
		facts []fact.Fact
		want  string
	}{
		{"nothing", nil, ""},
		{"what a caller saved, of any age", []fact.Fact{saved("error:disk", "disk full", 1)}, "error:disk"},
		{"not what reads as handled", []fact.Fact{saved("error:disk", "fixed in r12", 1)}, ""},
		{"a marker, of any age", []fact.Fact{captured(fact.RowMarker, "s1", "a", "error:disk", "disk full", 1)}, "error:disk"},
		{"a failed check of the last three days", []fact.Fact{failed("a", "error:test", 18*day, class(fact.ClassCheck)), saved("error:disk", "full", 1)}, "error:test"},
		{"a failed push of the last three days", []fact.Fact{failed("a", "error:push", 17*day, class(fact.ClassVCS)), saved("error:disk", "full", 1)}, "error:push"},
		{"an older one gives way", []fact.Fact{failed("a", "error:test", 16*day, class(fact.ClassCheck)), saved("error:disk", "full", 1)}, "error:disk"},
		{"unless there is nothing else", []fact.Fact{failed("a", "error:test", 16*day, class(fact.ClassCheck))}, "error:test"},
		{"not once it is resolved", []fact.Fact{failed("a", "error:test", 19*day, class(fact.ClassCheck), resolved())}, ""},
		{"the register alone decides", []fact.Fact{failed("c", "error:test", 20*day, func(f *fact.Fact) { f.Value = "fixed width => fixed" })}, "error:test"},
		{"another failure of the two newest turns", []fact.Fact{failed("b", "error:run", 19*day)}, "error:run"},
		{"not of an earlier turn", []fact.Fact{failed("a", "error:run", 10*day)}, ""},
		{"a known issue of a summary, by its time", []fact.Fact{captured(fact.RowSection, "s1", "", "error:flaky", "cart test is flaky", 19*day)}, "error:flaky"},
		{"not an older one", []fact.Fact{captured(fact.RowSection, "s1", "", "error:flaky", "cart test is flaky", 18*day)}, ""},
		{"not one that a summary calls resolved", []fact.Fact{captured(fact.RowSection, "s1", "", "error:flaky", "resolved: it was", 20*day)}, ""},
		{"the newest", []fact.Fact{failed("c", "error:b", 20*day), failed("b", "error:a", 19*day), saved("error:c", "x", 1)}, "error:b"},
		{"ties by key", []fact.Fact{failed("c", "error:b", 20*day), failed("c", "error:a", 20*day)}, "error:a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := view(turns, test.facts...)
			g := New(v)
			node, ok := g.Failure(NewRecent(v))
			if got := chosen(g, node, ok); got != test.want {
				t.Errorf("error %q, want %q", got, test.want)
			}
		})
	}
}

func TestRecent(t *testing.T) {
	t.Parallel()
	r := NewRecent(view(later(6)))
	if got := r.Newest().ID; got != "r" {
		t.Errorf("newest turn %s, want r", got)
	}
	if len(r.Turns) != 4 {
		t.Errorf("%d turns, want 4", len(r.Turns))
	}
	end := 31*hour + int64(60_000) // of the turn n
	for n, want := range map[int]bool{1: true, 4: true, 5: false} {
		if got := r.ClosedAfter(end, n); got != want {
			t.Errorf("%d turns closed after n = %v, want %v", n, got, want)
		}
	}
	if NewRecent(view(nil)).Newest() != nil {
		t.Error("a turn where there is none")
	}
}
