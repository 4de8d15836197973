package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// short writes events shortly: what a test wants to see of them.
func short(events []event.Event) []string {
	var list []string
	for _, e := range events {
		if s := shortEvent(e); s != "" {
			list = append(list, s)
		}
	}
	return list
}

func shortEvent(e event.Event) string {
	sub := ""
	if e.Sub {
		sub = "sub "
	}
	switch e.Kind {
	case event.SessionStarted:
		if e.Title != "" {
			return "title: " + e.Title
		}
		if e.Resumed {
			return "resumed " + e.Version
		}
		return ""
	case event.UserMessage:
		return sub + map[event.UserKind]string{event.Typed: "typed", event.Command: "command", event.Plan: "plan", event.Subagent: "task"}[e.User] + ": " + e.Text
	case event.AssistantMessage:
		return sub + "says" + map[event.Tristate]string{event.Yes: " last", event.No: " first"}[e.Final] + ": " + e.Text
	case event.Thinking:
		return sub + "thinks: " + e.Text
	case event.ToolCalled:
		return sub + "calls " + e.Tool + ": " + e.Subject
	case event.ToolReturned:
		return sub + "returns " + e.Tool + result(e.Result) + ": " + e.Text
	case event.TasksChanged:
		var items []string
		for _, t := range e.Tasks {
			items = append(items, t.Text+"="+t.Status)
		}
		return "tasks: " + strings.Join(items, ", ")
	case event.Compacted:
		return "compacted: " + e.Text
	case event.Asked:
		return "asks: " + e.Question
	case event.Answered:
		return "answer: " + e.Question + " -> " + e.Answer
	case event.TurnClosed:
		return "turn closed"
	case event.Interrupted:
		return "interrupted"
	}
	return "?"
}

func result(r event.Result) string {
	s := ""
	if r.Failed {
		s += " failed"
	}
	if r.Exit != nil {
		s += fmt.Sprintf(" exit=%d", *r.Exit)
	}
	if r.Why != 0 {
		s += " " + map[event.Why]string{event.Rejected: "rejected", event.Cancelled: "cancelled", event.Refused: "refused", event.TimedOut: "timed out"}[r.Why]
	}
	if r.Added+r.Removed > 0 {
		s += fmt.Sprintf(" +%d-%d", r.Added, r.Removed)
	}
	if r.Git != "" {
		s += " git " + r.Git
	}
	return s
}

// rec is a record of the given type with the usual envelope; rest is put
// before the closing brace.
func rec(n int, typ, rest string) string {
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":"/home/ana/shop","sessionId":"s1","version":"2.1.200","type":%q,"uuid":"u%d","timestamp":"2026-05-04T09:00:%02d.000Z",%s}`, typ, n, n%60, rest)
}

