package merge

import "slices"

// groupState is one cap group of the project.
type groupState struct {
	places map[*keyState]place
	edge   edge
}

// settleWrites resolves the writes of the keys where something has changed,
// and the caps that this moves.
func (s *State) settleWrites() {
	for k := range s.todo.writes {
		now := k.settle(s.g, s.said)
		k.alive = now.alive
		s.rank(k, now.places)
		s.todo.keys[k] = true
	}
	for name := range s.todo.groups {
		s.cap(name, s.groups[name])
	}
}

// rank sets the places that a key takes in cap groups.
func (s *State) rank(k *keyState, places []ranked) {
	for _, old := range k.places {
		delete(s.groups[old.group].places, k)
		s.todo.groups[old.group] = true
	}
	k.places = places
	for _, r := range places {
		g := s.groups[r.group]
		if g == nil {
			g = &groupState{places: map[*keyState]place{}}
			s.groups[r.group] = g
		}
		g.places[k] = r.place
		s.todo.groups[r.group] = true
	}
}

// cap measures a group again and touches the keys that cross its edge.
func (s *State) cap(name string, g *groupState) {
	before := g.edge
	g.edge = newestPlaces(g.places, s.caps.limit(name))
	if before == g.edge {
		return
	}
	for k := range g.places {
		for _, c := range k.alive {
			if c.group == name && before.fits(c) != g.edge.fits(c) {
				s.todo.keys[k] = true
				break
			}
		}
	}
}

// newestPlaces is edgeOf without sorting all of a large group.
func newestPlaces(all map[*keyState]place, limit int) edge {
	if limit <= 0 || len(all) < limit {
		return edge{}
	}
	top := make([]place, 0, limit) // greatest first
	for _, p := range all {
		if len(top) == limit {
			if p.compare(top[limit-1]) <= 0 {
				continue
			}
			top = top[:limit-1]
		}
		at, _ := slices.BinarySearchFunc(top, p, func(a, b place) int { return b.compare(a) })
		top = slices.Insert(top, at, p)
	}
	return edge{top[limit-1], true}
}

// fitting returns the candidates of a key that count.
func (s *State) fitting(k *keyState) []*candidate {
	list := make([]*candidate, 0, len(k.alive)+len(k.offers)+len(k.saved))
	for _, c := range k.alive {
		if g := s.groups[c.group]; g == nil || g.edge.fits(c) {
			list = append(list, c)
		}
	}
	list = append(list, k.offers...)
	for _, e := range k.saved {
		if !s.g.hidesSaved(e) {
			list = append(list, ofSaved(e))
		}
	}
	return list
}
