package merge

import (
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

func task(session string, time int64, slug, status string) fact.TaskItem {
	return fact.TaskItem{Stamp: at(session, time), Record: session + slug + status, Slug: slug, Text: "do " + slug, Status: status}
}

func tasksDelta(list ...fact.TaskItem) fact.Delta { return fact.Delta{Tasks: list} }

func list(session string, time int64, slugs ...string) fact.Delta {
	return fact.Delta{Lists: []fact.TaskList{{Stamp: at(session, time), Record: "l", Slugs: slugs}}}
}

func TestTaskIsProgressWhileOpenAndResultOnceConcluded(t *testing.T) {
	for status, want := range map[string][2]string{
		"pending":     {"pending: do x", ""},
		"in_progress": {"in_progress: do x", ""},
		"completed":   {"", "completed: do x"},
		"cancelled":   {"", "cancelled: do x"},
	} {
		t.Run(status, func(t *testing.T) {
			p := newProject(t)
			p.says("a", tasksDelta(task("s1", 10, "x", status)))
			v := p.want("progress:x", want[0], "result:x", want[1])
			f := v.Facts[0]
			if f.Status != status || f.Task != (want[0] != "") || f.Row != fact.RowTask {
				t.Errorf("got %+v", f)
			}
		})
	}
}

func TestNewestStatusOverAllSessionsCounts(t *testing.T) {
	p := newProject(t)
	p.says("a", tasksDelta(task("s1", 10, "x", "completed")))
	p.says("b", tasksDelta(task("s2", 20, "x", "pending")))
	if v := p.want("progress:x", "pending: do x", "result:x", ""); len(v.Tasks) != 2 || v.Tasks[0].Session != "s2" {
		t.Errorf("tasks of the view: %+v", v.Tasks)
	}
}

func TestOpenTaskNoLongerOnItsListIsWithdrawn(t *testing.T) {
	p := newProject(t)
	p.says("a", tasksDelta(task("s1", 10, "x", "pending"), task("s1", 10, "y", "pending"), task("s1", 10, "z", "completed")))
	p.saves(fact.Entry{Key: "progress:x", Value: "older", UpdatedAt: 5})
	p.says("a", list("s1", 20, "y"))
	p.want("progress:x", "", "progress:y", "pending: do y", "result:z", "completed: do z")
}

func TestListOlderThanATaskSaysNothingOfIt(t *testing.T) {
	p := newProject(t)
	p.says("a", list("s1", 5))
	p.says("a", tasksDelta(task("s1", 10, "x", "pending")))
	p.says("b", list("s2", 20))
	p.want("progress:x", "pending: do x")
}

func TestOpenTaskIsWithdrawnWhenOvertakenByAWeek(t *testing.T) {
	for name, c := range map[string]struct {
		own, other int64
		want       string
	}{
		"a week":                      {10, 10 + 7*day, "pending: do x"},
		"more than a week":            {10, 11 + 7*day, ""},
		"its session has gone on too": {day, 11 + 7*day, "pending: do x"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.says("a", tasksDelta(task("s1", 10, "x", "pending"), task("s1", 10, "y", "completed")))
			p.says("a", fact.Delta{Sessions: []fact.Session{{ID: "s1", UpdatedAt: c.own}}})
			p.says("b", fact.Delta{Sessions: []fact.Session{{ID: "s2", UpdatedAt: c.other}}})
			p.want("progress:x", c.want, "result:y", "completed: do y")
		})
	}
}

func TestTaskAndOutcomeOfTheSameKey(t *testing.T) {
	p := newProject(t)
	p.says("a", tasksDelta(task("s1", 10, "x", "completed")))
	p.says("a", turns(closed("s1", 5, 20, "result:x", "outcome")))
	p.want("result:x", "outcome")
	p.says("a", tasksDelta(task("s1", 30, "x", "completed")))
	p.want("result:x", "completed: do x")
}