func user(n int, text string) string {
	return rec(n, "user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

func reply(n int, text string) string {
	return rec(n, "assistant", fmt.Sprintf(`"message":{"id":"m%d","model":"claude-x","content":[{"type":"text","text":%q}],"stop_reason":null}`, n, text))
}

func toolUse(n int, id, name, input string) string {
	return rec(n, "assistant", fmt.Sprintf(`"message":{"id":"m%d","model":"claude-x","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}],"stop_reason":"tool_use"}`, n, id, name, input))
}

// toolResult is an answer; extra stands beside the message, with its comma.
func toolResult(n int, id, content string, failed bool, extra string) string {
	return rec(n, "user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q,"is_error":%v}]}%s`, id, content, failed, extra))
}

func queue(op, content string) string {
	if content != "" {
		content = fmt.Sprintf(`,"content":%q`, content)
	}
	return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"timestamp":"2026-05-04T09:30:00.000Z","sessionId":"s1"%s}`, op, content)
}

const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "

func TestClaudeRecords(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"prompt and reply", []string{user(1, "Fix it"), reply(2, "Done.")}, []string{"typed: Fix it", "says: Done."}},
		{"prompt in blocks with an image", []string{rec(1, "user", `"message":{"role":"user","content":[{"type":"text","text":"Look"},{"type":"image","source":{"type":"base64","data":"AAAA"}},{"type":"text","text":"at this"}]}`)}, []string{"typed: Look\nat this"}},
		{"end of turn", []string{rec(1, "assistant", `"message":{"id":"m","model":"x","content":[{"type":"text","text":"Let me see."},{"type":"text","text":"All good."}],"stop_reason":"end_turn"}`)}, []string{"says first: Let me see.", "says last: All good."}},
		{"turn duration and stop hooks", []string{rec(1, "system", `"subtype":"turn_duration","durationMs":5`), rec(2, "system", `"subtype":"stop_hook_summary","hookErrors":[],"preventedContinuation":false`), rec(3, "system", `"subtype":"stop_hook_summary","hookErrors":["not yet"],"preventedContinuation":false`)}, []string{"turn closed", "turn closed"}},
		{"meta, API errors, synthetic", []string{
			rec(1, "user", `"isMeta":true,"message":{"role":"user","content":"expanded"}`),
			rec(2, "assistant", `"isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}]}`),
			rec(3, "assistant", `"message":{"model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`),
		}, nil},
		{"thinking, redacted and empty", []string{rec(1, "assistant", `"message":{"id":"m","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"thinking","thinking":"","signature":"s"},{"type":"redacted_thinking","data":"zz"}]}`)}, []string{"thinks: Hm."}},
		{"snapshots of one message", []string{
			rec(1, "assistant", `"requestId":"r","message":{"id":"m","content":[{"type":"text","text":"One."}]}`),
			rec(2, "assistant", `"requestId":"r","message":{"id":"m","content":[{"type":"text","text":"One."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}`),
			rec(3, "assistant", `"requestId":"r","message":{"id":"m","stop_reason":"tool_use","content":[{"type":"text","text":"One."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}`),
		}, []string{"says: One.", "calls Bash: ls"}},
		{"equal ids of different turns are no snapshots", []string{
			rec(1, "assistant", `"message":{"id":"m","content":[{"type":"text","text":"Done."}]}`), user(2, "again"),
			rec(3, "assistant", `"message":{"id":"m","content":[{"type":"text","text":"Done."}]}`),
		}, []string{"says: Done.", "typed: again", "says: Done."}},
		{"compaction", []string{rec(1, "system", `"subtype":"compact_boundary","content":"Conversation compacted"`), rec(2, "user", `"isCompactSummary":true,"message":{"role":"user","content":"This session is being continued from a previous conversation. 1. Goal"}`)}, []string{"compacted: This session is being continued from a previous conversation. 1. Goal"}},
		{"old compaction", []string{user(1, "This session is being continued from a previous conversation that ran out")}, []string{"compacted: This session is being continued from a previous conversation that ran out"}},
		{"interruption", []string{rec(1, "user", `"message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}`)}, []string{"interrupted"}},
		{"slash commands", []string{
			user(1, "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>the login</command-args>"),
			user(2, "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>"),
			user(3, "<local-command-stdout></local-command-stdout>"),
		}, []string{"command: /fix the login"}},
		{"shell by hand", []string{user(1, "<bash-input>npm test</bash-input>"), user(2, "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>")}, []string{"command: ! npm test", "turn closed"}},
		{"plan that opens a session", []string{rec(1, "user", `"planContent":"# Search\n\nOne index.","message":{"role":"user","content":"Implement the following plan:\n\n# Search\n\nOne index.\n\n\nIf you need specific details from before exiting plan mode, read /x"}`)}, []string{"plan: # Search\n\nOne index."}},
		{"plan approved", []string{toolUse(1, "t", "ExitPlanMode", `{"plan":"# Cache\n\nUse one."}`), toolResult(2, "t", "User has approved your plan.", false, `,"toolUseResult":{"plan":"# Cache\n\nUse one.","isAgent":false}`)}, []string{"calls ExitPlanMode: ", "returns ExitPlanMode: User has approved your plan.", "answer: plan: Cache — Use one. -> approved"}},
		{"plan rejected with words", []string{toolUse(1, "t", "ExitPlanMode", `{"plan":"# Cache"}`), toolResult(2, "t", rejected+"To tell you how to proceed, the user said:\nno cache, please\n\nNote: The user's next message may contain a correction", true, "")}, []string{"calls ExitPlanMode: ", "returns ExitPlanMode failed rejected: " + rejected + "To tell you how to proceed, the user said:\nno cache, please\n\nNote: The user's next message may contain a correction", "typed: no cache, please"}},
		{"rejected, the words alone", []string{toolUse(1, "t", "Bash", `{"command":"git push"}`), toolResult(2, "t", "Wait a sec, we need the cart first", true, `,"toolUseResult":"Error: Wait a sec, we need the cart first"`)}, []string{"calls Bash: git push", "returns Bash failed rejected: Wait a sec, we need the cart first", "typed: Wait a sec, we need the cart first"}},
		{"question answered", []string{toolUse(1, "t", "AskUserQuestion", `{"questions":[{"question":"Which port?"},{"question":"Which host?"}]}`), toolResult(2, "t", "…", false, `,"toolUseResult":{"answers":{"Which port?":"8080","Which host?":["a","b"]},"annotations":{"Which port?":{"notes":"for now"}}}`)}, []string{"calls AskUserQuestion: ", "asks: Which port?", "asks: Which host?", "returns AskUserQuestion: …", "answer: Which port? -> 8080 (for now)", "answer: Which host? -> a, b"}},
		{"question answered, text only", []string{toolUse(1, "t", "AskUserQuestion", `{"questions":[{"question":"Which port?"}]}`), toolResult(2, "t", `User has answered your questions: "Which port?"="8080". You can now continue`, false, "")}, []string{"calls AskUserQuestion: ", "asks: Which port?", `returns AskUserQuestion: User has answered your questions: "Which port?"="8080". You can now continue`, "answer: Which port? -> 8080"}},
		{"to-dos", []string{toolUse(1, "t", "TodoWrite", `{"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending"}]}`), toolResult(2, "t", "ok", false, "")}, []string{"calls TodoWrite: ", "returns TodoWrite: ok", "tasks: a=completed, b=pending"}},
		{"to-dos refused", []string{toolUse(1, "t", "TodoWrite", `{"todos":[{"content":"a","status":"pending"}]}`), toolResult(2, "t", "<tool_use_error>Error: No such tool available: TodoWrite.</tool_use_error>", true, "")}, []string{"calls TodoWrite: ", "returns TodoWrite failed refused: Error: No such tool available: TodoWrite."}},
		{"task list, change by change", []string{
			toolUse(1, "t1", "TaskCreate", `{"subject":"a"}`), toolResult(2, "t1", "Task #1 created successfully: a", false, `,"toolUseResult":{"task":{"id":"1","subject":"a"}}`),
			toolUse(3, "t2", "TaskCreate", `{"subject":"b"}`), toolResult(4, "t2", "Task #2 created successfully: b", false, ""),
			toolUse(5, "t3", "TaskUpdate", `{"taskId":"1","status":"completed"}`), toolResult(6, "t3", "Updated task #1 status", false, ""),
			toolUse(7, "t4", "TaskUpdate", `{"taskId":"2","status":"deleted"}`), toolResult(8, "t4", "Deleted", false, ""),
		}, []string{
			"calls TaskCreate: ", "returns TaskCreate: Task #1 created successfully: a", "tasks: a=pending",
			"calls TaskCreate: ", "returns TaskCreate: Task #2 created successfully: b", "tasks: a=pending, b=pending",
			"calls TaskUpdate: ", "returns TaskUpdate: Updated task #1 status", "tasks: a=completed, b=pending",
			"calls TaskUpdate: ", "returns TaskUpdate: Deleted", "tasks: a=completed",
		}},
		{"titles", []string{`{"type":"ai-title","aiTitle":"Refunds","sessionId":"s1"}`, user(1, "hi there you"), `{"type":"ai-title","aiTitle":"Refunds","sessionId":"s1"}`}, []string{"title: Refunds", "typed: hi there you"}},
		{"resumed", []string{user(1, "one"), rec(2, "attachment", `"attachment":{"type":"hook_success","hookName":"SessionStart:resume"}`), strings.Replace(user(3, "two"), "2.1.200", "2.1.201", 1)}, []string{"typed: one", "resumed 2.1.200", "resumed 2.1.201", "typed: two"}},
		{"resumed by its first prompt", []string{user(1, "one"), rec(2, "user", `"turnPosition":{"promptIndex":0,"turnIndex":2},"message":{"role":"user","content":"two"}`), rec(3, "user", `"turnPosition":{"promptIndex":1,"turnIndex":3},"message":{"role":"user","content":"three"}`)}, []string{"typed: one", "resumed 2.1.200", "typed: two", "typed: three"}},
		{"glued to a title", []string{`{"type":"summary","summary":"x","leafUuid":"y"}`}, nil},
		{"newer bookkeeping", []string{`{"type":"api-request","request":{"messages":[{"role":"user","content":"secret"}]}}`, `{"type":"api-request-shape","x":1}`, `{"type":"tools-used","tools":["Bash"]}`, rec(1, "attachment", `"attachment":{"type":"prompt_snapshot","content":"system"}`), rec(2, "some-later-kind", `"message":"x"`)}, nil},
		{"memory tools", []string{toolUse(1, "t", "mcp__kmem__memory_search", `{"query":"x"}`), toolResult(2, "t", "We press on Mondays.", false, "")}, nil},
		{"hostile shapes", []string{
			rec(1, "user", `"message":null`), rec(2, "user", `"message":"bare"`), rec(3, "user", `"message":{"content":7}`), rec(4, "assistant", `"message":{"content":{"0":1,"1":2}}`),
			rec(5, "assistant", `"message":{"content":[null,7,"text",[],{"type":"tool_use"},{"type":"tool_use","id":"x","name":7,"input":[]}]}`), rec(6, "user", `"message":{"content":[{"type":"tool_result"},{"type":"tool_result","tool_use_id":"none"}]}`),
			rec(7, "attachment", `"attachment":null`), rec(8, "queue-operation", `"operation":5`), `{"type":"user"}`, `{"type":"assistant","message":{}}`, `{"type":[]}`,
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := short(decodeAll(t, "/r/p/s1.jsonl", []byte(strings.Join(tc.lines, "\n")+"\n")))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
		})
	}
}

