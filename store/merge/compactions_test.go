package merge

import (
	"fmt"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

func compaction(session string, time int64, sections ...fact.Section) fact.Delta {
	return fact.Delta{Compactions: []fact.Compaction{{
		Stamp: at(session, time), Record: fmt.Sprint("c", session, time), Checkpoint: fmt.Sprint(session, "@", time), Sections: sections,
	}}}
}

func section(key, value string) fact.Section {
	return fact.Section{Key: key, Value: value, Type: fact.TypeOf(key)}
}

func next(key, value string) fact.Section {
	return fact.Section{Key: key, Value: value, Type: fact.Progress, Progress: true}
}

func TestCheckpointIsTheNewestOfAllSessions(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 10))
	p.says("b", compaction("s2", 20))
	p.want("checkpoint:summary", "s2@20")
}

func TestNewCompactionReplacesTheSectionsOfItsSession(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 10, section("decision:a", "old"), section("decision:b", "gone")))
	p.says("b", compaction("s2", 15, section("decision:c", "other session")))
	p.says("a", compaction("s1", 20, section("decision:a", "new")))
	p.want("decision:a", "new", "decision:b", "", "decision:c", "other session")
}

func TestOldCompactionReadLateReplacesNothing(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 20, section("decision:a", "new")))
	p.says("a", compaction("s1", 10, section("decision:a", "old"), section("decision:b", "gone")))
	p.want("decision:a", "new", "decision:b", "", "checkpoint:summary", "s1@20")
}

func TestProgressSectionGoesWhenALaterTurnHasClosed(t *testing.T) {
	p := newProject(t)
	p.says("a", turns(closed("s1", 1, 5, "result:a", "before")))
	p.says("a", compaction("s1", 10, next("progress:next", "todo"), section("decision:a", "stays")))
	p.says("a", turns(open("s1", 20, 21, "open")))
	p.says("b", turns(closed("s2", 20, 30, "result:b", "of another session")))
	p.want("progress:next", "todo")
	p.says("a", turns(closed("s1", 20, 25, "result:c", "after")))
	p.want("progress:next", "", "decision:a", "stays")
}

func TestWithdrawnSectionLetsNothingShineThrough(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 5, next("progress:next", "older session")))
	p.says("b", compaction("s2", 10, next("progress:next", "todo")))
	p.says("b", turns(closed("s2", 20, 25, "result:c", "after")))
	p.want("progress:next", "")
}

func TestNewestSectionOfAllSessionsWins(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 10, section("decision:a", "one")))
	p.says("b", compaction("s2", 20, section("decision:a", "two")))
	if f := p.fact("decision:a"); f.Value != "two" || f.Origin.Role != "summary" || f.Row != fact.RowSection {
		t.Errorf("got %+v", f)
	}
}

func TestSectionTakesNoKeyThatACallOrMarkerHolds(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 5, "decision:a", "marker"))
	p.writes("a", wrote(fact.RowChoice, "s1", 5, "decision:c", "choice"))
	p.saves(fact.Entry{Key: "decision:b", Value: "call", UpdatedAt: 5})
	p.says("a", compaction("s1", 10, section("decision:a", "sum"), section("decision:b", "sum"), section("decision:c", "sum")))
	p.want("decision:a", "marker", "decision:b", "call", "decision:c", "sum")
}

func TestCopiedCompactionIsNotTheForksOwn(t *testing.T) {
	p := newProject(t)
	first := compaction("s1", 10, section("decision:a", "first"))
	p.says("a", first)
	p.says("a", compaction("s1", 20, section("decision:b", "second")))
	first.Compactions[0].Session = "s2"
	p.says("b", first)
	p.want("decision:a", "", "decision:b", "second")
}

func TestTurnThatGoesOnAfterACompactionHasClosedAfterIt(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 10, next("progress:next", "todo")))
	p.says("a", turns(closed("s1", 5, 20, "result:x", "v")))
	p.want("progress:next", "")
}

func TestDeletedOutcomeBringsNoProgressSectionBack(t *testing.T) {
	p := newProject(t)
	p.says("a", compaction("s1", 10, next("progress:next", "todo")))
	p.says("a", turns(closed("s1", 5, 20, "result:x", "v")))
	p.deletes("result:x", 30)
	p.want("progress:next", "", "result:x", "")
}
