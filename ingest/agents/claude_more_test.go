package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

func TestClaudeBackground(t *testing.T) {
	t.Parallel()
	start := []string{
		toolUse(1, "t", "Bash", `{"command":"go test ./...","run_in_background":true}`),
		toolResult(2, "t", "Command running in background with ID: b1", false, `,"toolUseResult":{"stdout":"","backgroundTaskId":"b1"}`),
	}
	note := func(status, rest string) string {
		return "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t</tool-use-id>\n<status>" + status + "</status>\n" + rest + "\n</task-notification>"
	}
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"runs on", nil, nil},
		{"notice", []string{rec(3, "user", fmt.Sprintf(`"origin":{"kind":"task-notification"},"message":{"role":"user","content":%q}`, note("failed", "<summary>failed with exit code 3</summary>")))}, []string{"returns Bash failed exit=3: failed with exit code 3"}},
		{"notice twice", []string{user(3, note("completed", "<summary>done (exit code 0)</summary>")), rec(4, "attachment", fmt.Sprintf(`"attachment":{"type":"queued_command","commandMode":"task-notification","prompt":%q}`, note("completed", "")))}, []string{"returns Bash exit=0: done (exit code 0)"}},
		{"output fetched", []string{
			toolUse(3, "o", "BashOutput", `{"bash_id":"b1"}`), toolResult(4, "o", "…", false, `,"toolUseResult":{"shellId":"b1","status":"running","stdout":"1"}`),
			toolUse(5, "p", "TaskOutput", `{"task_id":"b1"}`), toolResult(6, "p", "…", false, `,"toolUseResult":{"retrieval_status":"success","task":{"task_id":"b1","status":"completed","output":"PASS","exitCode":0}}`),
		}, []string{"calls BashOutput: ", "returns BashOutput: …", "calls TaskOutput: ", "returns TaskOutput: …", "returns Bash exit=0: PASS"}},
		{"killed", []string{user(3, note("killed", ""))}, []string{"returns Bash failed cancelled: "}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lines := strings.Join(append(start[:2:2], tc.lines...), "\n") + "\n"
			got := short(decodeAll(t, "/r/p/s1.jsonl", []byte(lines)))
			if diff := cmp.Diff(append([]string{"calls Bash: go test ./..."}, tc.want...), got); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
		})
	}
}

func TestClaudeSubagents(t *testing.T) {
	t.Parallel()
	side := func(s string) string {
		return strings.Replace(strings.Replace(s, `"isSidechain":false`, `"isSidechain":true`, 1), `"type"`, `"agentId":"a1","type"`, 1)
	}
	for _, tc := range []struct {
		name, path    string
		lines         []string
		want          []string
		session, from string
	}{
		{"inline", "/r/p/s1.jsonl", []string{strings.Replace(user(1, "audit"), `"isSidechain":false`, `"isSidechain":true`, 1)}, []string{"sub task: audit"}, "s1/sidechain", "s1"},
		{"beside", "/r/p/agent-a1.jsonl", []string{side(user(1, "audit")), side(reply(2, "fine"))}, []string{"sub task: audit", "sub says: fine"}, "agent-a1", "s1"},
		{"below", "/r/p/s1/subagents/agent-a1.jsonl", []string{user(1, "audit")}, []string{"sub task: audit"}, "agent-a1", "s1"},
		{"team-mate", "/r/p/s2.jsonl", []string{strings.Replace(user(1, "<teammate-message teammate_id=\"lead\">\ndo it\n</teammate-message>"), `"type"`, `"teamName":"t","agentName":"worker","type"`, 1)}, []string{"sub task: do it"}, "s1", ""},
		{"team leader", "/r/p/s1.jsonl", []string{strings.Replace(user(1, "merge with review"), `"type"`, `"teamName":"t","agentName":"team-lead","type"`, 1), user(2, "<teammate-message teammate_id=\"w\">\nresult\n</teammate-message>")}, []string{"typed: merge with review"}, "s1", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			events := decodeAll(t, tc.path, []byte(strings.Join(tc.lines, "\n")+"\n"))
			if diff := cmp.Diff(tc.want, short(events)); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
			if len(events) == 0 || events[0].Kind != event.SessionStarted || events[0].Session != tc.session || events[0].Parent != tc.from {
				t.Errorf("first event = %+v, want session %q of %q", events, tc.session, tc.from)
			}
		})
	}
}

