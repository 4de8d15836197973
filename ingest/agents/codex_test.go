package agents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// cxContext is the context of a turn.
func cxContext(second int, id string) string {
	return cxRecord(second, "turn_context", `{"turn_id":"`+id+`","cwd":"/home/ana/shop","model":"m-1"}`)
}

// codexBegin is the event of the header, in short.
const codexBegin = "start " + codexThreadID + " /home/ana/shop"

// codexMessageTests give, for each shape of talk, the records and the events.
var codexMessageTests = []struct {
	name    string
	records []string
	want    string
}{
	{
		"twins, item first",
		[]string{cxMeta(""), userItem(1, "Fix it"), userEvent(1, "Fix it"), agentEvent(2, "Done."), agentItem(2, "Done.")},
		codexBegin + "\nuser1 Fix it\nagent Done.",
	},
	{
		"twins, event first",
		[]string{cxMeta(""), userEvent(1, "Fix it"), userItem(1, "Fix it"), agentItem(2, "Done."), agentEvent(2, "Done.")},
		codexBegin + "\nuser1 Fix it\nagent Done.",
	},
	{
		"only items",
		[]string{cxMeta(""), userItem(1, "Fix it"), agentItem(2, "Done."), userItem(3, "Again"), agentItem(4, "Done.")},
		codexBegin + "\nuser1 Fix it\nagent Done.\nuser1 Again\nagent Done.",
	},
	{
		"only events",
		[]string{cxMeta(""), userEvent(1, "Fix it"), agentEvent(2, "Done."), userEvent(3, "Fix it"), agentEvent(4, "Done.")},
		codexBegin + "\nuser1 Fix it\nagent Done.\nuser1 Fix it\nagent Done.",
	},
	{
		"the same said twice in a turn",
		[]string{cxMeta(""), userItem(1, "go"), userEvent(1, "go"), agentEvent(2, "Waiting."), agentItem(2, "Waiting."), agentEvent(3, "Waiting."), agentItem(3, "Waiting.")},
		codexBegin + "\nuser1 go\nagent Waiting.\nagent Waiting.",
	},
	{
		"two prompts before their twins",
		[]string{cxMeta(""), userItem(1, "one"), userItem(1, "two"), userEvent(1, "one"), userEvent(1, "two")},
		codexBegin + "\nuser1 one\nuser1 two",
	},
	{
		"injected texts",
		[]string{
			cxMeta(""), userItem(1, "# AGENTS.md instructions for /home/ana/shop\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"),
			userItem(1, "<environment_context>\n<cwd>/tmp</cwd>\n</environment_context>"), userItem(1, "<some_new_thing a=\"b\">\nx\n</some_new_thing>"),
			userItem(1, "<skill>\n<name>x</name>\n</skill>"), userItem(2, "Another language model started to solve this problem and produced a summary"),
			cxItem(2, `{"type":"message","role":"developer","content":[{"type":"input_text","text":"Be brief."}]}`), userItem(3, "<b>bold</b> is not shown"),
		},
		codexBegin + "\nuser1 <b>bold</b> is not shown",
	},
	{
		"an accepted plan",
		[]string{cxMeta(""), userEvent(1, "PLEASE IMPLEMENT THIS PLAN:\n# Bread\n\nBake it.")},
		codexBegin + "\nuser3 # Bread\n\nBake it.",
	},
	{
		"what desktop and editor put around the words",
		[]string{
			cxMeta(""), userItem(1, "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request for Codex:\nMake it blue\n"),
			userEvent(1, "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request for Codex:\nMake it blue\n"),
			cxItem(2, `{"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"},{"type":"input_text","text":"</image>"},{"type":"input_text","text":"[Image #1] Like this"}]}`),
			userEvent(2, "[Image #1] Like this"),
		},
		codexBegin + "\nuser1 Make it blue\nuser1 [Image #1] Like this",
	},
	{
		"phases, a proposed plan and its twins",
		[]string{
			cxMeta(""), cxContext(1, "t1"), userEvent(1, "Plan it"),
			cxEvent(2, `{"type":"agent_message","message":"Looking.","phase":"commentary"}`),
			cxEvent(3, `{"type":"item_completed","turn_id":"t1","item":{"type":"Plan","id":"p","text":"# Plan\n\nDo it."}}`),
			cxItem(3, `{"type":"message","role":"assistant","phase":"final_answer","content":[{"type":"output_text","text":"<proposed_plan>\n# Plan\n\nDo it.\n</proposed_plan>"}]}`),
			cxEvent(4, `{"type":"task_complete","turn_id":"t1","last_agent_message":null}`),
		},
		codexBegin + "\nstart " + codexThreadID + " /home/ana/shop m-1\nuser1 Plan it\nagent… Looking.\nagent! # Plan\n\nDo it.\nclosed",
	},
	{
		"last words that only the end of the task holds",
		[]string{cxMeta(""), userEvent(1, "x y"), cxEvent(2, `{"type":"task_complete","turn_id":"t1","last_agent_message":"All done."}`)},
		codexBegin + "\nuser1 x y\nagent! All done.\nclosed",
	},
	{
		"reasoning, once",
		[]string{
			cxMeta(""), cxEvent(1, `{"type":"agent_reasoning","text":"**Look**"}`), cxEvent(1, `{"type":"agent_reasoning","text":"**Then**"}`),
			cxItem(1, `{"type":"reasoning","summary":[{"type":"summary_text","text":"**Look**"},{"type":"summary_text","text":"**Then**"}],"encrypted_content":"zz"}`),
			cxItem(2, `{"type":"reasoning","summary":[],"content":null,"encrypted_content":"zz"}`),
			cxItem(3, `{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"raw"}]}`),
		},
		codexBegin + "\nthink **Look**\nthink **Then**\nthink raw",
	},
	{
		"compaction with and without a summary",
		[]string{
			cxMeta(""), cxContext(1, "t1"),
			cxRecord(1, "compacted", `{"message":"Another language model started to solve this problem and produced a summary of its thinking process.\nGoal: sell bread"}`), cxEvent(1, `{"type":"context_compacted"}`),
			cxRecord(2, "compacted", `{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"old"}]}]}`), cxEvent(2, `{"type":"context_compacted"}`),
		},
		codexBegin + "\nstart " + codexThreadID + " /home/ana/shop m-1\ncompacted Goal: sell bread\ncompacted ",
	},
	{
		"compaction whose summary is an item too",
		[]string{
			cxMeta(""), cxContext(1, "t1"),
			cxAbout(cxItem(1, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Baking."}]}`), `{"history_sequence":9,"client_authored":false}`),
			cxAbout(cxItem(2, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Goal: sell bread"}]}`), `{"history_sequence":12,"compaction_output":true}`),
			cxRecord(2, "compacted", `{"message":"Another language model started to solve this problem and produced a summary of its thinking process.\nGoal: sell bread"}`),
		},
		codexBegin + "\nstart " + codexThreadID + " /home/ana/shop m-1\nagent Baking.\ncompacted Goal: sell bread",
	},
	{
		"abort, told twice, and a limit",
		[]string{
			cxMeta(""), cxContext(1, "t1"), userEvent(1, "Do a thing"), userItem(2, "<turn_aborted>\nThe user interrupted.\n</turn_aborted>"),
			cxEvent(2, `{"type":"turn_aborted","turn_id":"t1","reason":"interrupted"}`),
			userEvent(2, "Do a thing"), // written again by Codex
			cxContext(40, "t2"), userEvent(41, "Do a thing"), cxEvent(42, `{"type":"error","message":"You've hit your usage limit."}`),
			cxEvent(42, `{"type":"task_complete","turn_id":"t2","last_agent_message":null}`),
		},
		codexBegin + "\nstart " + codexThreadID + " /home/ana/shop m-1\nuser1 Do a thing\ninterrupted \nuser1 Do a thing\ninterrupted You've hit your usage limit.",
	},
	{
		"rollback, name and goal",
		[]string{
			cxMeta(""), userEvent(1, "x y"), cxEvent(2, `{"type":"thread_rolled_back","num_turns":1}`), cxEvent(3, `{"type":"thread_name_updated","thread_name":"Bread"}`),
			cxEvent(4, `{"type":"thread_goal_updated","goal":{"objective":"Sell bread","status":"active"}}`), cxEvent(5, `{"type":"thread_goal_updated","goal":{"objective":"Sell bread","status":"complete"}}`),
		},
		codexBegin + "\nuser1 x y\nrolled back 1\nstart " + codexThreadID + " /home/ana/shop Bread\nuser2 /goal Sell bread",
	},
	{
		"a command of the user's",
		[]string{
			cxMeta(""), cxEvent(1, `{"type":"exec_command_end","call_id":"c","command":["/bin/bash","-lc","ls"],"source":"user_shell","aggregated_output":"a","exit_code":0}`),
			userItem(1, "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\nOutput:\na\n</result>\n</user_shell_command>"),
		},
		codexBegin + "\nuser2 ! ls\nclosed",
	},
	{
		"directory and model of the turn, drives",
		[]string{
			strings.Replace(cxMeta(""), "/home/ana/shop", `c:\\Users\\ana\\shop`, 1),
			cxRecord(1, "turn_context", `{"turn_id":"t1","cwd":"C:\\Users\\ana\\shop","model":"m-1"}`), cxRecord(2, "turn_context", `{"turn_id":"t2","cwd":"c:\\Users\\ana\\shop","model":"m-1"}`),
			cxRecord(3, "turn_context", `{"turn_id":"t3","cwd":"file:///C:/Users/ana/blog","model":"m-2"}`),
		},
		`start ` + codexThreadID + ` C:\Users\ana\shop` + "\nstart " + codexThreadID + ` C:\Users\ana\shop m-1` + "\nstart " + codexThreadID + " C:/Users/ana/blog m-2",
	},
	{
		"the header repeated, bookkeeping, unknown records",
		[]string{cxMeta(""), cxMeta(""), cxEvent(1, `{"type":"token_count","info":null}`), cxRecord(1, "world_state", `{"full":true}`), cxRecord(1, "newer", `{"a":1}`), cxEvent(1, `{"type":"newer"}`), cxItem(1, `{"type":"newer"}`)},
		codexBegin,
	},
}

func TestCodexMessages(t *testing.T) {
	t.Parallel()
	for _, tt := range codexMessageTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, brief(codexLines(t, tt.records...))); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
		})
	}
}

