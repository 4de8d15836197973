package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kmemd/kmemd/store/fact"
)

func TestLeastCopyOfARecordCounts(t *testing.T) {
	p := newProject(t)
	w := marker("s1", 10, "k", "v")
	w.Record = "r"
	p.writes("a", w)
	w.Session, w.Pos = "s0", 99 // least by session
	p.writes("b", w)
	w.Session, w.Time = "s9", 50 // a copy with a later stamp
	w.Value = "changed"
	p.writes("c", w)
	got := p.fact("k")
	want := &fact.Origin{Agent: "ana", Session: "s0", Record: "r", File: "/home/ana/log/b", Offset: 99, Role: "user", Via: "transcript"}
	if diff := cmp.Diff(want, got.Origin); diff != "" || got.UpdatedAt != 10 || got.Value != "v" {
		t.Errorf("got %q at %d; origin (-want +got):\n%s", got.Value, got.UpdatedAt, diff)
	}
}

func TestCopyInAnotherStoreOfTheProjectCounts(t *testing.T) {
	p := newProject(t)
	w := marker("s1", 10, "k", "v")
	w.Record = "r"
	p.saysIn("/home/ana/shop/web", "a", fact.Delta{Writes: []fact.Write{w}})
	w.Time, w.Value = 20, "late copy"
	p.writes("b", w)
	p.want("k", "v")
}

func TestLastOfEqualKeysInARecordCounts(t *testing.T) {
	p := newProject(t)
	a, b := marker("s1", 10, "k", "first"), marker("s1", 10, "k", "last")
	b.Place = 1
	p.writes("a", a, b)
	p.want("k", "last")
}

func TestRecordsOfDifferentAgentsAreNoCopies(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "k", "old"))
	other := &Contribution{Source: "ben\x00x", Agent: "ben", Path: "x", Dir: "/home/ana/shop"}
	w := marker("s1", 20, "k", "new")
	w.Record = "s1@10"
	Accumulate(other, &fact.Delta{Writes: []fact.Write{w}}, p.in.Caps, nil)
	p.in.Contributions = append(p.in.Contributions, other)
	p.want("k", "new")
}

func TestCopiedTurnBelongsToItsFirstSession(t *testing.T) {
	p := newProject(t)
	short := open("s1", 10, 12, "unfinished; last said: hm")
	p.says("a", turns(short))
	long := closed("s2", 10, 20, "result:x", "done")
	long.ID = short.ID
	p.says("b", turns(long))
	v := p.want("result:x", "done", "progress:turn", "")
	if len(v.Turns) != 1 || v.Turns[0].Session != "s1" || !v.Turns[0].Closed || v.Turns[0].End != 20 {
		t.Errorf("got turns %+v, want one of s1 with the longer copy's content", v.Turns)
	}
}

func TestPartOfACopiedTurnComesFromItsLeastCopy(t *testing.T) {
	p := newProject(t)
	a := closed("s1", 10, 20, "result:x", "done")
	p.says("a", turns(a))
	b := a
	b.Session, b.Result.Session, b.End = "s2", "s2", 25
	p.says("b", turns(b))
	if got := p.fact("result:x").Origin; got.Session != "s1" || got.File != "/home/ana/log/a" {
		t.Errorf("got origin %+v, want that of s1", got)
	}
}

func TestKnownRecordReadAgainChangesNothing(t *testing.T) {
	t.Parallel()
	c := &Contribution{Agent: "ana"}
	d := bigDelta("s", 0, 60)
	d.Compactions = []fact.Compaction{{Stamp: at("s", 4), Record: "c1", Checkpoint: "x"}, {Stamp: at("s", 5), Record: "c2", Checkpoint: "y", Sections: []fact.Section{{Key: "a", Value: "b"}}}}
	Accumulate(c, d, DefaultCaps(), nil)
	if ch := Accumulate(c, d, DefaultCaps(), nil); len(ch.Deleted) > 0 || len(ch.Put) > 0 {
		t.Errorf("got changes %+v, want none", ch)
	}
}
