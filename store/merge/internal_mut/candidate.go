package merge

import (
	"cmp"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// A candidate is one thing that was said of a key. The greatest one of a key
// makes its entry.
type candidate struct {
	fact.Stamp
	from   *Contribution // where it was captured; nil of a saved entry
	saved  *Saved        // the saved entry; nil of a captured one
	record string
	agent  string
	role   string
	row    fact.Row
	key    string
	value  string
	typ    fact.Type
	class  fact.Class
	turn   string   // id of its turn
	up     []string // keys that may be its parent, best first
	group  string   // cap group

	withdrawn bool // it wins as any other, but then the key is absent
	resolved  bool
	task      bool
	status    string
	times     int
	ended     *fact.Run // of a resolved failure: what succeeded
}

// compare orders the candidates of a key. At the same millisecond a call comes
// after what was captured, so that no save is lost.
func (a *candidate) compare(b *candidate) int {
	if n := cmp.Compare(a.Time, b.Time); n != 0 {
		return n
	}
	if (a.saved != nil) != (b.saved != nil) {
		if a.saved != nil {
			return 1
		}
		return -1
	}
	if n := a.Stamp.Compare(b.Stamp); n != 0 {
		return n
	}
	return cmp.Or(
		strings.Compare(a.record, b.record),
		strings.Compare(string(a.row), string(b.row)),
		strings.Compare(a.value, b.value),
		compareOrigins(a, b),
	)
}

// turnID names the turn of a captured candidate.
func (a *candidate) turnID() turnID { return turnID{a.from.Agent, a.turn} }

func (a *candidate) namespace() string {
	if a.saved != nil {
		return a.saved.Namespace
	}
	return ""
}

// compareKeys is the order of the entries in a view.
func compareKeys(a, b *candidate) int {
	if a.saved != nil || b.saved != nil {
		if n := strings.Compare(a.namespace(), b.namespace()); n != 0 {
			return n
		}
	}
	return strings.Compare(a.key, b.key)
}

func compareOrigins(a, b *candidate) int {
	if a.saved != nil {
		return strings.Compare(a.saved.Dir, b.saved.Dir)
	}
	return compareSources(a.from, b.from)
}

// later reports whether a was said after b, by a record of its own.
func (a *candidate) later(b *candidate) bool {
	if a.Time != b.Time {
		return a.Time > b.Time
	}
	return a.File == b.File && a.Session == b.Session && a.Pos > b.Pos
}

func ofWrite(w *fact.Write, from *Contribution) *candidate {
	return &candidate{
		Stamp: w.Stamp, from: from, record: w.Record, agent: w.Agent, role: w.Role, row: w.Row, key: w.Key,
		value: w.Value, typ: w.Type, class: w.Class, turn: w.Turn, up: w.Parents, group: groupOf(w.Type, w.Key),
	}
}

func ofSaved(s *Saved) *candidate {
	c := &candidate{saved: s, key: s.Key, value: s.Value, typ: s.Type}
	c.Time = s.UpdatedAt
	if o := s.Origin; o != nil {
		c.Session, c.File, c.Pos, c.record = o.Session, o.File, o.Offset, o.Record
	}
	return c
}

// fact returns the entry that the candidate makes, without its edges and
// without what other candidates say of it.
func (a *candidate) fact() fact.Fact {
	if a.saved != nil {
		return fact.Fact{Entry: a.saved.Entry}
	}
	agent := a.agent
	if agent == "" {
		agent = a.from.Agent
	}
	f := fact.Fact{
		Entry: fact.Entry{
			Key: a.key, Value: a.value, Type: a.typ, CreatedAt: a.Time, UpdatedAt: a.Time,
			Origin: &fact.Origin{
				Agent: agent, Session: a.Session, Record: a.record, File: a.from.Path, Offset: a.Pos,
				Role: a.role, Via: fact.ViaTranscript,
			},
		},
		Row: a.row, Class: a.class, Turn: a.turn, Resolved: a.resolved, Task: a.task, Status: a.status, Times: a.times,
	}
	if a.ended != nil {
		f.EndedBy, f.EndedAt, f.EndedIn = a.ended.Label, a.ended.Time, a.ended.Session
	}
	return f
}
