package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// maxPast is how many earlier values of an entry are kept.
const maxPast = 3

// pick returns the candidate that makes the entry of a key, nil where the key
// is absent, and the candidates that counted. All must be of one key, above
// their caps and not hidden.
func pick(list []*candidate) (winner *candidate, counted []*candidate) {
	if slices.ContainsFunc(list, holds) {
		list = slices.DeleteFunc(list, func(c *candidate) bool { return c.row == fact.RowSection })
	}
	for _, c := range list {
		if winner == nil || c.compare(winner) > 0 {
			winner = c
		}
	}
	if winner == nil || winner.withdrawn {
		return nil, nil
	}
	return winner, list
}

// holds reports whether a candidate keeps sections from its key.
func holds(c *candidate) bool { return c.saved != nil || c.row == fact.RowMarker }

// entry makes the entry of a key, without its edges. buried is the time up to
// which the key is deleted.
func entry(winner *candidate, counted []*candidate, buried int64) fact.Fact {
	f := winner.fact()
	if winner.saved != nil && f.CreatedAt <= buried {
		f.CreatedAt = f.UpdatedAt
	}
	if !newestOnly(winner) {
		for _, c := range counted {
			f.CreatedAt = min(f.CreatedAt, c.created(buried))
		}
	}
	if keepsPast(winner.typ) {
		f.Past = past(winner, counted, buried)
	}
	return f
}

// created is the earliest time that a candidate knows its key to have existed.
func (a *candidate) created(buried int64) int64 {
	if a.saved != nil && a.saved.CreatedAt > buried {
		return min(a.saved.CreatedAt, a.Time)
	}
	return a.Time
}

// newestOnly reports whether the entry is as old as its newest write: it is of
// a kind of which only so many, or only one, is kept.
func newestOnly(c *candidate) bool {
	return c.saved == nil && (c.group != "" || single(c.row) || c.row == fact.RowConfig)
}

// keepsPast reports whether earlier values of an entry of the type are kept.
func keepsPast(t fact.Type) bool {
	return t == fact.Decision || t == fact.Preference || t == fact.Context || t == fact.Note
}

// past returns the newest three values that differ from the present one and
// from each other, each with the last time it was said.
func past(winner *candidate, counted []*candidate, buried int64) []fact.Past {
	var all []fact.Past
	for _, c := range counted {
		if c != winner {
			all = append(all, fact.Past{Value: c.value, At: c.Time})
		}
		if c.saved != nil {
			for _, p := range c.saved.Past {
				if p.At > buried {
					all = append(all, p)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b fact.Past) int {
		return cmp.Or(cmp.Compare(b.At, a.At), strings.Compare(a.Value, b.Value))
	})
	var out []fact.Past
	for _, p := range all {
		same := func(q fact.Past) bool { return q.Value == p.Value }
		if p.Value == winner.value || slices.ContainsFunc(out, same) {
			continue
		}
		if out = append(out, p); len(out) == maxPast {
			break
		}
	}
	return out
}
