package agents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

const (
	cxPatch      = "*** Begin Patch\n*** Add File: a.go\n+package a\n*** Update File: b.go\n*** Move to: c.go\n@@\n-x\n+y\n*** Delete File: d.go\n*** End Patch"
	cxPatchPaths = " [{a.go create} {c.go move} {d.go delete}]"
)

func cxCustom(second int, name, input, id string) string {
	return cxItem(second, `{"type":"custom_tool_call","status":"completed","call_id":"`+id+`","name":"`+name+`","input":`+cxQuote(input)+`}`)
}

func cxCustomOutput(second int, id, out string) string {
	return cxItem(second, `{"type":"custom_tool_call_output","call_id":"`+id+`","output":`+out+`}`)
}

// codexToolTests give, for each shape of a call and its answer, the events.
var codexToolTests = []struct {
	name    string
	records []string
	want    string
}{
	{
		"shell_command, its end told first",
		[]string{
			cxCall(1, "shell_command", `{"command":"rg x src","workdir":"/home/ana/shop"}`, "c1"),
			cxEvent(2, `{"type":"exec_command_end","call_id":"c1","command":["/bin/zsh","-lc","rg x src"],"parsed_cmd":[{"type":"search","cmd":"rg x src"}],"aggregated_output":"src/a:x\n","exit_code":0,"status":"completed"}`),
			cxOutput(3, "c1", "Exit code: 0\nWall time: 0 seconds\nOutput:\nsrc/a:x\n"),
		},
		"call shell_command/1 rg x src\nreturn shell_command/1 rg x src exit0 lookup = src/a:x\n",
	},
	{
		"shell_command, text only",
		[]string{
			cxCall(1, "shell_command", `{"command":"go test ./..."}`, "c1"), cxOutput(3, "c1", "Exit code: 1\nWall time: 2 seconds\nTotal output lines: 9\nOutput:\nFAIL x\n"),
			cxOutput(4, "c1", "Exit code: 0\nOutput:\nlate"),
		},
		"call shell_command/1 go test ./...\nreturn shell_command/1 go test ./... exit1 failed = FAIL x\n",
	},
	{
		"time limit",
		[]string{cxCall(1, "shell_command", `{"command":"sleep 9","timeout_ms":10}`, "c1"), cxOutput(3, "c1", "Exit code: 124\nWall time: 0 seconds\nOutput:\ncommand timed out after 10 milliseconds\n")},
		"call shell_command/1 sleep 9\nreturn shell_command/1 sleep 9 exit124 failed timed-out = command timed out after 10 milliseconds\n",
	},
	{
		"exec_command that ends in a later write_stdin",
		[]string{
			cxCall(1, "exec_command", `{"cmd":"npm test"}`, "c1"), cxOutput(2, "c1", "Chunk ID: a1\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\nstarting\n"),
			cxCall(3, "write_stdin", `{"session_id":7,"chars":""}`, "c2"), cxOutput(4, "c2", "Chunk ID: a2\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"),
			cxCall(5, "write_stdin", `{"session_id":7,"chars":"q"}`, "c3"), cxOutput(6, "c3", "Chunk ID: a3\nWall time: 1.0 seconds\nProcess exited with code 1\nOutput:\n1 failing\n"),
			cxCall(7, "write_stdin", `{"session_id":7,"chars":""}`, "c4"), cxOutput(8, "c4", "write_stdin failed: Unknown process id 7"),
		},
		"call exec_command/1 npm test\nreturn exec_command/1 npm test exit1 failed = starting\n1 failing\n",
	},
	{
		"arrays, and the old JSON answer",
		[]string{
			cxCall(1, "shell", `{"command":["bash","-lc","make all"],"workdir":"/home/ana/shop"}`, "c1"), cxOutput(2, "c1", `{"output":"ok","metadata":{"exit_code":0}}`),
			cxItem(3, `{"type":"local_shell_call","call_id":"c2","status":"completed","action":{"type":"exec","command":["go","vet"],"working_directory":"/w"}}`), cxOutput(4, "c2", `{"output":"bad","metadata":{"exit_code":1}}`),
		},
		"call shell/1 make all\nreturn shell/1 make all exit0 = ok\ncall local_shell/1 go vet\nreturn local_shell/1 go vet exit1 failed = bad",
	},
	{
		"apply_patch, custom, with its event",
		[]string{
			cxCustom(1, "apply_patch", cxPatch, "c1"),
			cxEvent(1, `{"type":"patch_apply_end","call_id":"c1","success":true,"changes":{"/home/ana/shop/a.go":{"type":"add","content":"x"},"/home/ana/shop/b.go":{"type":"update","unified_diff":"","move_path":"/home/ana/shop/c.go"},"/home/ana/shop/d.go":{"type":"delete"}}}`),
			cxCustomOutput(1, "c1", `"{\"output\":\"Success.\",\"metadata\":{\"exit_code\":0}}"`),
		},
		"call apply_patch/2 a.go" + cxPatchPaths + "\nreturn apply_patch/2 a.go [{/home/ana/shop/a.go create} {/home/ana/shop/c.go move} {/home/ana/shop/d.go delete}] +2-1 = ",
	},
	{
		"apply_patch that does not fit, and one that the user refused",
		[]string{
			cxCustom(1, "apply_patch", cxPatch, "c1"), cxCustomOutput(1, "c1", `"apply_patch verification failed: Failed to find expected lines in b.go"`),
			cxCustom(2, "apply_patch", cxPatch, "c2"), cxCustomOutput(2, "c2", `"patch rejected by user"`),
			cxCustom(3, "apply_patch", cxPatch, "c3"), cxEvent(3, `{"type":"patch_apply_end","call_id":"c3","success":false,"status":"declined","changes":{}}`),
		},
		"call apply_patch/2 a.go" + cxPatchPaths + "\nreturn apply_patch/2 a.go" + cxPatchPaths + " failed refused = apply_patch verification failed: Failed to find expected lines in b.go\n" +
			"call apply_patch/2 a.go" + cxPatchPaths + "\nreturn apply_patch/2 a.go" + cxPatchPaths + " failed rejected = patch rejected by user\n" +
			"call apply_patch/2 a.go" + cxPatchPaths + "\nreturn apply_patch/2 a.go" + cxPatchPaths + " failed rejected = ",
	},
	{
		"apply_patch as a function and in a here-document",
		[]string{
			cxCall(1, "apply_patch", `{"input":`+cxQuote(cxPatch)+`}`, "c1"), cxOutput(1, "c1", "Exit code: 0\nOutput:\nSuccess."),
			cxCall(2, "shell", `{"command":["bash","-lc",`+cxQuote("cd /w && apply_patch <<'EOF'\n"+cxPatch+"\nEOF\n")+`]}`, "c2"), cxOutput(2, "c2", `{"output":"Success.","metadata":{"exit_code":0}}`),
			cxCall(3, "shell", `{"command":["bash","-lc",`+cxQuote("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: z\n+z\n*** End Patch\nEOF\ngo test ./...")+`]}`, "c3"), cxOutput(3, "c3", `{"output":"FAIL","metadata":{"exit_code":1}}`),
		},
		"call apply_patch/2 a.go" + cxPatchPaths + "\nreturn apply_patch/2 a.go" + cxPatchPaths + " exit0 +2-1 = Success.\n" +
			"call shell/2 a.go" + cxPatchPaths + "\nreturn shell/2 a.go" + cxPatchPaths + " exit0 +2-1 = Success.\n" +
			"call shell/1 apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: z\n+z\n*** End Patch\nEOF\ngo test ./... [{z create}]\n" +
			"return shell/1 apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: z\n+z\n*** End Patch\nEOF\ngo test ./... [{z create}] exit1 failed = FAIL",
	},
	{
		"answers instead of a result",
		[]string{
			cxCall(1, "exec_command", `{"cmd":"a"}`, "c1"), cxOutput(1, "c1", "aborted by user after 3.1s"),
			cxCall(2, "exec_command", `{"cmd":"b"}`, "c2"), cxOutput(2, "c2", "exec_command failed for `b`: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }"),
			cxCall(3, "exec_command", `{"cmd":"c"}`, "c3"), cxOutput(3, "c3", "failed to parse function arguments: missing field"),
			cxCall(4, "exec_command", `{"cmd":"d"}`, "c4"), cxOutput(4, "c4", "execution error: Io(Os { code: 2 })"),
			cxCall(5, "exec_command", `{"cmd":"never answered"}`, "c5"), cxOutput(5, "other", "x"),
			cxCall(6, "exec_command", `{"cmd":"e"}`, "c6"), cxOutput(6, "c6", "Wall time: 3.7 seconds\naborted by user"),
			cxCustom(7, "apply_patch", cxPatch, "c7"), cxCustomOutput(7, "c7", `"unsupported custom tool call: apply_patch"`),
			cxCall(8, "exec_command", `{"cmd":"git push"}`, "c8"), cxOutput(8, "c8", "approval policy is Never; reject command — you cannot ask for escalated permissions"),
		},
		"call exec_command/1 a\nreturn exec_command/1 a failed cancelled = aborted by user after 3.1s\n" +
			"call exec_command/1 b\nreturn exec_command/1 b failed rejected = exec_command failed for `b`: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }\n" +
			"call exec_command/1 c\nreturn exec_command/1 c failed refused = failed to parse function arguments: missing field\n" +
			"call exec_command/1 d\nreturn exec_command/1 d failed = execution error: Io(Os { code: 2 })\ncall exec_command/1 never answered\n" +
			"call exec_command/1 e\nreturn exec_command/1 e failed cancelled = aborted by user\n" +
			"call apply_patch/2 a.go" + cxPatchPaths + "\nreturn apply_patch/2 a.go" + cxPatchPaths + " failed refused = unsupported custom tool call: apply_patch\n" +
			"call exec_command/1 git push\nreturn exec_command/1 git push failed refused = approval policy is Never; reject command — you cannot ask for escalated permissions",
	},
	{
		"search, page, image, tool search",
		[]string{
			cxEvent(1, `{"type":"web_search_end","call_id":"ws","query":"go maps","action":{"type":"search","query":"go maps"}}`), cxItem(1, `{"type":"web_search_call","status":"completed","action":{"type":"search","query":"go maps"}}`),
			cxItem(2, `{"type":"web_search_call","status":"completed","action":{"type":"open_page","url":"https://go.dev"}}`), cxItem(2, `{"type":"web_search_call","status":"completed"}`),
			cxCall(3, "view_image", `{"path":"/tmp/a.png"}`, "c3"), cxItem(3, `{"type":"function_call_output","call_id":"c3","output":[{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}`),
		},
		"call web_search/3 go maps\nreturn web_search/3 go maps = \ncall web_search/4 https://go.dev\nreturn web_search/4 https://go.dev = \n" +
			"call view_image/4 /tmp/a.png\nreturn view_image/4 /tmp/a.png = ",
	},
	{
		"tools of MCP servers, kmem's own left out",
		[]string{
			cxItem(1, `{"type":"function_call","name":"_create_issue","namespace":"mcp__github","arguments":"{\"title\":\"Bread\"}","call_id":"c1"}`),
			cxEvent(2, `{"type":"mcp_tool_call_end","call_id":"c1","invocation":{"server":"github"},"result":{"Ok":{"content":[{"type":"text","text":"made #4"}],"isError":false}}}`), cxOutput(2, "c1", "Wall time: 1 seconds\nOutput:\n{}"),
			cxCall(3, "mcp__github__create_issue", `{"title":"Boats"}`, "c2"), cxEvent(3, `{"type":"mcp_tool_call_end","call_id":"c2","result":{"Err":"tool call error: no such repository"}}`),
			cxCall(4, "mcp__github__list_issues", `{}`, "c3"), cxOutput(4, "c3", "Wall time: 1 seconds\nOutput:\n[]"),
			cxCall(5, "mcp__kmem__memory_save", `{"key":"a"}`, "c4"), cxOutput(5, "c4", "saved"),
		},
		"call mcp__github__create_issue/1 Bread\nreturn mcp__github__create_issue/1 Bread = made #4\n" +
			"call mcp__github__create_issue/1 Boats\nreturn mcp__github__create_issue/1 Boats failed = tool call error: no such repository\n" +
			"call mcp__github__list_issues/4 \nreturn mcp__github__list_issues/4  = []",
	},
	{
		"plan and question",
		[]string{
			cxCall(1, "update_plan", `{"plan":[{"step":"One","status":"completed"},{"step":"Two","status":"in_progress"}]}`, "c1"), cxOutput(1, "c1", "Plan updated"),
			cxCall(2, "request_user_input", `{"questions":[{"id":"where","question":"Where does it go?","options":[{"label":"Left"}]}]}`, "c2"), cxOutput(3, "c2", `{"answers":{"where":{"answers":["Left","user_note: by the door"]}}}`),
		},
		"tasks [{ One completed } { Two in_progress }]\ncall update_plan/6 \nreturn update_plan/6  = Plan updated\n" +
			"asked Where does it go?\ncall request_user_input/6 \nanswered Where does it go? Left, by the door\nreturn request_user_input/6  = ",
	},
	{
		"sub-agents: by notice, by wait, by message, and one that could not start",
		[]string{
			cxCall(1, "spawn_agent", `{"message":"Count the loaves\nall of them"}`, "c1"), cxOutput(1, "c1", `{"agent_id":"ag-1","nickname":"Ann"}`), userItem(2, "<subagent_notification>\n{\"agent_id\":\"ag-1\",\"status\":{\"completed\":\"There are 12.\"}}\n</subagent_notification>"),
			cxCall(3, "spawn_agent", `{"message":"Count boats"}`, "c2"), cxOutput(3, "c2", `{"agent_id":"ag-2"}`), cxCall(4, "wait_agent", `{"targets":["ag-2"]}`, "c3"), cxOutput(5, "c3", `{"status":{"ag-2":{"errored":"no boats"}},"timed_out":false}`),
			cxCall(6, "spawn_agent", `{"task_name":"nets"}`, "c4"), cxOutput(6, "c4", `{"task_name":"/root/nets"}`),
			cxItem(7, `{"type":"agent_message","author":"/root/nets","content":[{"type":"input_text","text":"Message Type: FINAL_ANSWER\nTask name: /root\nSender: /root/nets\nPayload:\nMended."}]}`),
			cxCall(8, "spawn_agent", `{"message":"x"}`, "c5"), cxOutput(8, "c5", "collab spawn failed: too many"),
		},
		"call spawn_agent/5 Count the loaves\nreturn spawn_agent/5 Count the loaves = There are 12.\n" +
			"call spawn_agent/5 Count boats\ncall wait_agent/6 \nreturn spawn_agent/5 Count boats failed = no boats\nreturn wait_agent/6  = \n" +
			"call spawn_agent/5 nets\nreturn spawn_agent/5 nets = Mended.\ncall spawn_agent/5 x\nreturn spawn_agent/5 x failed = collab spawn failed: too many",
	},
	{
		"the items of the newest versions",
		[]string{
			cxCall(1, "exec_command", `{"cmd":"make"}`, "c1"),
			cxEvent(2, `{"type":"item_completed","turn_id":"t1","item":{"type":"CommandExecution","id":"c1","command":["/bin/bash","-lc","make"],"parsed_cmd":[{"type":"unknown","cmd":"make"}],"source":"unified_exec_startup","status":"failed","aggregated_output":"no rule\n","exit_code":2}}`),
			cxOutput(2, "c1", "Chunk ID: 1\nProcess exited with code 2\nOutput:\nno rule\n"),
			cxCustom(3, "apply_patch", "*** Begin Patch\n*** Add File: a\n+a\n*** End Patch", "c2"), cxEvent(3, `{"type":"item_completed","turn_id":"t1","item":{"type":"FileChange","id":"c2","status":"completed","changes":{"/w/a":{"type":"add"}}}}`), cxCustomOutput(3, "c2", `"Exit code: 0"`),
			cxEvent(4, `{"type":"item_completed","turn_id":"t1","item":{"type":"WebSearch","id":"w","query":"rain","action":{"type":"search","query":"rain"}}}`),
			cxEvent(5, `{"type":"item_completed","turn_id":"t1","item":{"type":"Reasoning","id":"r","summary_text":["So."],"raw_content":[]}}`), cxItem(5, `{"type":"reasoning","summary":[{"type":"summary_text","text":"So."}]}`),
		},
		"call exec_command/1 make\nreturn exec_command/1 make exit2 failed = no rule\n\n" +
			"call apply_patch/2 a [{a create}]\nreturn apply_patch/2 a [{/w/a create}] +1-0 = \ncall web_search/3 rain\nreturn web_search/3 rain = \nthink So.",
	},
}

