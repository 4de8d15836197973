package rules_test

import (
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ingest/event"
)

// TestSubjectsAreComparedWithoutTheirWrapping: what ends a failure is the same
// command, whatever stands around it.
func TestSubjectsAreComparedWithoutTheirWrapping(t *testing.T) {
	t.Parallel()
	const title = "git commit -m 'Add the cart'"
	for _, tc := range []struct {
		name, failed, succeeded string
		same                    bool
	}{
		{"other filter", "go test ./up 2>&1 | tail -5", "go test ./up 2>&1 | tail -40", true},
		{"cd to where it is", "go test ./up", "cd /home/ana/shop && go test ./up", true},
		{"commit of the same message", title, "git add . && " + title, true},
		{"other target", "go test ./up", "go test ./cart", false},
		{"long and different at its end only", "./check " + strings.Repeat("-x ", 60) + "a", "./check " + strings.Repeat("-x ", 60) + "b", false},
	} {
		d := story(t, events(typed("Make it work again, please"),
			bash("1", tc.failed, "error: no cart", 1), bash("2", tc.succeeded, "ok", 0))...)
		if len(d.Runs) != 2 || (d.Runs[0].Subject == d.Runs[1].Subject) != tc.same {
			t.Errorf("%s: runs = %+v", tc.name, d.Runs)
		}
	}
}

func TestDirectoriesOnWindowsAreOne(t *testing.T) {
	t.Parallel()
	const root = `C:\Users\ana\shop`
	all := events(typed("Make it work again, please"), bash("1", "go test ./...", "error: no cart", 1),
		bash("2", "cd /c/Users/ana/shop/web && go test ./...", "ok", 0))
	for i := range all {
		all[i].Cwd = root
	}
	all[1].Dir, all[2].Dir = root+`\web`, root+`\web`
	x := newExtractor(t, nil)
	x.Feed(number(all))
	runs := x.Take()[root].Runs
	if len(runs) != 2 || runs[0].Subject != runs[1].Subject {
		t.Errorf("runs = %+v, want one subject", runs)
	}
}

func TestExitCodesOfFiltersAndOfTheLineItself(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, command, output string
		failed                int // failures kept
	}{
		{"a filter that has nothing to show", "go vet ./... 2>&1 | grep -v unsafe && echo ok", "", 0},
		{"a filter that shows something", "go vet ./... 2>&1 | grep -v unsafe && false", "vet: ./a.go:1:2: undefined: x", 1},
		{"a check without words", "go vet ./...", "", 1},
		{"an error of the line's own making", "echo no port && exit 3", "no port", 1},
		{"a lookup that finds nothing", "grep -q port shop.toml || exit 1", "", 0},
	} {
		exit := 1
		d := story(t, events(typed("Make it work again, please"), bash("1", tc.command, tc.output, exit))...)
		n := 0
		for _, r := range d.Runs {
			if r.Failed {
				n++
			}
		}
		if n != tc.failed {
			t.Errorf("%s: %d failures, want %d: %+v", tc.name, n, tc.failed, d.Runs)
		}
	}
}

func TestCommitsAreToldByTheirHash(t *testing.T) {
	t.Parallel()
	got := values(story(t, events(typed("Commit the cart, please"),
		bash("1", "git commit -m 'Add the cart'", "[main abc1234] Add the cart\n 2 files changed, 7 insertions(+)", 0))...))
	if want := "Add the cart => [main abc1234] / 2 files changed, 7 insertions(+)"; got["tool:bash:add_the_cart"] != want {
		t.Errorf("writes = %v, want %q", got, want)
	}
}

func TestPastedLinesKeepTheirText(t *testing.T) {
	t.Parallel()
	got := values(story(t, typed("The log says\rerror: no cart\r\nwhat is it?")))
	for key, value := range got {
		if strings.HasPrefix(key, "prompt:") && value != "The log says\nerror: no cart\nwhat is it?" {
			t.Errorf("%s = %q", key, value)
		}
	}
}

func TestCommandsByHandWaitForNoAnswer(t *testing.T) {
	t.Parallel()
	for text, closed := range map[string]bool{"! npm test --watch all": true, "/fix the login of the shop": false} {
		d := story(t, event.Event{Kind: event.UserMessage, User: event.Command, Text: text})
		if len(d.Turns) != 1 || d.Turns[0].Closed != closed {
			t.Errorf("%s: turns = %+v, want closed %t", text, d.Turns, closed)
		}
	}
}

func TestOwnSummaryKeepsTheNewestPrompts(t *testing.T) {
	t.Parallel()
	var all []event.Event
	for _, what := range []string{"first", "second", "third", "fourth", "fifth"} {
		all = append(all, typed("Please move the "+what+" table of the shop to the other database, "+strings.Repeat("with everything that is in it, ", 4)+"today"))
	}
	d := story(t, append(all, event.Event{Kind: event.Compacted})...)
	cp := d.Compactions[0].Checkpoint
	if strings.Contains(cp, "the first table") || !strings.Contains(cp, "the fifth table") {
		t.Errorf("checkpoint = %q, want the newest prompts", cp)
	}
}
