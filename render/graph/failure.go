package graph

import (
	"math"
	"time"

	"github.com/kmemd/kmemd/store/fact"
)

// failureWindow is how long before the newest turn a failed check or vcs step
// still speaks of the present work.
const failureWindow = 3 * 24 * time.Hour

// Failure finds the error to name: show it every fact, in any order.
type Failure struct {
	recent *Recent
	since  int64     // Unix milliseconds from which a failed step counts as present
	best   candidate // of the errors that count
	old    candidate // of the failed steps of any age
}

// NewFailure returns a Failure.
func NewFailure(r *Recent) *Failure {
	f := &Failure{recent: r, since: math.MinInt64}
	if t := r.Newest(); t != nil {
		f.since = t.Time - failureWindow.Milliseconds()
	}
	return f
}

// Consider takes a fact into account.
func (e *Failure) Consider(node int, f *fact.Fact) {
	if f.Type != fact.Error {
		return
	}
	c := candidate{node, f}
	better := e.best.fact == nil || c.before(e.best)
	if step(f) {
		better = better && (f.UpdatedAt >= e.since || e.recent.Within(f, 2))
		older := e.old.fact == nil || c.before(e.old)
		if (better || older) && ErrorHandled(f) {
			return
		}
		if older {
			e.old = c
		}
		if better {
			e.best = c
		}
		return
	}
	if better && (Written(f) || e.recent.Within(f, 2)) && !ErrorHandled(f) {
		e.best = c
	}
}

// Choice returns the error to name, false where there is none.
func (e *Failure) Choice() (int, bool) {
	if e.best.fact != nil {
		return e.best.node, true
	}
	return e.old.node, e.old.fact != nil
}

// step reports whether a fact is a captured failure of a check or vcs step.
func step(f *fact.Fact) bool {
	return f.Captured() && f.Row == fact.RowFailure && (f.Class == fact.ClassCheck || f.Class == fact.ClassVCS)
}

// ErrorHandled reports whether an error needs no more attention: a captured
// failure by its register alone, any other error by its words.
func ErrorHandled(f *fact.Fact) bool {
	if f.Captured() && f.Row == fact.RowFailure {
		return f.Resolved
	}
	return f.Resolved || fact.Handled(f.Value)
}

// Failure returns the error of the graph to name.
func (g *Graph) Failure(r *Recent) (int, bool) {
	e := NewFailure(r)
	for i := range g.Facts {
		e.Consider(i, &g.Facts[i])
	}
	return e.Choice()
}
