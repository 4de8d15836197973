package merge

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// Kind names a kind of row of a contribution. The numbers are written to
// disk: they must never change.
type Kind uint8

// The kinds of rows, each with the type of its rows and their identity within
// the contribution.
const (
	KindWrite      Kind = 1  // *fact.Write: record and key
	KindTurn       Kind = 2  // *fact.Turn: id
	KindRun        Kind = 3  // *fact.Run: subject, failed or not
	KindTask       Kind = 4  // *fact.TaskItem: session and slug
	KindList       Kind = 5  // *fact.TaskList: session
	KindCompaction Kind = 6  // *fact.Compaction: session
	KindCall       Kind = 7  // *fact.Call: record
	KindFile       Kind = 8  // *fact.File: session, path and action
	KindSession    Kind = 9  // *fact.Session: id, sub-agent or not
	KindGhost      Kind = 10 // *Ghost: kind of row, then its identity, hashed
	KindSection    Kind = 11 // of ghosts only: a section of a compaction
)

// Ref names one row of a contribution.
type Ref struct {
	Kind Kind
	ID   string // bytes of UTF-8; parts are separated by NUL
}

// Row is one row of a contribution.
type Row struct {
	Ref
	Value any // pointer to the row, of the type of its kind; not to be changed
}

// Changes are the rows of one contribution that a call has put or deleted.
// Every row stands in one of them at most once; the order is deterministic.
type Changes struct {
	Put     []Row
	Deleted []Ref
}

// Empty reports whether nothing has changed.
func (ch *Changes) Empty() bool { return len(ch.Put)+len(ch.Deleted) == 0 }

// Append adds later changes of the same contribution; of several changes of a
// row the last holds.
func (ch *Changes) Append(later Changes) {
	if ch.Empty() {
		*ch = later
		return
	}
	if later.Empty() {
		return
	}
	over := make(map[Ref]bool, len(later.Put)+len(later.Deleted))
	for i := range later.Put {
		over[later.Put[i].Ref] = true
	}
	for _, r := range later.Deleted {
		over[r] = true
	}
	ch.Put = slices.DeleteFunc(ch.Put, func(r Row) bool { return over[r.Ref] })
	ch.Deleted = slices.DeleteFunc(ch.Deleted, func(r Ref) bool { return over[r] })
	ch.Put = append(ch.Put, later.Put...)
	ch.Deleted = append(ch.Deleted, later.Deleted...)
}

// table holds the rows of one kind by identity. Its rows are never changed in
// place.
type table[T any] map[string]*T

// Load adds a row as it was put: value is a pointer of the type of its kind.
// It is for rebuilding a contribution from what was stored; false means that
// the type is none of a row.
func (c *Contribution) Load(value any) bool {
	ref, ok := RefOf(value)
	if ok {
		c.set(ref, value)
		c.derived = nil
	}
	return ok
}

// RefOf returns the identity of a row, given a pointer to it.
func RefOf(value any) (Ref, bool) {
	switch v := value.(type) {
	case *fact.Write:
		return Ref{KindWrite, v.Record + "\x00" + v.Key}, true
	case *fact.Turn:
		return Ref{KindTurn, v.ID}, true
	case *fact.Run:
		return Ref{KindRun, v.Subject + flag(v.Failed)}, true
	case *fact.TaskItem:
		return Ref{KindTask, v.Session + "\x00" + v.Slug}, true
	case *fact.TaskList:
		return Ref{KindList, v.Session}, true
	case *fact.Compaction:
		return Ref{KindCompaction, v.Session}, true
	case *fact.Call:
		return Ref{KindCall, v.Record}, true
	case *fact.File:
		return Ref{KindFile, v.Session + "\x00" + v.Action + "\x00" + v.Path}, true
	case *fact.Session:
		return Ref{KindSession, v.ID + flag(v.Sub)}, true
	case *Ghost:
		return Ref{KindGhost, strconv.Itoa(int(v.Kind)) + "\x00" + v.slot()}, true
	}
	return Ref{}, false
}