func TestClaudeResults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, tool, input, content string
		failed                     bool
		extra, want                string
	}{
		{"success", "Bash", `{"command":"go test ./..."}`, "ok", false, `,"toolUseResult":{"stdout":"ok"}`, " exit=0: ok"},
		{"old success", "Bash", `{"command":"go test"}`, "ok", false, "", ": ok"},
		{"exit code", "Bash", `{"command":"make"}`, "Exit code 2\nmake: *** no rule", true, `,"toolUseResult":"Error: Exit code 2"`, " failed exit=2: make: *** no rule"},
		{"old failure", "Bash", `{"command":"make"}`, "make: *** no rule", true, "", " failed: make: *** no rule"},
		{"nothing found", "Bash", `{"command":"grep x y"}`, "", false, `,"toolUseResult":{"stdout":"","returnCodeInterpretation":"No matches found"}`, ": "},
		{"interrupted", "Bash", `{"command":"sleep 9"}`, "", false, `,"toolUseResult":{"interrupted":true}`, " exit=0 cancelled: "},
		{"timed out as asked", "Bash", `{"command":"make","timeout":5000}`, "Exit code 143\nCommand timed out after 5s", true, "", " failed exit=143 timed out: Command timed out after 5s"},
		{"timed out", "Bash", `{"command":"make"}`, "Exit code 143\nCommand timed out after 2m 0s", true, "", " failed exit=143: Command timed out after 2m 0s"},
		{"not read yet", "Edit", `{"file_path":"/a"}`, "<tool_use_error>File has not been read yet.</tool_use_error>", true, "", " failed refused: File has not been read yet."},
		{"old refusal", "Edit", `{"file_path":"/a"}`, "String to replace not found in file.", true, "", " failed refused: String to replace not found in file."},
		{"sibling", "Bash", `{"command":"x"}`, "<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>", true, "", " failed cancelled: Cancelled: parallel tool call Bash errored"},
		{"denied by a rule", "Bash", `{"command":"rm -rf /"}`, "Permission to use Bash has been denied.", true, `,"toolDenialKind":"permission-rule"`, " failed refused: Permission to use Bash has been denied."},
		{"rejected", "Bash", `{"command":"x"}`, rejected + "STOP what you are doing", true, `,"toolDenialKind":"user-rejected"`, " failed rejected: " + rejected + "STOP what you are doing"},
		{"failed, a word to people in it", "Bash", `{"command":"x"}`, "x: could you give me a cart", true, "", " failed: x: could you give me a cart"},
		{"failed in other words", "Bash", `{"command":"x"}`, "nothing to commit today", true, "", " failed: nothing to commit today"},
		{"pull request", "Bash", `{"command":"gh pr create"}`, "https://x/pull/1", false, `,"toolUseResult":{"stdout":"","gitOperation":{"push":{"branch":"b"},"pr":{"number":1,"url":"https://x/pull/1"}}}`, " exit=0 git pr: https://x/pull/1"},
		{"patch", "Edit", `{"file_path":"/a"}`, "updated", false, `,"toolUseResult":{"filePath":"/a","originalFile":"…","structuredPatch":[{"lines":[" a","-b","+c","+d"]}]}`, " +2-1: updated"},
		{"new file", "Write", `{"file_path":"/a","content":"x\ny\n"}`, "created", false, `,"toolUseResult":{"type":"create","content":"x\ny\n","structuredPatch":[]}`, " +2-0: created"},
		{"persisted", "Bash", `{"command":"x"}`, "<persisted-output>\nOutput too large (90KB). Full output saved to: /t.txt\n\nPreview (first 2KB):\nline 1\nline 2\n</persisted-output>", false, "", ": line 1\nline 2"},
		{"reminder in a result", "Read", `{"file_path":"/a"}`, "1→x\n\n<system-reminder>\nbeware\n</system-reminder>", false, "", ": 1→x"},
		{"PowerShell", "PowerShell", `{"command":"dir"}`, "Exit code 1\nno", true, "", " failed exit=1: no"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lines := toolUse(1, "t", tc.tool, tc.input) + "\n" + toolResult(2, "t", tc.content, tc.failed, tc.extra) + "\n" + toolResult(3, "t", "again", false, "") + "\n"
			got := short(decodeAll(t, "/r/p/s1.jsonl", []byte(lines)))
			if len(got) != 2 || got[1] != "returns "+tc.tool+tc.want {
				t.Errorf("got %q, want %q", got, "returns "+tc.tool+tc.want)
			}
		})
	}
}

