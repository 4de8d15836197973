package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kmemd/kmemd/store/fact"
)

func TestSessionsAreMergedOverSources(t *testing.T) {
	p := newProject(t)
	p.says("a", fact.Delta{Sessions: []fact.Session{{ID: "s1", Agent: "ana", Model: "old", Branch: "main", StartedAt: 5, UpdatedAt: 10}}})
	p.says("b", fact.Delta{Sessions: []fact.Session{{ID: "s1", Model: "new", StartedAt: 8, UpdatedAt: 20, Turns: 99}}})
	p.says("b", fact.Delta{Sessions: []fact.Session{{ID: "s1", Model: "sub's", StartedAt: 3, UpdatedAt: 30, Sub: true}}})
	p.says("c", fact.Delta{Sessions: []fact.Session{{ID: "s2", UpdatedAt: 40}}})
	p.says("a", turns(closed("s1", 5, 6, "result:x", "v"), closed("s1", 7, 8, "result:y", "v")))
	p.says("b", turns(closed("s1", 7, 8, "result:y", "v")))
	want := []fact.Session{
		{ID: "s2", UpdatedAt: 40},
		{ID: "s1", Agent: "ana", Model: "new", Branch: "main", StartedAt: 3, UpdatedAt: 30, Turns: 2},
	}
	if diff := cmp.Diff(want, p.view().Sessions); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
}

func TestTurnsAreOldestFirst(t *testing.T) {
	p := newProject(t)
	p.says("b", turns(closed("s2", 20, 30, "result:c", "v"), closed("s2", 10, 11, "result:b", "v")))
	p.says("a", turns(closed("s1", 10, 15, "result:a", "v")))
	var got []string
	for _, turn := range p.view().Turns {
		got = append(got, turn.Result.Key)
	}
	if diff := cmp.Diff([]string{"result:a", "result:b", "result:c"}, got); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}

func TestFilesAreTheNewestTouches(t *testing.T) {
	p := newProject(t)
	touch := func(time int64, path, action string) fact.File {
		return fact.File{Stamp: at("s1", time), Path: path, Action: action}
	}
	p.says("a", fact.Delta{Files: []fact.File{touch(1, "a.go", "edit"), touch(2, "b.go", "edit"), touch(3, "a.go", "edit")}})
	p.says("b", fact.Delta{Files: []fact.File{touch(9, "a.go", "read"), touch(2, "a.go", "edit")}})
	want := []fact.File{touch(9, "a.go", "read"), touch(3, "a.go", "edit"), touch(2, "b.go", "edit")}
	if diff := cmp.Diff(want, p.view().Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestEmptyProject(t *testing.T) {
	p := newProject(t)
	if diff := cmp.Diff(&fact.View{Project: "/home/ana/shop"}, p.view()); diff != "" {
		t.Errorf("view (-want +got):\n%s", diff)
	}
}

func TestLoadedContributionIsTheSame(t *testing.T) {
	t.Parallel()
	c := &Contribution{Agent: "ana"}
	Accumulate(c, bigDelta("s", 0, 100), DefaultCaps(), Compile([]Tombstone{{Session: "s", Time: 200}}))
	n := reload(c)
	if c.Len() == 0 || c.Len() != n.Len() {
		t.Errorf("%d rows, want %d", n.Len(), c.Len())
	}
	if n.Load("no row") {
		t.Error("Load takes what is no row")
	}
}

func TestLaterChangesCountWhenAppended(t *testing.T) {
	t.Parallel()
	ref := func(id string) Ref { return Ref{KindTurn, id} }
	ch := Changes{Put: []Row{{ref("a"), 1}, {ref("b"), 1}}, Deleted: []Ref{ref("c")}}
	ch.Append(Changes{Put: []Row{{ref("c"), 2}}, Deleted: []Ref{ref("a")}})
	ch.Append(Changes{})
	want := Changes{Put: []Row{{ref("b"), 1}, {ref("c"), 2}}, Deleted: []Ref{ref("a")}}
	if diff := cmp.Diff(want, ch); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}
