package agents

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// cxExpect is what a fault case says must come out.
type cxExpect struct {
	Env         map[string]string `json:"env"`
	Sessions    []cxSession       `json:"sessions"`
	Times       []time.Time       `json:"all_times_between"`
	Never       []string          `json:"must_not_contain"`
	NeverInUser []string          `json:"user_statements_must_not_contain"`
}

type cxSession struct {
	Agent     string   `json:"agent"`
	Session   string   `json:"session"`
	Project   string   `json:"project"`
	Prompts   []string `json:"user_prompts"`
	Texts     []string `json:"assistant_texts"`
	ToolCalls []struct {
		Name string `json:"name"`
		OK   bool   `json:"ok"`
	} `json:"tool_calls"`
	ForkedFrom string `json:"forked_from"`
}

// check compares what a case expects of a session with its events.
func (s cxSession) check(t *testing.T, events []event.Event) {
	t.Helper()
	var prompts, texts, calls, wantCalls []string
	parent, cwd := "", ""
	for _, e := range events {
		if e.Session != s.Session {
			continue
		}
		switch e.Kind {
		case event.SessionStarted:
			parent, cwd = max(parent, e.Parent), max(cwd, e.Cwd)
		case event.UserMessage:
			prompts = append(prompts, e.Text)
		case event.AssistantMessage:
			texts = append(texts, e.Text)
		case event.ToolReturned:
			calls = append(calls, e.Tool+map[bool]string{true: " failed"}[e.Result.Failed])
		}
	}
	for _, c := range s.ToolCalls {
		wantCalls = append(wantCalls, c.Name+map[bool]string{false: " failed"}[c.OK])
	}
	if diff := cmp.Diff(s.Prompts, prompts); diff != "" {
		t.Errorf("prompts (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(s.Texts, texts); s.Texts != nil && diff != "" {
		t.Errorf("texts (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(wantCalls, calls); s.ToolCalls != nil && diff != "" {
		t.Errorf("calls (-want +got)\n%s", diff)
	}
	if cwd != s.Project || parent != s.ForkedFrom {
		t.Errorf("directory %q, parent %q; want %q, %q", cwd, parent, s.Project, s.ForkedFrom)
	}
}

// cxTree decodes every rollout below the roots. Of copies of a record the one
// with the least time counts.
func cxTree(t *testing.T, roots []string) []event.Event {
	t.Helper()
	var all []event.Event
	seen := map[string]int{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !codexMatch(root, strings.TrimPrefix(path, root)) {
				return nil // a root need not exist
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			events, _ := codexRun(t, path, content)
			for _, e := range events {
				if i, again := seen[e.Record]; again {
					if e.Time < all[i].Time {
						all[i] = e
					}
					continue
				}
				seen[e.Record] = len(all)
				all = append(all, e)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestCodexCases runs the fault cases that concern Codex, at the level of events.
func TestCodexCases(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"015", "017", "019", "021", "031", "067", "085"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := codexShared(t, "cases", name)
			raw, err := os.ReadFile(filepath.Join(dir, "expect.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want cxExpect
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			env := Env{Home: filepath.Join(dir, "home"), OS: "linux", Getenv: func(name string) string {
				return strings.ReplaceAll(want.Env[name], "@CASE@", dir)
			}}
			events := cxTree(t, codexRoots(env))
			sessions := 0
			for _, s := range want.Sessions {
				if s.Agent == codexName {
					sessions++
					s.check(t, events)
				}
			}
			if sessions == 0 && len(events) != 0 {
				t.Errorf("%d events, want none", len(events))
			}
			for _, e := range events {
				if len(want.Times) == 2 && (e.Time < want.Times[0].UnixMilli() || e.Time >= want.Times[1].UnixMilli()) {
					t.Errorf("%s at %d", briefEvent(e), e.Time)
				}
				for _, never := range append(want.Never, want.NeverInUser...) {
					if strings.Contains(briefEvent(e)+e.Args, never) {
						t.Errorf("%q in %s", never, briefEvent(e))
					}
				}
			}
		})
	}
}

// TestCodexNewest reads a session that the newest version really wrote.
func TestCodexNewest(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(codexShared(t, "corpus", "newest", "home", ".codex", "sessions"), "*", "*", "*", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	events, bad := codexRun(t, files[0], content)
	id := "01a22fbd-e7d6-7d12-b775-277e5b841b1c"
	want := "start " + id + " /home/dev/projc\nstart " + id + " /home/dev/projc mock-1\nuser1 Check the port please\n" +
		"call exec_command/1 echo hello && exit 3\nreturn exec_command/1 echo hello && exit 3 exit3 failed = hello\n\n" +
		"agent [MEMORY: port] 4410\nAdded the hello check.\nclosed"
	if diff := cmp.Diff(want, brief(events)); diff != "" || bad != 0 {
		t.Errorf("%d bad; events (-want +got)\n%s", bad, diff)
	}
}
