package merge

import (
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// todo is what has changed since the last view.
type todo struct {
	any         bool
	writes      map[*keyState]bool // writes or ghosts of it
	keys        map[*keyState]bool // anything that is said of it
	edges       map[*keyState]bool // what its edge depends on
	groups      map[string]bool
	turns       map[turnID]bool
	sessions    map[string]bool // rows or turns of it
	closed      map[string]bool // its newest closed turn
	rings       map[string]bool
	calls       map[turnID]bool
	files       map[string]bool
	runs        bool
	tasks       bool
	lists       bool
	compactions bool
	said        bool
}

func newTodo() todo {
	return todo{
		any: true, writes: map[*keyState]bool{}, keys: map[*keyState]bool{}, edges: map[*keyState]bool{},
		groups: map[string]bool{}, turns: map[turnID]bool{}, sessions: map[string]bool{}, closed: map[string]bool{},
		rings: map[string]bool{}, calls: map[turnID]bool{}, files: map[string]bool{},
		runs: true, tasks: true, lists: true, compactions: true,
	}
}

// keyState is all that is known of one key.
type keyState struct {
	keyRows
	namespace string
	saved     []*Saved
	alive     []*candidate // of the writes, before caps
	places    []ranked
	offers    []*candidate // of registers
	winner    *candidate
	children  family // whose edge may lead here
	linked    link   // its place in the chain
	linkType  fact.Type
	refs      []string
}

// turnState is all that is known of one turn.
type turnState struct {
	turnRows
	now      *turn
	offers   []*candidate
	children family // whose edge may lead to its prompt
}

// sessionState is all that is known of one session.
type sessionState struct {
	rows    bag[fact.Session]
	turns   map[turnID]*turn // that count as its activity
	now     *fact.Session
	last    *turn
	closed  *fact.Stamp
	count   int
	summary summary
	offers  []*candidate // of its summary
}

type callState struct {
	rows  bag[fact.Call]
	least callRow
}

type fileState struct {
	rows bag[fact.File]
	now  *fact.File
}

// family are the entries whose edges depend on something. It may hold some
// that no longer do.
type family struct {
	list  []*keyState
	clean int
}

func (f *family) add(k *keyState) {
	f.list = append(f.list, k)
	if len(f.list) > 2*f.clean+16 {
		seen := make(map[*keyState]bool, len(f.list))
		f.list = slices.DeleteFunc(f.list, func(k *keyState) bool {
			if seen[k] {
				return true
			}
			seen[k] = true
			return false
		})
		f.clean = len(f.list)
	}
}

// row takes a row in, or out with n = -1.
func (s *State) row(c *Contribution, value any, n int) {
	s.todo.any = true
	for _, hash := range s.said.add(value, n) {
		s.todo.said = true
		if k := s.keyOfHash(hash); k != nil {
			s.todo.writes[k] = true
		}
	}
	switch v := value.(type) {
	case *fact.Write:
		k := s.key(v.Key)
		k.writes = alter(k.writes, writeRow{v, c}, n)
		s.todo.writes[k] = true
	case *fact.Turn:
		t := s.turn(turnID{c.Agent, v.ID})
		t.rows = alter(t.rows, turnRow{v, c}, n)
	case *fact.Run:
		s.runs.alter(v, c, n)
		s.todo.runs = true
	case *fact.TaskItem:
		s.tasks.alter(v, c, n)
		s.todo.tasks = true
	case *fact.TaskList:
		s.lists.alter(v, c, n)
		s.todo.lists = true
	case *fact.Compaction:
		s.summed.alter(v, c, n)
		s.todo.compactions = true
	case *fact.Call:
		s.call(v, c, n)
	case *fact.File:
		s.file(v, c, n)
	case *fact.Session:
		s.session(v.ID).rows.alter(v, c, n)
		s.todo.sessions[v.ID] = true
	case *Ghost:
		s.ghost(v, c, n)
	}
}

func alter[T comparable](list []T, v T, n int) []T {
	if n > 0 {
		return append(list, v)
	}
	return slices.DeleteFunc(list, func(o T) bool { return o == v })
}

func (b bag[T]) alter(v *T, c *Contribution, n int) {
	if n > 0 {
		b[v] = c
	} else {
		delete(b, v)
	}
}

func (s *State) ghost(gh *Ghost, c *Contribution, n int) {
	switch gh.Kind {
	case KindWrite:
		k := s.ghostKey(gh.Key)
		k.ghosts = alter(k.ghosts, ghostRow{gh, c}, n)
		s.todo.writes[k] = true
	case KindTurn:
		t := s.turn(turnID{c.Agent, gh.Record})
		t.ghosts = alter(t.ghosts, ghostRow{gh, c}, n)
	case KindRun:
		s.ghosts[KindRun].alter(gh, c, n)
		s.todo.runs = true
	case KindTask:
		s.ghosts[KindTask].alter(gh, c, n)
		s.todo.tasks = true
	case KindCompaction:
		s.ghosts[KindCompaction].alter(gh, c, n)
		s.todo.compactions = true
	}
}

func (s *State) call(v *fact.Call, c *Contribution, n int) {
	id := turnID{c.Agent, v.Record}
	k := s.calls[id]
	if k == nil {
		k = &callState{rows: bag[fact.Call]{}}
		s.calls[id] = k
	}
	k.rows.alter(v, c, n)
	s.todo.calls[id] = true
}

func (s *State) file(v *fact.File, c *Contribution, n int) {
	ref, _ := RefOf(v)
	k := s.files[ref.ID]
	if k == nil {
		k = &fileState{rows: bag[fact.File]{}}
		s.files[ref.ID] = k
	}
	k.rows.alter(v, c, n)
	s.todo.files[ref.ID] = true
}

// turn returns the state of a turn that changes.
func (s *State) turn(id turnID) *turnState {
	t := s.turns[id]
	if t == nil {
		t = &turnState{}
		s.turns[id] = t
	}
	s.todo.turns[id] = true
	return t
}

func (s *State) session(id string) *sessionState {
	k := s.sessions[id]
	if k == nil {
		k = &sessionState{rows: bag[fact.Session]{}, turns: map[turnID]*turn{}}
		s.sessions[id] = k
	}
	return k
}

// touch says that something has changed that is said of a key.
func (s *State) touch(k *keyState) {
	s.todo.any = true
	s.todo.keys[k] = true
}

// key returns the state of a key of the default namespace.
func (s *State) key(key string) *keyState {
	k := s.keys[key]
	if k != nil {
		return k
	}
	hash := ""
	if s.hashes != nil {
		hash = KeyHash("", key)
		k = s.hashes[hash] // ghosts may know it
	}
	if k == nil {
		k = &keyState{}
		if hash != "" {
			s.hashes[hash] = k
		}
	}
	if k.key == "" {
		delete(s.keys, "\x00"+hash)
	}
	k.key, k.hash = key, hash
	s.keys[key] = k
	return k
}

// keyOfHash returns the state of a key by its hash, nil where there is none.
func (s *State) keyOfHash(hash string) *keyState {
	if s.hashes == nil {
		s.hashes = make(map[string]*keyState, len(s.keys))
		for key, k := range s.keys {
			k.hash = KeyHash("", key)
			s.hashes[k.hash] = k
		}
	}
	return s.hashes[hash]
}

// ghostKey returns the state of a key of which a ghost speaks.
func (s *State) ghostKey(hash string) *keyState {
	k := s.keyOfHash(hash)
	if k == nil {
		k = &keyState{keyRows: keyRows{hash: hash}}
		s.hashes[hash] = k
		s.keys["\x00"+hash] = k
	}
	return k
}