// TestCodexBare reads a file of 2025: no envelope, no times.
func TestCodexBare(t *testing.T) {
	t.Parallel()
	events := codexLines(t,
		`{"id":"11111111-2222-4333-8444-555555555555","timestamp":"2025-06-01T08:00:00.000Z","instructions":"Be brief.","git":{"branch":"dev"}}`,
		`{"record_type":"state"}`,
		`{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"<environment_context>\nCurrent working directory: /home/ana/shop\nApproval policy: never\n</environment_context>"}]}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"List it"}]}`,
		`{"type":"function_call","name":"container.exec","arguments":"{\"command\":[\"ls\",\"my dir\"]}","call_id":"c1"}`,
		`{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"x\\n\",\"metadata\":{\"exit_code\":2,\"duration_seconds\":0.1}}"}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"There is x."}]}`,
	)
	id := "11111111-2222-4333-8444-555555555555"
	want := "start " + id + "\nstart " + id + " /home/ana/shop\nuser1 List it\n" +
		"call container.exec/1 ls 'my dir'\nreturn container.exec/1 ls 'my dir' exit2 failed = x\n\nagent There is x."
	if diff := cmp.Diff(want, brief(events)); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
	for _, e := range events {
		if e.Time != 1748764800000 {
			t.Errorf("%s at %d, want the header's time", briefEvent(e), e.Time)
		}
	}
	if events[0].Branch != "dev" || events[0].Agent != "codex" {
		t.Errorf("header: %+v", events[0])
	}
}

