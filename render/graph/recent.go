package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

const (
	recentTurns = 4 // how many of the newest turns are kept
	closedTurns = 6 // how many of the newest ends of closed turns are kept
	lateStarts  = 6 // how many of the newest sessions with a closed turn are kept
)

// Recent is what the turns of a view say about how long ago something is, in
// turns and sessions.
type Recent struct {
	// Turns are the newest turns of the project, newest first, four at most.
	Turns []*fact.Turn

	ends    []int64      // of closed turns, newest first
	starts  []int64      // of sessions that have had a closed turn, newest first
	session []*fact.Turn // the newest three turns of the newest turn's session, newest first
}

// NewRecent reads the turns of a view. The result refers to them.
func NewRecent(v *fact.View) *Recent {
	r := &Recent{}
	for i := range v.Turns {
		r.Turns = insert(r.Turns, &v.Turns[i], recentTurns, laterTurn)
	}
	if len(r.Turns) == 0 {
		return r
	}
	newest := r.Turns[0].Session
	starts := make(map[string]int64)
	closed := make(map[string]bool)
	for i := range v.Turns {
		t := &v.Turns[i]
		if start, ok := starts[t.Session]; !ok || t.Time < start {
			starts[t.Session] = t.Time
		}
		if t.Closed {
			closed[t.Session] = true
			r.ends = insert(r.ends, t.End, closedTurns, newerTime)
		}
		if t.Session == newest {
			r.session = insert(r.session, t, 3, laterTurn)
		}
	}
	for session := range closed {
		r.starts = insert(r.starts, starts[session], lateStarts, newerTime)
	}
	return r
}

// insert adds a value to a short sorted list, which keeps its first n values.
func insert[T any](list []T, value T, n int, order func(a, b T) int) []T {
	if len(list) == n && order(value, list[n-1]) >= 0 {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, value, order)
	list = slices.Insert(list, at, value)
	return list[:min(len(list), n)]
}

// laterTurn orders turns newest first.
func laterTurn(a, b *fact.Turn) int {
	return cmp.Or(
		cmp.Compare(b.Time, a.Time),
		strings.Compare(b.Session, a.Session),
		cmp.Compare(b.Ordinal, a.Ordinal),
		strings.Compare(b.ID, a.ID),
	)
}

// newerTime orders times newest first.
func newerTime(a, b int64) int { return cmp.Compare(b, a) }

// Newest returns the newest turn, nil without any.
func (r *Recent) Newest() *fact.Turn {
	if len(r.Turns) == 0 {
		return nil
	}
	return r.Turns[0]
}

// ClosedAfter reports whether at least n turns have closed after a time in
// Unix milliseconds, for n up to six.
func (r *Recent) ClosedAfter(time int64, n int) bool {
	return len(r.ends) >= n && r.ends[n-1] > time
}

// SessionsAfter reports whether at least n sessions that began after a time
// have had a closed turn, for n up to six.
func (r *Recent) SessionsAfter(time int64, n int) bool {
	return len(r.starts) >= n && r.starts[n-1] > time
}

// Within reports whether a captured fact belongs to the n newest turns of the
// project, for n up to four. What carries no turn is judged by its time.
func (r *Recent) Within(f *fact.Fact, n int) bool {
	return within(r.Turns[:min(n, len(r.Turns))], f)
}

// WithinSession reports whether a captured fact belongs to the last three
// turns of the newest session.
func (r *Recent) WithinSession(f *fact.Fact) bool {
	return len(r.session) > 0 && f.Origin != nil && f.Origin.Session == r.session[0].Session && within(r.session, f)
}

func within(turns []*fact.Turn, f *fact.Fact) bool {
	if len(turns) == 0 {
		return false
	}
	if f.Turn == "" {
		return f.UpdatedAt >= turns[len(turns)-1].Time
	}
	for _, t := range turns {
		if t.ID == f.Turn {
			return true
		}
	}
	return false
}
