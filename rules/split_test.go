package rules_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/store/merge"
)

func dump(t interface{ Fatal(...any) }, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSplittingNeverShows feeds the same events at once and in pieces, with the
// state saved and read back between them, and compares what a reader sees.
func TestSplittingNeverShows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := number(rapid.SliceOfN(rapid.Custom(anyEvent), 1, 40).Draw(rt, "events"))
		whole := view(rt, t, all, nil)
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(all)), 0, 6).Draw(rt, "cuts")
		if parts := view(rt, t, all, cuts); parts != whole {
			rt.Fatalf("split at %v:\n%s\nat once:\n%s", cuts, parts, whole)
		}
	})
}

func view(rt *rapid.T, t *testing.T, all []event.Event, cuts []int) string {
	isCut := map[int]bool{}
	for _, c := range cuts {
		isCut[c] = true
	}
	c := &merge.Contribution{Source: "claude-code\x00/s1.jsonl", Agent: "claude-code", Path: "/s1.jsonl", Dir: project}
	caps := merge.Caps{ToolResult: 20, Thinking: 20, LowSignal: 50}
	var state []byte
	for start := 0; start < len(all); {
		end := start + 1
		for end < len(all) && !isCut[end] {
			end++
		}
		x := newExtractor(t, state)
		x.Feed(all[start:end])
		for _, d := range x.Take() {
			merge.Accumulate(c, d, caps, nil)
		}
		var err error
		if state, err = x.State(); err != nil {
			rt.Fatal(err)
		}
		start = end
	}
	return dump(rt, merge.Build(merge.Input{Project: project, Contributions: []*merge.Contribution{c}, Caps: caps}))
}

func anyEvent(rt *rapid.T) event.Event {
	text := rapid.SampledFrom([]string{
		"Fix the login page now", "push", "yes", "Added a retry to src/up.go.", "Shall I also fix the docs?",
		"[MEMORY: port] 4410", "always use tabs in Makefiles here", "Removed the old cache layer. Tests are still pending.",
		"error: cannot find module x", "ok  shop 0.2s", "",
	})
	calls := []string{"1", "2", "3"}
	ev := event.Event{Text: text.Draw(rt, "text")}
	switch rapid.IntRange(0, 9).Draw(rt, "kind") {
	case 0, 1:
		ev.Kind, ev.User = event.UserMessage, event.Typed
	case 2, 3:
		ev.Kind, ev.Final = event.AssistantMessage, rapid.SampledFrom([]event.Tristate{event.Unknown, event.Yes, event.No}).Draw(rt, "final")
	case 4, 5, 6:
		ev = anyCall(rt, rapid.SampledFrom(calls).Draw(rt, "call"), ev.Text)
	case 7:
		ev.Kind = event.TasksChanged
		ev.Tasks = []event.Task{{Text: "Write docs", Status: rapid.SampledFrom([]string{"pending", "in_progress", "completed"}).Draw(rt, "status")}}
	case 8:
		ev.Kind = rapid.SampledFrom([]event.Kind{event.TurnClosed, event.Interrupted, event.Compacted, event.Thinking, event.SessionStarted}).Draw(rt, "mark")
		ev.Model = "model-x"
	case 9:
		ev.Kind, ev.Question, ev.Answer = event.Answered, "Which database?", ev.Text
	}
	return ev
}

func anyCall(rt *rapid.T, id, text string) event.Event {
	ev := event.Event{Kind: event.ToolCalled, Call: id, Tool: "Bash", Action: event.Exec,
		Subject: rapid.SampledFrom([]string{"go test ./...", "go test ./up", "ls -la", "git commit -m 'Fix login'", "make"}).Draw(rt, "command")}
	if rapid.Bool().Draw(rt, "write") {
		ev.Tool, ev.Action, ev.Subject = "Edit", event.Write, "src/up.go"
		ev.Paths = []event.Path{{Name: "src/up.go", Op: "edit"}}
	}
	if rapid.Bool().Draw(rt, "answer") {
		code := rapid.IntRange(0, 1).Draw(rt, "exit")
		ev.Kind, ev.Text, ev.Result = event.ToolReturned, text, event.Result{Failed: code != 0, Exit: &code}
	}
	return ev
}
