package graph

import (
	"cmp"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// Checkpoint is the key of the newest compaction's summary.
const Checkpoint = "checkpoint:summary"

// laterSessions is how many later sessions with a closed turn leave what
// somebody wrote down as unfinished a place to go on.
const laterSessions = 5

// Asking says who wants to know where to go on.
type Asking struct {
	Session string // of the agent that asks, empty when nobody's
	Event   string // what it asks for: prompt, compact, resume, start
}

// Written reports whether somebody wrote the fact down, by a call or a marker,
// as opposed to captured from what happened.
func Written(f *fact.Fact) bool { return !f.Captured() || f.Row == fact.RowMarker }

// SessionRecord reports whether the fact tells of a session as such.
func SessionRecord(f *fact.Fact) bool { return strings.HasPrefix(f.Key, "session:") }

// Resumer finds the entry at which to go on: show it every fact, in any order.
type Resumer struct {
	asking  Asking
	recent  *Recent
	best    candidate
	outcome candidate // the newest outcome, whatever it says
}

// candidate is a fact that may be chosen.
type candidate struct {
	node int
	fact *fact.Fact // nil for none
}

// NewResumer returns a Resumer for the one who asks.
func NewResumer(r *Recent, a Asking) *Resumer { return &Resumer{asking: a, recent: r} }

// Consider takes a fact into account.
func (r *Resumer) Consider(node int, f *fact.Fact) {
	if !f.Type.Resumable() || SessionRecord(f) || f.Key == Checkpoint {
		return
	}
	c := candidate{node, f}
	if f.Captured() && f.Row == fact.RowOutcome {
		if r.outcome.fact == nil || c.before(r.outcome) {
			r.outcome = c
		}
		return
	}
	if (r.best.fact == nil || c.before(r.best)) && r.allows(f) {
		r.best = c
	}
}

// Choice returns the entry at which to go on, false where there is none.
func (r *Resumer) Choice() (int, bool) {
	best := r.best
	if o := r.outcome; o.fact != nil && (best.fact == nil || o.before(best)) && fact.Unfinished(o.fact.Value) {
		best = o
	}
	return best.node, best.fact != nil
}

// allows reports whether work can be taken up at a fact that is no outcome.
func (r *Resumer) allows(f *fact.Fact) bool {
	if Written(f) {
		return !r.recent.SessionsAfter(f.UpdatedAt, laterSessions+1) && !fact.Done(f.Value)
	}
	switch f.Row {
	case fact.RowOpenTurn:
		return !r.Own(f)
	case fact.RowTask:
		return f.Task && r.recent.WithinSession(f)
	case fact.RowSection:
		return !r.recent.ClosedAfter(f.UpdatedAt, 1)
	}
	return false
}

// Own reports whether a fact is the asking session's own open turn, seen from
// inside that turn: at a prompt it is the prompt that was just typed.
func (r *Resumer) Own(f *fact.Fact) bool {
	if f.Row != fact.RowOpenTurn || r.asking.Session == "" || f.Origin == nil {
		return false
	}
	return f.Origin.Session == r.asking.Session && r.asking.Event != "compact" && r.asking.Event != "resume"
}

// before reports whether a comes before b as a place to go on: the newer one,
// else by type and key.
func (a candidate) before(b candidate) bool {
	return cmp.Or(
		cmp.Compare(b.fact.UpdatedAt, a.fact.UpdatedAt),
		cmp.Compare(resumeRank(a.fact.Type), resumeRank(b.fact.Type)),
		strings.Compare(a.fact.Key, b.fact.Key),
		strings.Compare(a.fact.Namespace, b.fact.Namespace),
	) < 0
}

// resumeRank orders types where times are equal.
func resumeRank(t fact.Type) int {
	switch t {
	case fact.Progress:
		return 0
	case fact.Status:
		return 1
	case fact.Result:
		return 2
	}
	return 3
}

// Resume returns the entry of the graph at which to go on.
func (g *Graph) Resume(r *Recent, a Asking) (int, bool) {
	res := NewResumer(r, a)
	for i := range g.Facts {
		res.Consider(i, &g.Facts[i])
	}
	return res.Choice()
}
