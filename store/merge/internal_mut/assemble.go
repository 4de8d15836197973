package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// view fills in all but the facts.
func (b *build) view(v *fact.View) {
	b.viewTurns(v)
	for _, s := range b.sessions {
		v.Sessions = append(v.Sessions, *s)
	}
	count := map[string]int{}
	for i := range v.Turns {
		count[v.Turns[i].Session]++
	}
	for i := range v.Sessions {
		v.Sessions[i].Turns = count[v.Sessions[i].ID]
	}
	slices.SortFunc(v.Sessions, func(a, b fact.Session) int { return compareSessions(&a, &b) })
	v.Tasks = b.tasks.items
	b.viewFiles(v)
	b.viewCalls(v)
}

// room returns an empty slice for n values, nil for none: empty relations of
// a view are always nil, however it was made.
func room[T any](n int) []T {
	if n == 0 {
		return nil
	}
	return make([]T, 0, n)
}

func (b *build) viewTurns(v *fact.View) {
	slices.SortFunc(b.turns, func(a, b *turn) int { return compareTurns(&a.Turn, &b.Turn) })
	v.Turns = room[fact.Turn](len(b.turns))
	for _, t := range b.turns {
		v.Turns = append(v.Turns, t.Turn)
	}
}

func (b *build) viewFiles(v *fact.View) {
	newest := map[string]*fact.File{}
	for _, c := range b.in.Contributions {
		for id, f := range c.files {
			if b.g.gone(f.Session, f.Time) {
				continue
			}
			if old := newest[id]; old == nil || f.Stamp.Compare(old.Stamp) > 0 {
				newest[id] = f
			}
		}
	}
	v.Files = room[fact.File](len(newest))
	for _, f := range newest {
		v.Files = append(v.Files, *f)
	}
	slices.SortFunc(v.Files, func(a, b fact.File) int { return compareFiles(&a, &b) })
}

// compareFiles is the order of the files in a view: newest first.
func compareFiles(a, b *fact.File) int {
	return cmp.Or(b.Stamp.Compare(a.Stamp), strings.Compare(a.Path, b.Path), strings.Compare(a.Action, b.Action))
}

// callRow is a call with the contribution that it stands in.
type callRow struct {
	*fact.Call
	from *Contribution
}

// compareCalls orders the calls of a session, and copies of one call.
func compareCalls(a, b callRow) int {
	return cmp.Or(compareCopies(a.Stamp, b.Stamp), strings.Compare(a.Record, b.Record), compareSources(a.from, b.from))
}

func (b *build) viewCalls(v *fact.View) {
	least := map[turnID]callRow{}
	for _, c := range b.in.Contributions {
		for id, l := range c.calls {
			if b.g.hidesCall(l) {
				continue
			}
			row, name := callRow{l, c}, turnID{c.Agent, id}
			if old, ok := least[name]; !ok || compareCalls(row, old) < 0 {
				least[name] = row
			}
		}
	}
	rings := map[string][]callRow{}
	for _, row := range least {
		rings[row.Session] = append(rings[row.Session], row)
	}
	for session, rows := range rings {
		if v.Calls == nil {
			v.Calls = make(map[string][]fact.Call, len(rings))
		}
		v.Calls[session] = newestCalls(rows)
	}
}

// newestCalls returns the calls of a session that a view has, oldest first.
func newestCalls(rows []callRow) []fact.Call {
	slices.SortFunc(rows, func(a, b callRow) int {
		return cmp.Or(a.Stamp.Compare(b.Stamp), compareCalls(a, b))
	})
	rows = rows[max(0, len(rows)-ringSize):]
	out := make([]fact.Call, len(rows))
	for i := range rows {
		out[i] = *rows[i].Call
	}
	return out
}