// TestClaudeDirectoryComesLate: what stands before the first directory is held
// until it is known, over restarts too.
func TestClaudeDirectoryComesLate(t *testing.T) {
	t.Parallel()
	bare := strings.Replace(user(1, "before"), `"cwd":"/home/ana/shop",`, "", 1)
	d, err := claudeOpen(File{Path: "/r/p/s1.jsonl"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	events, err := d.Decode(nil, []byte(bare), 0, 100)
	if err != nil || len(events) != 0 {
		t.Fatalf("before a directory is known: %v, %v", events, err)
	}
	state, err := d.State()
	if err != nil {
		t.Fatal(err)
	}
	if d, err = claudeOpen(File{Path: "/r/p/s1.jsonl"}, state); err != nil {
		t.Fatal(err)
	}
	events, err = d.Decode(nil, []byte(user(2, "after")), 100, 200)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"typed: before", "typed: after"}, short(events)); diff != "" {
		t.Fatalf("events (-want +got)\n%s", diff)
	}
	for _, e := range events {
		if e.Cwd != "/home/ana/shop" {
			t.Errorf("event %d: Cwd = %q", e.Kind, e.Cwd)
		}
	}
	if events[1].Offset != 0 || events[1].End != 100 {
		t.Errorf("the held event stands at %d..%d, want 0..100", events[1].Offset, events[1].End)
	}
}

func TestClaudeCopiesAgree(t *testing.T) {
	t.Parallel()
	lines := []string{
		user(1, "one"), toolUse(2, "t", "AskUserQuestion", `{"questions":[{"question":"q"}]}`), toolResult(3, "t", "x", false, `,"toolUseResult":{"answers":{"q":"a"}}`),
		rec(4, "assistant", `"message":{"id":"m","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`),
	}
	origin := strings.Join(lines, "\n") + "\n"
	fork := strings.ReplaceAll(origin, `"sessionId":"s1"`, `"sessionId":"s2"`)
	a, b := decodeAll(t, "/r/p/s1.jsonl", []byte(origin)), decodeAll(t, "/r/p/s2.jsonl", []byte(fork))
	seen := make(map[string]bool)
	for i := range a {
		if a[i].Kind != event.SessionStarted && a[i].Record != b[i].Record {
			t.Errorf("record ids differ: %q, %q", a[i].Record, b[i].Record)
		}
		if seen[a[i].Record] {
			t.Errorf("record id %q used twice", a[i].Record)
		}
		seen[a[i].Record] = true
	}
}

func TestClaudePlaces(t *testing.T) {
	t.Parallel()
	env := Env{Home: "/home/ana", OS: "linux", Getenv: func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": "/data/claude"}[name]
	}}
	want := []string{"/data/claude/projects", "/home/ana/.claude/projects", "/home/ana/.config/claude/projects"}
	if diff := cmp.Diff(want, claudeRoots(env)); diff != "" {
		t.Errorf("roots (-want +got)\n%s", diff)
	}
	for rel, want := range map[string]bool{
		"-home-ana-shop/s1.jsonl": true, "p/agent-1.jsonl": true, "p/s1/subagents/agent-1.jsonl": true, "p/s1/subagents/workflows/wf_1/agent-1.jsonl": true,
		"p/s1/subagents/workflows/wf_1/journal.jsonl": false, "p/sessions-index.json": false, "p/memory/notes.md": false, "p/s1/tool-results/x.txt": false,
	} {
		if got := claudeMatch("/r", rel); got != want {
			t.Errorf("Match(%q) = %v, want %v", rel, got, want)
		}
	}
}

func TestClaudePrograms(t *testing.T) {
	t.Parallel()
	sdk := func(s string) string { return strings.Replace(s, `"type"`, `"entrypoint":"sdk-cli","type"`, 1) }
	for _, tc := range []struct {
		name, first string
		want        int
	}{
		{"an index of conversations", sdk(user(1, "Summarize this conversation in one paragraph for an index.")), 0},
		{"an extraction", sdk(user(1, "Extract facts.\n\nTranscript follows:\nUser: hi")), 0},
		{"a script with a task", sdk(user(1, "Fix the flaky test in internal/pay and summarize what you did.")), 2},
		{"a person", user(1, "Summarize this conversation for an index."), 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lines := tc.first + "\n" + reply(2, "A summary.") + "\n"
			if got := short(decodeAll(t, "/r/p/s1.jsonl", []byte(lines))); len(got) != tc.want {
				t.Errorf("events %q, want %d", got, tc.want)
			}
		})
	}
}