func TestClaudeToolActions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]event.Action{
		"Bash": event.Exec, "Edit": event.Write, "WebFetch": event.Search, "Task": event.Agent, "Agent": event.Agent, "Grep": event.Read,
		"TodoWrite": event.Quiet, "mcp__tickets__get_issue": event.Read, "mcp__tickets__create_issue": event.Exec,
		"mcp__browser__readPage": event.Read, "mcp__browser__ready": event.Exec, "NewTool": event.Exec, "ListThings": event.Read,
	} {
		if got, _, _ := new(claudeInput).tool(name); got != want {
			t.Errorf("action of %s = %d, want %d", name, got, want)
		}
	}
}

func TestClaudeQueue(t *testing.T) {
	t.Parallel()
	command := func(n int, text, mode string) string {
		return rec(n, "attachment", fmt.Sprintf(`"attachment":{"type":"queued_command","prompt":%q,"commandMode":%q}`, text, mode))
	}
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"becomes a user's record", []string{queue("enqueue", "use cedar"), queue("dequeue", ""), user(1, "use cedar"), reply(2, "ok")}, []string{"typed: use cedar", "says: ok"}},
		{"is nowhere else", []string{queue("enqueue", "use cedar"), queue("remove", ""), reply(2, "ok")}, []string{"typed: use cedar", "says: ok"}},
		{"attachment before the removal", []string{queue("enqueue", "use cedar"), command(1, "use cedar", "prompt"), queue("remove", ""), reply(2, "ok")}, []string{"typed: use cedar", "says: ok"}},
		{"attachment after the removal", []string{queue("enqueue", "use cedar"), queue("remove", "use cedar"), command(1, "use cedar", "prompt"), reply(2, "ok")}, []string{"typed: use cedar", "says: ok"}},
		{"attachment alone", []string{command(1, "use cedar", "prompt"), reply(2, "ok")}, []string{"typed: use cedar", "says: ok"}},
		{"taken back", []string{queue("enqueue", "never mind"), queue("popAll", "never mind"), reply(2, "ok")}, []string{"says: ok"}},
		{"notification", []string{queue("enqueue", "<task-notification>x</task-notification>"), queue("remove", ""), command(1, "<task-notification>x</task-notification>", "task-notification"), reply(2, "ok")}, []string{"says: ok"}},
		{"two, removed one by one", []string{queue("enqueue", "one"), queue("enqueue", "two"), queue("remove", ""), queue("remove", ""), reply(2, "ok")}, []string{"typed: one", "typed: two", "says: ok"}},
		{"same words later", []string{queue("enqueue", "go on"), queue("remove", ""), reply(2, "ok"), user(3, "go on")}, []string{"typed: go on", "says: ok", "typed: go on"}},
		{"not given yet", []string{queue("enqueue", "later"), reply(2, "ok")}, []string{"says: ok"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lines := append([]string{user(0, "start")}, tc.lines...)
			got := short(decodeAll(t, "/r/p/s1.jsonl", []byte(strings.Join(lines, "\n")+"\n")))
			if diff := cmp.Diff(append([]string{"typed: start"}, tc.want...), got); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
		})
	}
}
