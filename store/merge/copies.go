package merge

import (
	"cmp"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// compareCopies orders copies of one record: the least speaks for it. Of equal
// keys in the same record the last is meant.
func compareCopies(a, b fact.Stamp) int {
	return cmp.Or(
		cmp.Compare(a.Time, b.Time),
		strings.Compare(a.Session, b.Session),
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Pos, b.Pos),
		cmp.Compare(b.Place, a.Place),
	)
}

// compareInFile orders the records of one file: time never goes back in it.
func compareInFile(a, b fact.Stamp) int {
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Place, b.Place))
}

// copyOf is one copy of a record of a register: a row or a ghost.
type copyOf[T any] struct {
	fact.Stamp
	row    *T // nil of a ghost
	ghost  *Ghost
	record string
	part   string // what tells several rows of a record apart
	from   *Contribution
}

// spokesmen returns the copy of each record that speaks for it, in no
// particular order.
func spokesmen[T any](list []copyOf[T]) []copyOf[T] {
	type identity struct{ record, part, agent string }
	best := make(map[identity]int, len(list))
	out := list[:0:0]
	for _, c := range list {
		id := identity{c.record, c.part, c.from.Agent}
		at, ok := best[id]
		if !ok {
			best[id] = len(out)
			out = append(out, c)
			continue
		}
		old := &out[at]
		n := cmp.Or(
			compareCopies(c.Stamp, old.Stamp),
			rank(c.row != nil)-rank(old.row != nil),
			compareSources(c.from, old.from),
		)
		if n < 0 {
			*old = c
		}
	}
	return out
}
