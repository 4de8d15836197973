package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// resolvedMark stands before the value of a failure that a success has ended.
const resolvedMark = "resolved: "

// runRow is a failure or success with the contribution that it stands in.
type runRow struct {
	*fact.Run
	from *Contribution
}

// subject is what is known of one failing subject.
type subject struct {
	failure *copyOf[fact.Run] // newest
	times   int               // how often it has failed
}

// errorsOf returns what failures and successes say of keys: for each key the
// newest failure that nothing has ended, else the newest that was.
func errorsOf(rows []runRow, ghosts []ghostRow, g *Graves) []*candidate {
	subjects := map[string]subject{}
	ends := endings{subject: map[string][]*fact.Run{}, group: map[string][]*fact.Run{}}
	var failures, successes []copyOf[fact.Run]
	for _, row := range rows {
		left, gh := g.stripRun(row.Run)
		c := copyOf[fact.Run]{row.Stamp, left, gh, row.Record, row.Subject, row.from}
		if row.Failed {
			failures = append(failures, c)
		} else {
			successes = append(successes, c)
		}
	}
	for _, gh := range ghosts {
		failures = append(failures, copyOf[fact.Run]{gh.Stamp, nil, gh.Ghost, gh.Record, gh.Slot, gh.from})
	}
	for _, c := range spokesmen(successes) {
		ends.add(c.row)
	}
	ends.sort()
	counted := spokesmen(failures)
	for i := range counted {
		if f := &counted[i]; f.row != nil {
			s := subjects[f.row.Subject]
			s.times += f.row.Times
			if s.failure == nil || newerRun(f, s.failure) {
				s.failure = f
			}
			subjects[f.row.Subject] = s
		}
	}
	byKey := map[string]*candidate{}
	for _, s := range subjects {
		c := s.candidate(&ends)
		if old := byKey[c.key]; old == nil || outweighs(c, old) {
			byKey[c.key] = c
		}
	}
	out := make([]*candidate, 0, len(byKey))
	for _, c := range byKey {
		out = append(out, c)
	}
	return out
}

func newerRun(a, b *copyOf[fact.Run]) bool {
	return cmp.Or(a.Stamp.Compare(b.Stamp), strings.Compare(a.record, b.record), compareSources(a.from, b.from)) > 0
}

// outweighs reports whether a says more of its key than b: what is not yet
// resolved, then what is newer.
func outweighs(a, b *candidate) bool {
	if a.resolved != b.resolved {
		return b.resolved
	}
	return a.compare(b) > 0
}

func (s subject) candidate(ends *endings) *candidate {
	r := s.failure.row
	c := &candidate{
		Stamp: r.Stamp, from: s.failure.from, record: r.Record, agent: r.Agent, role: "tool", row: fact.RowFailure,
		key: r.Key, value: r.Value, typ: fact.Error, class: r.Class, turn: r.Turn, up: r.Parents, times: s.times,
	}
	if c.ended = ends.after(r); c.ended != nil {
		c.resolved = true
		if !strings.HasPrefix(c.value, resolvedMark) {
			c.value = resolvedMark + c.value
		}
	}
	return c
}

// endings are the known successes, by what they can end.
type endings struct {
	subject map[string][]*fact.Run
	group   map[string][]*fact.Run // those that ran the whole of their class
}

func (e *endings) add(r *fact.Run) {
	e.subject[r.Subject] = append(e.subject[r.Subject], r)
	if r.Whole && r.Group != "" {
		e.group[r.Group] = append(e.group[r.Group], r)
	}
}

func (e *endings) sort() {
	for _, m := range []map[string][]*fact.Run{e.subject, e.group} {
		for _, list := range m {
			slices.SortFunc(list, compareEndings)
		}
	}
}

func compareEndings(a, b *fact.Run) int {
	return cmp.Or(a.Stamp.Compare(b.Stamp), strings.Compare(a.Record, b.Record), strings.Compare(a.Label, b.Label))
}

// after returns the first known success that ends a failure.
func (e *endings) after(f *fact.Run) *fact.Run {
	end := first(e.subject[f.Subject], f)
	if f.Group == "" {
		return end
	}
	if whole := first(e.group[f.Group], f); end == nil || whole != nil && compareEndings(whole, end) < 0 {
		end = whole
	}
	return end
}

func first(list []*fact.Run, f *fact.Run) *fact.Run {
	at, _ := slices.BinarySearchFunc(list, f, func(a, f *fact.Run) int {
		if a.Stamp.Compare(f.Stamp) <= 0 {
			return -1
		}
		return 1
	})
	if at == len(list) {
		return nil
	}
	return list[at]
}