func flag(on bool) string {
	if on {
		return "\x001"
	}
	return "\x000"
}

// slot is the identity of the row that a ghost stands for.
func (g *Ghost) slot() string {
	if g.Slot != "" {
		return g.Slot
	}
	return g.Record + "\x00" + g.Key
}

// Rows yields all rows, ordered by kind and identity.
func (c *Contribution) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, kind := range kinds {
			for _, id := range c.ids(kind) {
				ref := Ref{kind, id}
				if !yield(Row{ref, c.get(ref)}) {
					return
				}
			}
		}
	}
}

// Len returns the number of rows.
func (c *Contribution) Len() int {
	return len(c.writes) + len(c.turns) + len(c.runs) + len(c.tasks) + len(c.lists) +
		len(c.compactions) + len(c.calls) + len(c.files) + len(c.sessions) + len(c.ghosts)
}

var kinds = []Kind{KindWrite, KindTurn, KindRun, KindTask, KindList, KindCompaction, KindCall, KindFile, KindSession, KindGhost}

func (c *Contribution) ids(k Kind) []string {
	switch k {
	case KindWrite:
		return sortedKeys(c.writes)
	case KindTurn:
		return sortedKeys(c.turns)
	case KindRun:
		return sortedKeys(c.runs)
	case KindTask:
		return sortedKeys(c.tasks)
	case KindList:
		return sortedKeys(c.lists)
	case KindCompaction:
		return sortedKeys(c.compactions)
	case KindCall:
		return sortedKeys(c.calls)
	case KindFile:
		return sortedKeys(c.files)
	case KindSession:
		return sortedKeys(c.sessions)
	case KindGhost:
		return sortedKeys(c.ghosts)
	}
	return nil
}

// get returns the row of that name, nil where there is none.
func (c *Contribution) get(ref Ref) any {
	switch ref.Kind {
	case KindWrite:
		return orNil(c.writes[ref.ID])
	case KindTurn:
		return orNil(c.turns[ref.ID])
	case KindRun:
		return orNil(c.runs[ref.ID])
	case KindTask:
		return orNil(c.tasks[ref.ID])
	case KindList:
		return orNil(c.lists[ref.ID])
	case KindCompaction:
		return orNil(c.compactions[ref.ID])
	case KindCall:
		return orNil(c.calls[ref.ID])
	case KindFile:
		return orNil(c.files[ref.ID])
	case KindSession:
		return orNil(c.sessions[ref.ID])
	case KindGhost:
		return orNil(c.ghosts[ref.ID])
	}
	return nil
}

// set puts a row, or removes it where value is nil.
func (c *Contribution) set(ref Ref, value any) {
	switch ref.Kind {
	case KindWrite:
		c.writes = put(c.writes, ref.ID, value)
	case KindTurn:
		c.turns = put(c.turns, ref.ID, value)
	case KindRun:
		c.runs = put(c.runs, ref.ID, value)
	case KindTask:
		c.tasks = put(c.tasks, ref.ID, value)
	case KindList:
		c.lists = put(c.lists, ref.ID, value)
	case KindCompaction:
		c.compactions = put(c.compactions, ref.ID, value)
	case KindCall:
		c.calls = put(c.calls, ref.ID, value)
	case KindFile:
		c.files = put(c.files, ref.ID, value)
	case KindSession:
		c.sessions = put(c.sessions, ref.ID, value)
	case KindGhost:
		c.ghosts = put(c.ghosts, ref.ID, value)
	}
}

func put[T any](t table[T], id string, value any) table[T] {
	if value == nil {
		delete(t, id)
		return t
	}
	if t == nil {
		t = table[T]{}
	}
	t[id] = value.(*T)
	return t
}

func orNil[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

func sortedKeys[T any](t table[T]) []string {
	keys := make([]string, 0, len(t))
	for k := range t {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
