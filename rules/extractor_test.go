package rules_test

import (
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules"
	"github.com/kmemd/kmemd/rules/redact"
	"github.com/kmemd/kmemd/store/fact"
)

const project = "/home/ana/shop"

// story feeds events to an extractor and gives what came of it.
func story(t *testing.T, events ...event.Event) *fact.Delta {
	t.Helper()
	x := newExtractor(t, nil)
	x.Feed(number(events))
	return x.Take()[project]
}

func newExtractor(t *testing.T, state []byte) *rules.Extractor {
	t.Helper()
	set, err := rules.Builtin(rules.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	red, err := redact.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := rules.NewExtractor(rules.Options{Rules: set, Redact: red, Belongs: firstBase},
		rules.Source{Agent: "claude-code", Path: "/home/ana/.claude/projects/x/s1.jsonl", FirstSeen: 1}, state)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func firstBase(bases []string, cwd string) string {
	for _, b := range bases {
		if cwd == b || strings.HasPrefix(cwd, b+"/") {
			return b
		}
	}
	return cwd
}

// number gives the events records, times and places of their own, in the order
// they stand in, and a session.
func number(events []event.Event) []event.Event {
	for i := range events {
		ev := &events[i]
		if ev.Record == "" {
			ev.Record = "r" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		}
		if ev.Time == 0 {
			ev.Time = 1_760_000_000_000 + int64(i)*1000
		}
		ev.Offset, ev.End = int64(i)*100, int64(i)*100+100
		if ev.Session == "" {
			ev.Session = "s1"
		}
		if ev.Cwd == "" {
			ev.Cwd = project
		}
	}
	return events
}

func typed(text string) event.Event {
	return event.Event{Kind: event.UserMessage, User: event.Typed, Text: text}
}

func said(text string) event.Event { return event.Event{Kind: event.AssistantMessage, Text: text} }

func final(text string) event.Event {
	return event.Event{Kind: event.AssistantMessage, Text: text, Final: event.Yes}
}

// bash is a shell command and its answer.
func bash(id, command, output string, exit int) []event.Event {
	call := event.Event{Kind: event.ToolCalled, Call: id, Tool: "Bash", Action: event.Exec, Subject: command}
	back := call
	back.Kind, back.Text = event.ToolReturned, output
	back.Result = event.Result{Failed: exit != 0, Exit: &exit}
	return []event.Event{call, back}
}

func wrote(id, path string) []event.Event {
	call := event.Event{Kind: event.ToolCalled, Call: id, Tool: "Edit", Action: event.Write, Subject: path, Paths: []event.Path{{Name: path, Op: "edit"}}}
	back := call
	back.Kind, back.Text = event.ToolReturned, "The file has been updated successfully."
	return []event.Event{call, back}
}

func events(parts ...any) []event.Event {
	var out []event.Event
	for _, p := range parts {
		switch p := p.(type) {
		case event.Event:
			out = append(out, p)
		case []event.Event:
			out = append(out, p...)
		}
	}
	return out
}

// values gives the values of the writes, by key; the last counts.
func values(d *fact.Delta) map[string]string {
	out := map[string]string{}
	if d != nil {
		for _, w := range d.Writes {
			out[w.Key] = w.Value
		}
	}
	return out
}

func TestPromptMakesAnEntry(t *testing.T) {
	t.Parallel()
	got := values(story(t, typed("Hello, add a retry to the upload job")))
	if want := "Hello, add a retry to the upload job"; got["prompt:add_a_retry_to_the_upload_job"] != want {
		t.Errorf("writes = %v, want a prompt with %q", got, want)
	}
}

func TestShortPromptOpensATurnOnly(t *testing.T) {
	t.Parallel()
	d := story(t, typed("Add a retry to uploads"), final("Added a retry with backoff."), typed("push"), final("Pushed to origin/main; CI is green."))
	if got := values(d)["prompt:push"]; got != "" {
		t.Errorf("prompt:push = %q, want none", got)
	}
	if len(d.Turns) != 2 {
		t.Fatalf("turns = %d, want 2", len(d.Turns))
	}
	if a, b := d.Turns[0].Result.Key, d.Turns[1].Result.Key; a != b || a == "" {
		t.Errorf("result keys %q and %q, want the short turn's outcome to replace that of the prompt before", a, b)
	}
}

func TestGoAheadIsNamedByItsQuestion(t *testing.T) {
	t.Parallel()
	got := values(story(t, typed("Look at the failing upload test"), final("The clock is faked wrongly.\n\nShall I fix the clock in upload_test.go?"), typed("yes")))
	found := false
	for k, v := range got {
		if strings.HasPrefix(k, "prompt:") && v == "yes → Shall I fix the clock in upload_test.go?" {
			found = true
		}
	}
	if !found {
		t.Errorf("writes = %v, want a prompt named by the question", got)
	}
}

func TestTurnStates(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		events []event.Event
		closed bool
		open   string
	}{
		{"not answered", events(typed("Fix the login page now")), false, "not answered yet: Fix the login page now"},
		{"working", events(typed("Fix the login page now"), said("Looking at login.go first."), bash("1", "go test ./...", "ok", 0)), false, "unfinished; last said: Looking at login.go first."},
		{"text last", events(typed("Fix the login page now"), said("Fixed the login page.")), true, ""},
		{"said final", events(typed("Fix the login page now"), final("Fixed the login page.")), true, ""},
		{"more follows", events(typed("Fix the login page now"), event.Event{Kind: event.AssistantMessage, Text: "Reading.", Final: event.No}), false, "unfinished; last said: Reading."},
		{"interrupted", events(typed("Fix the login page now"), said("Reading login.go."), event.Event{Kind: event.Interrupted}), false, "interrupted: Reading login.go."},
		{"closed by the format", events(typed("Fix the login page now"), said("Done."), bash("1", "git push", "ok", 0), event.Event{Kind: event.TurnClosed}), true, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := story(t, tc.events...)
			last := d.Turns[len(d.Turns)-1]
			if last.Closed != tc.closed || last.Open != tc.open {
				t.Errorf("closed %t, open %q; want %t, %q", last.Closed, last.Open, tc.closed, tc.open)
			}
			if (last.Result.Value != "") != tc.closed {
				t.Errorf("outcome %q, want one only of a closed turn", last.Result.Value)
			}
		})
	}
}

