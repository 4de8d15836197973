package merge

import (
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// State keeps the view of a project up to date: it is told what has changed,
// and computes again only what depends on that. Its View equals that of Build
// over the same rows, except for the pointers in it. It is not safe for
// concurrent use; the views that it has given may be read by anybody.
type State struct {
	project    string
	caps       Caps
	tombstones []Tombstone
	sources    map[string]*Contribution // what was taken in, by contribution id
	saved      map[string]*Saved

	// What follows starts anew when tombstones come.
	g        *Graves
	said     *statements
	keys     map[string]*keyState // of the default namespace by key; by NUL and hash where only ghosts know it
	named    map[string]*keyState // of other namespaces
	hashes   map[string]*keyState // by hash; nil until a hash is needed
	groups   map[string]*groupState
	turns    map[turnID]*turnState
	sessions map[string]*sessionState
	runs     bag[fact.Run]
	tasks    bag[fact.TaskItem]
	lists    bag[fact.TaskList]
	summed   bag[fact.Compaction]
	ghosts   map[Kind]bag[Ghost] // of registers
	calls    map[turnID]*callState
	rings    map[string]map[turnID]callRow // the copies that count, by session
	files    map[string]*fileState

	todo     todo
	register registers
	chain    chain // nil while no entry needs it
	links    map[chainKey]*edits[link]
	orphans  map[*keyState]bool // saved entries whose edges are worked out
	view     *fact.View
}

// bag is a set of rows with the contributions that they stand in.
type bag[T any] map[*T]*Contribution

// NewState returns the state of an empty project.
func NewState(project string, caps Caps) *State {
	s := &State{project: project, caps: caps, sources: map[string]*Contribution{}, saved: map[string]*Saved{}}
	s.reset()
	return s
}

func (s *State) reset() {
	s.g = Compile(s.tombstones)
	s.said = newStatements(s.g)
	s.keys, s.named, s.hashes = map[string]*keyState{}, map[string]*keyState{}, nil
	s.groups = map[string]*groupState{}
	s.turns, s.sessions = map[turnID]*turnState{}, map[string]*sessionState{}
	s.runs, s.tasks, s.lists, s.summed = bag[fact.Run]{}, bag[fact.TaskItem]{}, bag[fact.TaskList]{}, bag[fact.Compaction]{}
	s.ghosts = map[Kind]bag[Ghost]{KindRun: {}, KindTask: {}, KindCompaction: {}}
	s.rings = map[string]map[turnID]callRow{}
	s.calls, s.files = map[turnID]*callState{}, map[string]*fileState{}
	s.todo, s.register = newTodo(), newRegisters()
	s.chain, s.links, s.orphans = nil, map[chainKey]*edits[link]{}, map[*keyState]bool{}
	s.view = nil
}

// Put takes in what has changed in a contribution: the changes that Accumulate
// or Erase have returned. Of a contribution that it does not know yet it takes
// all rows. The contribution is not kept.
func (s *State) Put(c *Contribution, ch Changes) {
	known := s.sources[c.ID()]
	if known == nil {
		known = &Contribution{Source: c.Source, Agent: c.Agent, Path: c.Path, Dir: c.Dir}
		s.sources[c.ID()] = known
		ch = Changes{Put: slices.Collect(c.Rows())}
	}
	for _, ref := range ch.Deleted {
		s.swap(known, ref, nil)
	}
	for _, row := range ch.Put {
		s.swap(known, row.Ref, row.Value)
	}
}

// Remove forgets a contribution, by its id.
func (s *State) Remove(id string) {
	c := s.sources[id]
	if c == nil {
		return
	}
	for _, row := range slices.Collect(c.Rows()) {
		s.swap(c, row.Ref, nil)
	}
	delete(s.sources, id)
}

// swap replaces one row by another, nil for none.
func (s *State) swap(c *Contribution, ref Ref, value any) {
	if old := c.get(ref); old != nil {
		if old == value {
			return
		}
		s.row(c, old, -1)
	}
	c.set(ref, value)
	if value != nil {
		s.row(c, value, 1)
	}
}

// Save takes in a saved entry in place of the one with its id.
func (s *State) Save(e Saved) {
	s.Unsave(e.ID())
	s.saved[e.ID()] = &e
	k := s.savedKey(&e)
	k.saved = append(k.saved, &e)
	s.touch(k)
}

// Unsave removes a saved entry, by its id.
func (s *State) Unsave(id string) {
	e := s.saved[id]
	if e == nil {
		return
	}
	delete(s.saved, id)
	k := s.savedKey(e)
	k.saved = slices.DeleteFunc(k.saved, func(o *Saved) bool { return o == e })
	s.touch(k)
}

func (s *State) savedKey(e *Saved) *keyState {
	if e.Namespace == "" {
		return s.key(e.Key)
	}
	name := e.Namespace + "\x00" + e.Key
	k := s.named[name]
	if k == nil {
		k = &keyState{keyRows: keyRows{key: e.Key}, namespace: e.Namespace}
		s.named[name] = k
	}
	return k
}

// Bury sets the tombstones. Everything is computed again, so it is to be
// called when they have changed only.
func (s *State) Bury(tombstones []Tombstone) {
	if slices.Equal(s.tombstones, tombstones) {
		return
	}
	s.tombstones = slices.Clone(tombstones)
	s.reset()
	for _, c := range s.sources {
		for row := range c.Rows() {
			s.row(c, row.Value, 1)
		}
	}
	for _, e := range s.saved {
		k := s.savedKey(e)
		k.saved = append(k.saved, e)
		s.touch(k)
	}
}