// TestCodexNameless takes thread and time from the name where the header is lost.
func TestCodexNameless(t *testing.T) {
	t.Parallel()
	events := codexLines(t, `{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello there"}]}`)
	if len(events) != 1 || events[0].Session != codexThreadID || events[0].Time != 1778594590000 {
		t.Errorf("got %+v", events)
	}
}

// TestCodexRefuses says what is no record of a rollout.
func TestCodexRefuses(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"type":"thread.started","thread_id":"t"}`,
		`{"type":"item.completed","item":{"type":"agent_message","text":"x"}}`,
		`{"messages":[{"role":"user","content":"x"}]}`,
		`[1]`, `"x"`, `{"payload":{"a":1}}`, `{"type":`, `{"timestamp":"2026-05-12T14:03:00Z","type":"event_msg","payload":{"type":"user_message","message":"x"`,
	} {
		events, bad := codexRun(t, codexFile, []byte(line+"\n"))
		if bad != 1 || len(events) != 0 {
			t.Errorf("%s: %d events, %d bad", line, len(events), bad)
		}
	}
}

// TestCodexGlued keeps the second record of a line that quiet bookkeeping begins.
func TestCodexGlued(t *testing.T) {
	t.Parallel()
	torn := `{"timestamp":"2026-05-12T14:03:01.000Z","type":"event_msg","payload":{"type":"token_count","info":{"tot`
	whole := cxEvent(1, `{"type":"token_count","info":null}`)
	for _, first := range []string{torn, whole} {
		events, _ := codexRun(t, codexFile, []byte(cxMeta("")+"\n"+first+userEvent(2, "Keep me please")+"\n"))
		if got := brief(cxWithout(events, event.SessionStarted)); got != "user1 Keep me please" {
			t.Errorf("after %q: %s", first[len(first)-10:], got)
		}
	}
}

func TestCodexMatch(t *testing.T) {
	t.Parallel()
	for rel, want := range map[string]bool{
		"2026/05/12/rollout-2026-05-12T14-03-10-" + codexThreadID + ".jsonl":     true,
		"2026/05/12/rollout-2026-05-12T14-03-10-" + codexThreadID + ".jsonl.zst": true,
		"rollout-2026-05-12T14-03-10-" + codexThreadID + ".jsonl":                true,
		"2026/05/12/rollout-2026-05-12T14-03-10-" + codexThreadID + ".tmp":       false,
		"2026/05/12/data.jsonl": false,
		"history.jsonl":         false,
		"session_index.jsonl":   false,
	} {
		if got := codexMatch("/home/ana/.codex/sessions", rel); got != want {
			t.Errorf("codexMatch(%s) = %v, want %v", rel, got, want)
		}
	}
}

func TestCodexRoots(t *testing.T) {
	t.Parallel()
	env := func(home string) Env {
		return Env{Home: "/home/ana", OS: "linux", Getenv: func(name string) string {
			return map[string]string{"CODEX_HOME": home}[name]
		}}
	}
	defaults := []string{"/home/ana/.codex/sessions", "/home/ana/.codex/archived_sessions"}
	for home, want := range map[string][]string{
		"":                  defaults,
		"/home/ana/.codex/": defaults,
		"/srv/codex":        append([]string{"/srv/codex/sessions", "/srv/codex/archived_sessions"}, defaults...),
	} {
		if diff := cmp.Diff(want, codexRoots(env(home))); diff != "" {
			t.Errorf("CODEX_HOME=%q (-want +got)\n%s", home, diff)
		}
	}
}
