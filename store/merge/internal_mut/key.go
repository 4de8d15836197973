package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// writeRow is a write with the contribution that it stands in.
type writeRow struct {
	*fact.Write
	from *Contribution
}

// ghostRow is a ghost with the contribution that it stands in.
type ghostRow struct {
	*Ghost
	from *Contribution
}

// keyRows is all that was written of one key of the default namespace.
type keyRows struct {
	key    string // empty while only ghosts know of it
	hash   string // empty while no hashes are needed
	writes []writeRow
	ghosts []ghostRow
}

// mention is one record's word on a key: a write or the ghost of one.
type mention struct {
	write *fact.Write // nil of a ghost
	ghost *Ghost
	from  *Contribution
}

func (m *mention) stamp() fact.Stamp {
	if m.write != nil {
		return m.write.Stamp
	}
	return m.ghost.Stamp
}

func (m *mention) record() string {
	if m.write != nil {
		return m.write.Record
	}
	return m.ghost.Record
}

func (m *mention) group() string {
	if m.write != nil {
		return groupOf(m.write.Type, m.write.Key)
	}
	return m.ghost.Group
}

// place is the rank of a key, or of one of its writes, in a cap group.
type place struct {
	time  int64
	ghost bool   // only a hash is known
	name  string // the key, or its hash
}

// compare orders places, greatest kept first. Of equal times what was deleted
// keeps its place.
func (a place) compare(b place) int {
	if n := cmp.Compare(a.time, b.time); n != 0 {
		return n
	}
	if a.ghost != b.ghost {
		if a.ghost {
			return 1
		}
		return -1
	}
	return strings.Compare(a.name, b.name)
}

// settled is what the writes of a key come to before caps.
type settled struct {
	alive  []*candidate
	places []ranked
}

// ranked is the place of a key in one cap group.
type ranked struct {
	group string
	place
}

// settle resolves copies and tombstones of a key's writes.
func (k *keyRows) settle(g *Graves, said *statements) settled {
	var s settled
	var room [1]mention
	for _, m := range counted(k.mentions(g, room[:0])) {
		if group := m.group(); group != "" {
			s.rank(group, k.placeOf(&m))
		}
		if m.write != nil && !said.hides(m.write.Row, k.key, m.write.Value, m.write.Session) {
			s.alive = append(s.alive, ofWrite(m.write, m.from))
		}
	}
	return s
}

func (s *settled) rank(group string, p place) {
	for i := range s.places {
		if s.places[i].group == group {
			if p.compare(s.places[i].place) > 0 {
				s.places[i].place = p
			}
			return
		}
	}
	s.places = append(s.places, ranked{group, p})
}

func (k *keyRows) placeOf(m *mention) place {
	if m.write != nil {
		return place{time: m.write.Time, name: k.key}
	}
	return place{time: m.ghost.Time, ghost: true, name: m.ghost.Key}
}

// mentions returns the writes as tombstones leave them, and the ghosts.
func (k *keyRows) mentions(g *Graves, out []mention) []mention {
	out = slices.Grow(out, len(k.writes)+len(k.ghosts))
	for _, row := range k.writes {
		w, gh := g.stripWrite(row.Write)
		out = append(out, mention{w, gh, row.from})
	}
	for _, row := range k.ghosts {
		out = append(out, mention{nil, row.Ghost, row.from})
	}
	return out
}

// counted returns the copy of each record that speaks for it.
func counted(list []mention) []mention {
	if len(list) < 2 {
		return list
	}
	slices.SortFunc(list, func(a, b mention) int {
		return cmp.Or(
			strings.Compare(a.record(), b.record()),
			strings.Compare(a.from.Agent, b.from.Agent),
			compareCopies(a.stamp(), b.stamp()),
			rank(a.write != nil)-rank(b.write != nil),
			compareSources(a.from, b.from),
		)
	})
	return slices.CompactFunc(list, func(a, b mention) bool {
		return a.record() == b.record() && a.from.Agent == b.from.Agent
	})
}

// rank orders false before true.
func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// edge is the least place that the cap of a group leaves. Earlier writes of
// the keys that have the places must reach it as well: whether there once was
// another key does not show.
type edge struct {
	least place
	full  bool // all places are taken
}

// edgeOf measures a group of which places are the newest writes of each key.
func edgeOf(places []place, limit int) edge {
	if limit <= 0 || len(places) < limit {
		return edge{}
	}
	slices.SortFunc(places, func(a, b place) int { return b.compare(a) })
	return edge{places[limit-1], true}
}

// fits reports whether a candidate of the group stands at or above the edge.
func (e edge) fits(c *candidate) bool {
	return !e.full || place{time: c.Time, name: c.key}.compare(e.least) >= 0
}