func TestToolResults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		events []event.Event
		key    string // of a write, empty: none
		value  string
	}{
		{"lookup leaves nothing", bash("1", "rg -n retry src | head -20", "src/up.go:3: retry", 0), "", ""},
		{"check", bash("1", "cd /home/ana/shop && go test ./... 2>&1 | tail -5", "ok  \tshop/up\t0.31s", 0), "tool:bash:go_test", "go test ./... => ok  \tshop/up\t0.31s"},
		{"write", wrote("1", "/home/ana/shop/src/up.go"), "tool:edit:src_up_go", "src/up.go => edit"},
		{"exit code", bash("1", "./check-port 4410", "port is taken", 3), "tool:bash:check_port_4410", "./check-port 4410 => exit 3: port is taken"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := values(story(t, append([]event.Event{typed("Check the upload of big files")}, tc.events...)...))
			n := 0
			for k, v := range got {
				if strings.HasPrefix(k, "tool:") {
					n++
					if k != tc.key || oneLine(v) != oneLine(tc.value) {
						t.Errorf("%s = %q, want %s = %q", k, v, tc.key, tc.value)
					}
				}
			}
			if (n == 1) != (tc.key != "") {
				t.Errorf("writes = %v, want %q", got, tc.key)
			}
		})
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestFailureAndSuccessMeet(t *testing.T) {
	t.Parallel()
	d := story(t, events(
		typed("Make the upload tests pass"),
		bash("1", "go test ./up", "--- FAIL: TestRetry (0.00s)\n    up_test.go:9: got 2, want 3\nFAIL", 1),
		bash("2", "go test ./...", "ok  shop/up 0.2s", 0),
	)...)
	if len(d.Runs) != 2 {
		t.Fatalf("runs = %+v, want a failure and a success", d.Runs)
	}
	bad, good := d.Runs[0], d.Runs[1]
	if !bad.Failed || bad.Key != "error:bash:go_test" || !strings.Contains(bad.Value, "up_test.go:9: got 2, want 3") {
		t.Errorf("failure = %+v", bad)
	}
	if good.Failed || !good.Whole || good.Group != bad.Group || good.Group == "" {
		t.Errorf("success = %+v, want one that covers the class of %+v", good, bad)
	}
}

