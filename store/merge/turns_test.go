package merge

import (
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

func TestOutcomeComesFromTheNewestClosedTurn(t *testing.T) {
	p := newProject(t)
	p.says("a", turns(closed("s1", 10, 20, "result:x", "old"), closed("s1", 30, 40, "result:x", "new")))
	p.says("b", turns(closed("s2", 5, 25, "result:x", "other")))
	v := p.want("result:x", "new")
	f, _ := v.Get("result:x")
	if f.CreatedAt != 20 || f.UpdatedAt != 40 || f.Row != fact.RowOutcome || f.Turn != "s1@30" {
		t.Errorf("got %+v", f)
	}
}

func TestVoidTurnNeverCounts(t *testing.T) {
	p := newProject(t)
	void := closed("s1", 30, 40, "result:x", "withdrawn")
	void.Void = true
	void.Action = fact.Part{Stamp: at("s1", 40), Record: "a", Key: "last_action", Value: "withdrawn"}
	p.says("a", turns(closed("s1", 10, 20, "result:x", "stands"), void))
	if v := p.want("result:x", "stands", "last_action", ""); len(v.Turns) != 1 {
		t.Errorf("got %d turns, want 1", len(v.Turns))
	}
}

func TestActionAndFilesComeFromTheNewestTurnThatHasThem(t *testing.T) {
	p := newProject(t)
	first, second := closed("s1", 10, 20, "result:a", "a"), closed("s1", 30, 40, "result:b", "b")
	first.Action = fact.Part{Stamp: at("s1", 15), Record: "x", Key: "last_action", Value: "first"}
	first.Files = fact.Part{Stamp: at("s1", 16), Record: "y", Key: "last_files", Value: "a.go"}
	second.Action = fact.Part{Stamp: at("s1", 35), Record: "z", Key: "last_action", Value: "second"}
	p.says("a", turns(first, second))
	p.want("last_action", "second", "last_files", "a.go")
}

func TestSubAgentsTurnsGiveFilesOnly(t *testing.T) {
	p := newProject(t)
	sub := closed("s1", 10, 20, "result:x", "sub")
	sub.Sub, sub.Open = true, "open"
	sub.Action = fact.Part{Stamp: at("s1", 15), Record: "x", Key: "last_action", Value: "sub"}
	sub.Files = fact.Part{Stamp: at("s1", 16), Record: "y", Key: "last_files", Value: "a.go"}
	p.says("a", turns(sub))
	if v := p.want("last_files", "a.go", "last_action", "", "result:x", "", "progress:turn", ""); len(v.Turns) != 0 {
		t.Errorf("got %d turns, want none", len(v.Turns))
	}
}

func TestOnlyTheLastTurnOfASessionIsOpen(t *testing.T) {
	p := newProject(t)
	p.says("a", turns(open("s1", 10, 11, "old"), closed("s1", 20, 21, "result:x", "v")))
	p.want("progress:turn", "")
	p.says("a", turns(open("s1", 30, 31, "present")))
	p.want("progress:turn", "present")
}

func TestOpenTurnOfAnOlderSessionShowsUnlessOvertaken(t *testing.T) {
	for name, c := range map[string]struct {
		later int64
		want  string
	}{
		"a day":            {day, "open"},
		"a week":           {7 * day, "open"},
		"more than a week": {7*day + 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.says("a", turns(open("s1", 10, 100, "open")))
			p.says("b", turns(closed("s2", 50, 100+c.later, "result:x", "v")))
			p.want("progress:turn", c.want)
		})
	}
}

func TestNewestOpenTurnOverSessions(t *testing.T) {
	p := newProject(t)
	p.says("a", turns(open("s1", 10, 100, "one")))
	p.says("b", turns(open("s2", 50, 60, "two")))
	if f := p.fact("progress:turn"); f.Value != "one" || f.UpdatedAt != 100 || f.Type != fact.Progress || f.Row != fact.RowOpenTurn {
		t.Errorf("got %+v, want the one active last", f)
	}
}

func TestWithdrawnOpenTurnLetsNothingShineThrough(t *testing.T) {
	p := newProject(t)
	p.says("a", turns(open("s1", 10, 100, "open")))
	p.saves(fact.Entry{Key: "progress:turn", Value: "older", UpdatedAt: 50})
	p.says("b", turns(closed("s2", 10, 10*day, "result:x", "v")))
	p.want("progress:turn", "")
}

func TestOlderStateOfATurnReadAgainChangesNothing(t *testing.T) {
	p := newProject(t)
	p.says("a", turns(closed("s1", 10, 20, "result:x", "v")))
	p.says("a", turns(open("s1", 10, 15, "open")))
	p.want("result:x", "v", "progress:turn", "")
}
