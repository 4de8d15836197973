package merge

import (
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

func failed(session string, time int64, subject, group, key, value string) fact.Run {
	return fact.Run{Stamp: at(session, time), Record: "f" + session + value, Failed: true, Subject: subject, Group: group, Key: key, Value: value, Class: fact.ClassCheck, Times: 1}
}

func passed(session string, time int64, subject, group string, whole bool) fact.Run {
	return fact.Run{Stamp: at(session, time), Record: "p" + session + subject, Subject: subject, Group: group, Whole: whole, Class: fact.ClassCheck, Label: "go test " + subject}
}

func runs(list ...fact.Run) fact.Delta { return fact.Delta{Runs: list} }

func TestFailureIsResolvedBy(t *testing.T) {
	fail := failed("s1", 10, "./a", "go test", "error:go_test", "FAIL")
	for name, c := range map[string]struct {
		success fact.Run
		want    string
	}{
		"a later success of its subject":    {passed("s1", 20, "./a", "go test", false), "resolved: FAIL"},
		"another session's success":         {passed("s2", 20, "./a", "go test", false), "resolved: FAIL"},
		"a whole run of its class":          {passed("s1", 20, "./...", "go test", true), "resolved: FAIL"},
		"not an earlier success":            {passed("s1", 5, "./a", "go test", false), "FAIL"},
		"not another subject of its class":  {passed("s1", 20, "./b", "go test", false), "FAIL"},
		"not a whole run of another class":  {passed("s1", 20, "./...", "go vet", true), "FAIL"},
		"not a success of an unknown class": {passed("s1", 20, "./...", "", true), "FAIL"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.says("a", runs(fail))
			p.says("b", runs(c.success))
			f := p.fact("error:go_test")
			if f.Value != c.want || f.Resolved != (c.want != "FAIL") || f.Type != fact.Error || f.Row != fact.RowFailure {
				t.Errorf("got %+v, want %q", f, c.want)
			}
			if f.Resolved && (f.EndedBy != c.success.Label || f.EndedAt != 20 || f.EndedIn != c.success.Session) {
				t.Errorf("ended by %q at %d in %q", f.EndedBy, f.EndedAt, f.EndedIn)
			}
		})
	}
}

func TestFailureAfterASuccessIsUnresolved(t *testing.T) {
	p := newProject(t)
	p.says("a", runs(failed("s1", 10, "x", "", "error:x", "one"), passed("s1", 20, "x", "", false), failed("s1", 30, "x", "", "error:x", "two")))
	p.want("error:x", "two")
}

func TestUnresolvedFailureOfAKeyOutweighsANewerResolvedOne(t *testing.T) {
	p := newProject(t)
	p.says("a", runs(
		failed("s1", 10, "./a", "go test", "error:go_test", "a fails"),
		failed("s1", 20, "./b", "go test", "error:go_test", "b fails"),
		passed("s1", 30, "./b", "go test", false),
	))
	p.want("error:go_test", "a fails")
	p.says("a", runs(passed("s1", 40, "./a", "go test", false)))
	p.want("error:go_test", "resolved: b fails")
}

func TestResolvedIsNotSaidTwice(t *testing.T) {
	p := newProject(t)
	p.says("a", runs(failed("s1", 10, "x", "", "error:x", "resolved: already"), passed("s1", 20, "x", "", false)))
	p.want("error:x", "resolved: already")
}

func TestFailuresOfASubjectAreCountedOverSources(t *testing.T) {
	p := newProject(t)
	a, b := failed("s1", 10, "x", "", "error:x", "one"), failed("s2", 20, "x", "", "error:x", "two")
	a.Times, b.Times = 3, 2
	p.says("a", runs(a))
	p.says("b", runs(b))
	p.says("c", runs(a)) // a copy
	if f := p.fact("error:x"); f.Times != 5 {
		t.Errorf("failed %d times, want 5", f.Times)
	}
}

func TestRunsOfTwoSessionsInOneFileGoByItsOrder(t *testing.T) {
	p := newProject(t)
	first, second := failed("s2", 10, "x", "", "error:x", "first"), failed("s1", 10, "x", "", "error:x", "second")
	first.Pos, second.Pos = 1, 2
	p.says("a", runs(first))
	p.says("a", runs(second))
	p.want("error:x", "second")
}