func TestTheSameCheckThatPrintsOtherwiseIsTheSame(t *testing.T) {
	t.Parallel()
	d := story(t, events(
		typed("Make the browser tests pass"),
		bash("1", "pytest -m browser -v --tb=short", "FAILED test_a.py::test_b - assert 1 == 2\n1 failed", 1),
		bash("2", "pytest -m browser -v", "20 passed in 39.13s", 0),
	)...)
	if len(d.Runs) != 2 || d.Runs[0].Subject != d.Runs[1].Subject {
		t.Errorf("runs = %+v, want a failure and a success of one subject", d.Runs)
	}
}

func TestCheckThatDoesNotSayHowItEndedIsJudgedByItsOutput(t *testing.T) {
	t.Parallel()
	unsure := bash("1", "go test ./up", "--- FAIL: TestRetry (0.00s)\nFAIL\tshop/up\t0.2s\nFAIL", 0)
	unsure[1].Result = event.Result{Unsure: true}
	d := story(t, events(typed("Make the upload tests pass"), unsure)...)
	if len(d.Runs) != 1 || !d.Runs[0].Failed {
		t.Errorf("runs = %+v, want a failure", d.Runs)
	}
}

func TestNoErrorWhereTheProjectDidNotFail(t *testing.T) {
	t.Parallel()
	rejected := bash("1", "rm -rf build && make", "The user doesn't want to proceed", 1)
	rejected[1].Result.Why = event.Rejected
	refused := wrote("2", "/home/ana/shop/a.go")
	refused[1].Result = event.Result{Failed: true, Why: event.Refused}
	d := story(t, events(typed("Clean the build directory please"), rejected, refused,
		bash("3", "grep -rn nothing .", "", 1))...)
	for _, r := range d.Runs {
		if r.Failed {
			t.Errorf("failure %+v, want none", r)
		}
	}
	for k := range values(d) {
		if strings.HasPrefix(k, "tool:") {
			t.Errorf("%s kept, want nothing of rejected, refused and lookup calls", k)
		}
	}
	if len(d.Calls) != 3 {
		t.Errorf("calls = %d, want all 3 in the ring", len(d.Calls))
	}
}

func TestActionAndFiles(t *testing.T) {
	t.Parallel()
	d := story(t, events(typed("Add retry to the upload job"), wrote("1", "/home/ana/shop/src/up.go"), wrote("2", "/home/ana/shop/src/up_test.go"))...)
	turn := d.Turns[0]
	if want := "edited src/up.go, src/up_test.go"; turn.Action.Value != want {
		t.Errorf("action = %q, want %q", turn.Action.Value, want)
	}
	d = story(t, events(typed("Add retry to the upload job"), wrote("1", "/home/ana/shop/src/up.go"), said("Added retry with jitter for uploads. Updated docs/upload.md."))...)
	turn = d.Turns[0]
	if want := "retry with jitter for uploads"; turn.Action.Value != want {
		t.Errorf("action = %q, want %q", turn.Action.Value, want)
	}
	if want := "src/up.go, docs/upload.md"; turn.Files.Value != want {
		t.Errorf("files = %q, want %q", turn.Files.Value, want)
	}
}

func TestSecretsNeverGetOut(t *testing.T) {
	t.Parallel()
	secret := "gh" + "p_" + strings.Repeat("a1B2", 9)
	d := story(t, events(typed("Use the token "+secret+" for the deploy job"), bash("1", "curl -H 'Authorization: Bearer "+secret+"' https://api.example/deploy", "token "+secret, 1), said("Added "+secret+" to the job."))...)
	if text := dump(t, d); strings.Contains(text, secret) {
		t.Errorf("the secret is in %s", text)
	}
}