func TestCodexTools(t *testing.T) {
	t.Parallel()
	for _, tt := range codexToolTests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			events := codexLines(t, append([]string{cxMeta("")}, tt.records...)...)
			if diff := cmp.Diff(tt.want, brief(cxWithout(events, event.SessionStarted))); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
		})
	}
}

// TestCodexLongResult cuts long results, and keeps little of what tells nothing.
func TestCodexLongResult(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line of text\n", 20_000)
	events := codexLines(t, cxMeta(""),
		cxCall(1, "shell_command", `{"command":"make"}`, "c1"), cxOutput(2, "c1", "Exit code: 2\nOutput:\nfirst\n"+long+"last"),
		cxCall(3, "shell_command", `{"command":"make"}`, "c2"), cxOutput(4, "c2", "Exit code: 0\nOutput:\n"+long+"last"),
		cxCall(5, "shell_command", `{"command":"cat a"}`, "c3"), cxOutput(6, "c3", "Exit code: 0\nOutput:\n"+long),
	)
	var sizes []int
	for _, e := range events {
		if e.Kind != event.ToolReturned {
			continue
		}
		sizes = append(sizes, len(e.Text))
		if e.Call != "c3" && !strings.HasSuffix(e.Text, "\nlast") {
			t.Errorf("%s does not keep its end", e.Call)
		}
	}
	if len(sizes) != 3 || sizes[0] > MaxText+MaxTail+8 || sizes[0] < MaxText || sizes[1] > 5<<10 || sizes[2] > 2<<10 {
		t.Errorf("sizes %v", sizes)
	}
}
