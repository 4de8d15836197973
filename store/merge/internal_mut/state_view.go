package merge

import (
	"cmp"
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// View returns the present view. It is the same value until something has
// changed; its Sequence is left to the caller, to be set once.
func (s *State) View() *fact.View {
	if s.view != nil && !s.todo.any {
		return s.view
	}
	old := s.view
	if old == nil {
		old = &fact.View{}
	}
	s.settleWrites()
	s.settleRegisters()
	v := &fact.View{Project: s.project}
	v.Turns = s.register.turns.apply(old.Turns, compareTurns)
	v.Sessions = s.viewSessions(old)
	v.Tasks = s.register.tasks.items
	v.Files = s.viewFiles(old)
	v.Calls = s.viewCalls(old)
	v.Facts = s.viewFacts(old)
	s.register.turns = edits[fact.Turn]{}
	s.todo = todo{
		writes: map[*keyState]bool{}, keys: map[*keyState]bool{}, edges: map[*keyState]bool{},
		groups: map[string]bool{}, turns: map[turnID]bool{}, sessions: map[string]bool{}, closed: map[string]bool{},
		rings: map[string]bool{}, calls: map[turnID]bool{}, files: map[string]bool{},
	}
	s.view = v
	return v
}

func (s *State) viewSessions(old *fact.View) []fact.Session {
	if len(s.todo.sessions) == 0 {
		return old.Sessions
	}
	out := room[fact.Session](0)
	for _, k := range s.sessions {
		if k.now != nil {
			row := *k.now
			row.Turns = k.count
			out = append(out, row)
		}
	}
	slices.SortFunc(out, func(a, b fact.Session) int { return compareSessions(&a, &b) })
	return out
}

func (s *State) viewFiles(old *fact.View) []fact.File {
	var e edits[fact.File]
	for id := range s.todo.files {
		k := s.files[id]
		was := k.now
		k.now = nil
		for f := range k.rows {
			if !s.g.gone(f.Session, f.Time) && (k.now == nil || f.Stamp.Compare(k.now.Stamp) > 0) {
				k.now = f
			}
		}
		if was == nil || k.now == nil || *was != *k.now {
			e.replace(was, k.now)
		} else {
			k.now = was
		}
	}
	return e.apply(old.Files, compareFiles)
}

func (s *State) viewCalls(old *fact.View) map[string][]fact.Call {
	for id := range s.todo.calls {
		k := s.calls[id]
		if k.least.Call != nil {
			s.todo.rings[k.least.Session] = true
			delete(s.ring(k.least.Session), id)
		}
		k.least = callRow{}
		for l, c := range k.rows {
			if row := (callRow{l, c}); !s.g.hidesCall(l) && (k.least.Call == nil || compareCalls(row, k.least) < 0) {
				k.least = row
			}
		}
		if k.least.Call != nil {
			s.todo.rings[k.least.Session] = true
			s.ring(k.least.Session)[id] = k.least
		}
	}
	if len(s.todo.rings) == 0 {
		return old.Calls
	}
	out := make(map[string][]fact.Call, len(old.Calls)+1)
	for session, list := range old.Calls {
		if !s.todo.rings[session] {
			out[session] = list
		}
	}
	for session := range s.todo.rings {
		if ring := s.rings[session]; len(ring) > 0 {
			rows := make([]callRow, 0, len(ring))
			for _, row := range ring {
				rows = append(rows, row)
			}
			out[session] = newestCalls(rows)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (s *State) ring(session string) map[turnID]callRow {
	r := s.rings[session]
	if r == nil {
		r = map[turnID]callRow{}
		s.rings[session] = r
	}
	return r
}

// viewFacts decides the keys of which something was said and draws the edges
// that this moves.
func (s *State) viewFacts(old *fact.View) []fact.Fact {
	made := make(map[*keyState]*fact.Fact, len(s.todo.keys))
	for k := range s.todo.keys {
		made[k] = s.decide(k)
	}
	for k := range s.todo.edges {
		if k.winner == nil || k.winner.saved != nil {
			continue
		}
		if refs := s.parentOf(k); !slices.Equal(refs, k.refs) || made[k] != nil {
			s.draw(made, k, refs, old)
		}
	}
	s.drawOrphans(made, old)
	var e edits[fact.Fact]
	for k, f := range made {
		if was, ok := old.GetIn(k.namespace, k.key); ok && k.key != "" {
			e.out = append(e.out, was)
		}
		if f != nil {
			e.in = append(e.in, f)
		}
	}
	return e.apply(old.Facts, compareFacts)
}

func compareFacts(a, b *fact.Fact) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Key, b.Key))
}

// decide makes the entry of a key, nil where it is absent.
func (s *State) decide(k *keyState) *fact.Fact {
	was := k.winner
	winner, counted := pick(s.fitting(k))
	k.winner = winner
	if moved(was, winner) {
		for _, child := range k.children.list {
			s.todo.edges[child] = true
		}
	}
	delete(s.orphans, k)
	if winner == nil {
		k.refs = nil
		s.link(k, nil)
		return nil
	}
	f := entry(winner, counted, s.g.buriedIn(k.namespace, k.key))
	s.link(k, &f)
	if winner.saved == nil {
		s.adopt(k)
		s.todo.edges[k] = true
	} else {
		k.refs = f.References
		if len(f.References) == 0 {
			s.orphans[k] = true
		}
	}
	return &f
}

// moved reports whether edges to an entry may have changed.
func moved(was, now *candidate) bool {
	if was == nil || now == nil {
		return was != now
	}
	return was.Stamp != now.Stamp
}

// adopt makes a captured entry known where its edge may lead.
func (s *State) adopt(k *keyState) {
	for _, key := range k.winner.up {
		s.key(key).children.add(k)
	}
	if k.winner.turn == "" {
		return
	}
	id := k.winner.turnID()
	t := s.turns[id]
	if t == nil {
		t = &turnState{}
		s.turns[id] = t
	}
	t.children.add(k)
}

// parentOf returns the edge of a captured entry.
func (s *State) parentOf(k *keyState) []string {
	prompt := ""
	if t := s.turns[k.winner.turnID()]; t != nil {
		prompt = promptOf(t.now)
	}
	if prompt != "" {
		s.key(prompt).children.add(k)
	}
	return parent(k.winner, prompt, func(key string) *candidate {
		if p := s.keys[key]; p != nil {
			return p.winner
		}
		return nil
	})
}

// draw sets the edge of an entry in the next view.
func (s *State) draw(made map[*keyState]*fact.Fact, k *keyState, refs []string, old *fact.View) {
	f := made[k]
	if f == nil {
		was, _ := old.GetIn(k.namespace, k.key)
		next := *was
		f = &next
		made[k] = f
	}
	k.refs, f.References = refs, refs
}

// drawOrphans works out the edges of saved entries that were given none.
func (s *State) drawOrphans(made map[*keyState]*fact.Fact, old *fact.View) {
	s.settleChain()
	for k := range s.orphans {
		f := made[k]
		if f == nil {
			f, _ = old.GetIn(k.namespace, k.key)
		}
		if refs := s.chain.parent(f); made[k] != nil || !slices.Equal(refs, k.refs) {
			s.draw(made, k, refs, old)
		}
	}
}

// settleChain brings the chain up to date. It is not kept while no entry
// needs it.
func (s *State) settleChain() {
	switch {
	case len(s.orphans) == 0:
		s.chain = nil
	case s.chain == nil:
		s.chain = chain{}
		for _, keys := range []map[string]*keyState{s.keys, s.named} {
			for _, k := range keys {
				if k.linkType != "" {
					name := chainKey{k.namespace, k.linkType}
					s.chain[name] = append(s.chain[name], k.linked)
				}
			}
		}
		s.chain.sort()
	default:
		for name, e := range s.links {
			s.chain[name] = e.apply(s.chain[name], func(a, b *link) int { return a.compare(*b) })
		}
	}
	s.links = map[chainKey]*edits[link]{}
}

// link keeps the place of an entry among those that may be parents; nil takes
// it out.
func (s *State) link(k *keyState, f *fact.Fact) {
	var now link
	var typ fact.Type
	if f != nil && linkable(f.Type) {
		now, typ = link{f.UpdatedAt, f.Key}, f.Type
	}
	if now == k.linked && typ == k.linkType {
		return
	}
	if k.linkType != "" {
		was := k.linked
		s.linkEdits(k.namespace, k.linkType).replace(&was, nil)
	}
	if typ != "" {
		s.linkEdits(k.namespace, typ).replace(nil, &now)
	}
	k.linked, k.linkType = now, typ
}

func (s *State) linkEdits(namespace string, typ fact.Type) *edits[link] {
	name := chainKey{namespace, typ}
	e := s.links[name]
	if e == nil {
		e = &edits[link]{}
		s.links[name] = e
	}
	return e
}