func TestSubagentsGiveResultsButNoWords(t *testing.T) {
	t.Parallel()
	sub := func(ev event.Event) event.Event {
		ev.Sub, ev.Session, ev.Parent = true, "agent-1", "s1"
		return ev
	}
	task := sub(event.Event{Kind: event.UserMessage, User: event.Subagent, Text: "Audit all wires. The user always prefers copper."})
	work := wrote("1", "/home/ana/shop/wires.go")
	d := story(t, task, sub(work[0]), sub(work[1]), sub(said("Added a check of all wires.")))
	got := values(d)
	for k := range got {
		if !strings.HasPrefix(k, "tool:") {
			t.Errorf("%s = %q, want only tool results of a sub-agent", k, got[k])
		}
	}
	for _, turn := range d.Turns {
		if !turn.Sub || turn.Action.Value != "" || turn.Result.Value != "" || turn.Open != "" {
			t.Errorf("turn = %+v, want files alone", turn)
		}
	}
}

func TestMarkers(t *testing.T) {
	t.Parallel()
	d := story(t, typed("Remember the port for me please"), final("[MEMORY: port] 4410\n[MEMORY: port] 4411\nDone."))
	var ports []string
	for _, w := range d.Writes {
		if w.Key == "port" {
			ports = append(ports, w.Value)
		}
	}
	if strings.Join(ports, " ") != "4411" {
		t.Errorf("port = %v, want the last of the record", ports)
	}
}

func TestOutcomeHasNoMarkerLines(t *testing.T) {
	t.Parallel()
	d := story(t, typed("Check the port please now"), final("[MEMORY: port] 4410\nAdded the hello check."))
	if got, want := d.Turns[0].Result.Value, "Added the hello check."; got != want {
		t.Errorf("outcome = %q, want %q", got, want)
	}
	d = story(t, typed("Check the port please now"), final("[MEMORY: port] 4410"))
	if got := d.Turns[0].Result.Value; !strings.Contains(got, "4410") {
		t.Errorf("outcome = %q, want the marker where there is nothing else", got)
	}
}

func TestTasks(t *testing.T) {
	t.Parallel()
	list := func(items ...event.Task) event.Event { return event.Event{Kind: event.TasksChanged, Tasks: items} }
	d := story(t, typed("Write the changelog and the docs"),
		list(event.Task{Text: "Write docs", Status: "in_progress"}, event.Task{Text: "Write changelog", Status: "pending"}),
		list(event.Task{Text: "Write docs", Status: "done"}))
	var got []string
	for _, item := range d.Tasks {
		got = append(got, item.Slug+"="+item.Status)
	}
	if want := "write_docs=in_progress write_changelog=pending write_docs=completed"; strings.Join(got, " ") != want {
		t.Errorf("tasks = %v, want %s", got, want)
	}
	if last := d.Lists[len(d.Lists)-1]; strings.Join(last.Slugs, " ") != "write_docs" {
		t.Errorf("list = %v, want write_docs alone", last.Slugs)
	}
}

func TestCompactionWithoutSummaryTellsWhatItKnows(t *testing.T) {
	t.Parallel()
	d := story(t, typed("Move the price table to Postgres"), final("Moved the price table; the migration of 2019 rows is still pending."),
		event.Event{Kind: event.Compacted})
	if len(d.Compactions) != 1 {
		t.Fatalf("compactions = %d, want 1", len(d.Compactions))
	}
	for _, want := range []string{"Move the price table to Postgres", "still pending"} {
		if cp := d.Compactions[0].Checkpoint; !strings.Contains(cp, want) {
			t.Errorf("checkpoint %q lacks %q", cp, want)
		}
	}
}

func TestRollbackWithdrawsTurns(t *testing.T) {
	t.Parallel()
	d := story(t, typed("Use oak for the new wheel"), final("Ordered oak planks."), typed("Paint it in dark blue now"), final("Painted it blue."),
		event.Event{Kind: event.RolledBack, Count: 1})
	if len(d.Turns) != 2 || d.Turns[0].Void || !d.Turns[1].Void {
		t.Errorf("turns = %+v, want the last one void", d.Turns)
	}
}

func TestTimesNeverGoBack(t *testing.T) {
	t.Parallel()
	late, early := typed("This one is stamped late"), typed("This one is stamped early")
	late.Time, early.Time = 2_000_000, 1_000_000
	d := story(t, late, early)
	if a, b := d.Writes[0].Time, d.Writes[len(d.Writes)-1].Time; b < a {
		t.Errorf("times %d then %d, want the running maximum", a, b)
	}
}
