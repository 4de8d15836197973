package merge

import (
	"fmt"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

// day is a day in milliseconds.
const day = 24 * 60 * 60 * 1000

// project is a project made by hand.
type project struct {
	t    *testing.T
	in   Input
	list map[string]*Contribution
}

func newProject(t *testing.T) *project {
	t.Helper()
	t.Parallel()
	return &project{t: t, in: Input{Project: "/home/ana/shop", Caps: DefaultCaps()}, list: map[string]*Contribution{}}
}

// says adds a pass over the file of that name in the project's own directory.
func (p *project) says(file string, d fact.Delta) { p.saysIn("/home/ana/shop", file, d) }

func (p *project) saysIn(dir, file string, d fact.Delta) {
	c := p.list[dir+file]
	if c == nil {
		c = &Contribution{Source: "ana\x00/home/ana/log/" + file, Agent: "ana", Path: "/home/ana/log/" + file, Dir: dir}
		p.list[dir+file] = c
		p.in.Contributions = append(p.in.Contributions, c)
	}
	Accumulate(c, &d, p.in.Caps, Compile(p.in.Tombstones))
}

func (p *project) writes(file string, list ...fact.Write) { p.says(file, fact.Delta{Writes: list}) }

func (p *project) saves(e fact.Entry) {
	if e.Type == "" {
		e.Type = fact.TypeOf(e.Key)
	}
	if e.CreatedAt == 0 {
		e.CreatedAt = e.UpdatedAt
	}
	p.in.Saved = append(p.in.Saved, Saved{Entry: e, Dir: "/home/ana/shop"})
}

// deletes leaves a tombstone for a key.
func (p *project) deletes(key string, time int64) {
	p.in.Tombstones = append(p.in.Tombstones, Tombstone{Key: KeyHash("", key), Time: time})
}

// view builds the view, with and without erasing, and through a state.
func (p *project) view() *fact.View {
	p.t.Helper()
	v := Build(p.in)
	want := export(p.t, v)
	s := NewState(p.in.Project, p.in.Caps)
	s.Bury(p.in.Tombstones)
	for _, c := range p.in.Contributions {
		s.Put(c, Changes{})
	}
	for _, e := range p.in.Saved {
		s.Save(e)
	}
	if got := export(p.t, s.View()); got != want {
		p.t.Errorf("the state gives another view than Build:\n%s\n%s", got, want)
	}
	for _, c := range p.in.Contributions {
		c.Erase(Compile(p.in.Tombstones))
	}
	if got := export(p.t, Build(p.in)); got != want {
		p.t.Errorf("erasing gives another view:\n%s\n%s", got, want)
	}
	return v
}

// want checks values by key; an empty value means that the key is absent.
func (p *project) want(pairs ...string) *fact.View {
	p.t.Helper()
	v := p.view()
	for i := 0; i < len(pairs); i += 2 {
		f, ok := v.Get(pairs[i])
		switch {
		case pairs[i+1] == "" && ok:
			p.t.Errorf("%s = %q, want none", pairs[i], f.Value)
		case pairs[i+1] != "" && !ok:
			p.t.Errorf("%s is absent, want %q", pairs[i], pairs[i+1])
		case ok && f.Value != pairs[i+1]:
			p.t.Errorf("%s = %q, want %q", pairs[i], f.Value, pairs[i+1])
		}
	}
	return v
}

func (p *project) fact(key string) fact.Fact {
	p.t.Helper()
	f, ok := p.view().Get(key)
	if !ok {
		p.t.Fatalf("%s is absent", key)
	}
	return *f
}

// at is a stamp in a session whose file has its name.
func at(session string, time int64) fact.Stamp {
	return fact.Stamp{Time: time, Session: session, File: session + ".jsonl", Pos: time}
}

// wrote is a write with a record of its own.
func wrote(row fact.Row, session string, time int64, key, value string) fact.Write {
	return fact.Write{
		Stamp: at(session, time), Record: fmt.Sprintf("%s@%d", session, time), Role: "user",
		Row: row, Key: key, Value: value, Type: fact.TypeOf(key),
	}
}

func marker(session string, time int64, key, value string) fact.Write {
	return wrote(fact.RowMarker, session, time, key, value)
}

// closed is a closed turn from one time to another.
func closed(session string, from, to int64, key, value string) fact.Turn {
	return fact.Turn{
		Stamp: at(session, from), ID: fmt.Sprintf("%s@%d", session, from), Ordinal: int(from), End: to, Closed: true,
		Result: fact.Part{Stamp: at(session, to), Record: fmt.Sprintf("%s@%d", session, to), Key: key, Value: value, Type: fact.Result},
	}
}

// open is an open turn from one time to another.
func open(session string, from, to int64, value string) fact.Turn {
	return fact.Turn{Stamp: at(session, from), ID: fmt.Sprintf("%s@%d", session, from), Ordinal: int(from), End: to, Open: value}
}

func turns(list ...fact.Turn) fact.Delta { return fact.Delta{Turns: list} }
