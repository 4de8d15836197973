package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// TestScriptCalls finds the calls in scripts of every spelling.
func TestScriptCalls(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"plain", `const r = await tools.exec_command({cmd: "go test ./...", workdir: "/w"}); text(r.output);`, "exec_command go test ./... /w"},
		{"json", `text(await tools.exec_command({"cmd":"git commit -m \"x\"","workdir":"/w"}))`, `exec_command git commit -m "x" /w`},
		{"single quotes and comments", "// tools.exec_command({cmd:'no'})\n/* tools.exec_command({cmd:'no'}) */ await tools.exec_command({'cmd': 'echo \\'a\\'',})", "exec_command echo 'a' "},
		{"template", "const f = 'a.go'; await tools.exec_command({cmd: `cat ${f} > \\`x\\``})", "exec_command cat a.go > `x` "},
		{"computed template", "await tools.exec_command({cmd: `cat ${names[0]}`})", "exec_command~ cat ${names[0]} "},
		{"variables and +", `const cmd = "go " + "vet"; let dir = '/w'; await tools.exec_command({cmd, workdir: dir})`, "exec_command go vet /w"},
		{"several at once", `await Promise.all([tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})])`, "exec_command a |exec_command b "},
		{"list in a variable", `const all = [tools.exec_command({cmd:"a"}), tools.exec_command({cmd:"b"})]; await all;`, "exec_command a |exec_command b "},
		{"in a function", `const run = (cmd) => tools.exec_command({cmd}); await run("x")`, "exec_command~  "},
		{"not in strings", `const s = "tools.exec_command({cmd:'no'})"; const t = ` + "`tools.exec_command({cmd:'no'})`" + `; text(s)`, ""},
		{"not in regular expressions", `if (/tools.exec_command\({cmd:"/.test(x)) { await tools.exec_command({cmd:"a"}) }`, "exec_command a "},
		{"patch from a list", "const p = ['*** Begin Patch', '*** Add File: a', '+x', '*** End Patch'].join('\\n'); await tools.apply_patch(p);", "apply_patch *** Begin Patch\n*** Add File: a\n+x\n*** End Patch"},
		{"patch, raw template", "await tools.apply_patch(String.raw`*** Begin Patch\n*** Add File: a\n+\\n\n*** End Patch`)", "apply_patch *** Begin Patch\n*** Add File: a\n+\\n\n*** End Patch"},
		{"name in brackets", `await tools["exec_command"]({cmd:"a"})`, "exec_command a "},
		{"escapes", `await tools.exec_command({cmd:"\u00e9\x41\u{1F600}\n"})`, "exec_command éA😀\n "},
		{"broken", `await tools.exec_command({cmd:"a`, "exec_command a "},
		{"broken more", "tools.exec_command({cmd:[[[[{{{(", "exec_command~  "},
		{"none", "text(1 / 2 + 3)", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range scriptCalls(tt.src) {
				if c.arg.kind == literalObject {
					cmd := c.arg.get("cmd")
					loose := ""
					if cmd.loose || cmd.kind != literalText {
						loose = "~"
					}
					got = append(got, fmt.Sprintf("%s%s %s %s", c.tool, loose, cmd.text, c.arg.get("workdir").text))
				} else {
					got = append(got, c.tool+" "+c.arg.text)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("calls (-want +got)\n%s", diff)
			}
		})
	}
}

// TestCodexScripts pairs the calls of a script with what it printed.
func TestCodexScripts(t *testing.T) {
	t.Parallel()
	script := func(second int, src, id string) string {
		return cxItem(second, `{"type":"custom_tool_call","call_id":"`+id+`","name":"exec","input":`+cxQuote(src)+`}`)
	}
	printed := func(second int, id, head string, parts ...string) string {
		list := `{"type":"input_text","text":` + cxQuote(head) + `}`
		for _, p := range parts {
			list += `,{"type":"input_text","text":` + cxQuote(p) + `}`
		}
		return cxItem(second, `{"type":"custom_tool_call_output","call_id":"`+id+`","output":[`+list+`]}`)
	}
	const completed, failed = "Script completed\nWall time 0.2 seconds\nOutput:\n", "Script failed\nWall time 0.1 seconds\nOutput:\n"
	two := `const a = await tools.exec_command({cmd:"npm test"}); const b = await tools.exec_command({cmd:"npm run lint"}); text(a.output); text(b.output)`
	add := "await tools.apply_patch(`*** Begin Patch\n*** Add File: a\n+x\n*** End Patch`)"
	tests := []struct {
		name    string
		records []string
		want    string
	}{
		{"a piece for each", []string{script(1, two, "s"), printed(2, "s", completed, "3 passed", "clean")},
			"call exec_command/1 npm test\ncall exec_command/1 npm run lint\nreturn exec_command/1 npm test = 3 passed\nreturn exec_command/1 npm run lint = clean"},
		{"one piece", []string{script(1, two, "s"), printed(2, "s", completed, "all of it")},
			"call exec_command/1 npm test\ncall exec_command/1 npm run lint\nreturn exec_command/1 npm test = \nreturn exec_command/1 npm run lint = all of it"},
		{"whole results", []string{script(1, two, "s"), printed(2, "s", completed, `{"exit_code":1,"output":"1 failed"}`, `{"exit_code":0,"output":"clean"}`)},
			"call exec_command/1 npm test\ncall exec_command/1 npm run lint\nreturn exec_command/1 npm test exit1 failed = 1 failed\nreturn exec_command/1 npm run lint exit0 = clean"},
		{"a patch that does not fit", []string{script(1, add+"; await tools.exec_command({cmd:'make'})", "s"), printed(2, "s", failed, "Script error:\napply_patch verification failed: no such file")},
			"call apply_patch/2 a [{a create}]\ncall exec_command/1 make\nreturn apply_patch/2 a [{a create}] failed refused = \nreturn exec_command/1 make failed cancelled = Script error:\napply_patch verification failed: no such file"},
		{"a script that breaks", []string{script(1, `await tools.exec_command({cmd:"make"})`, "s"), printed(2, "s", failed, "Script error:\nTypeError")},
			"call exec_command/1 make\nreturn exec_command/1 make failed = Script error:\nTypeError"},
		{"a tool that is not there", []string{script(1, `await tools.mcp__box__lend({name:"x"})`, "s"), printed(2, "s", failed, "Script error:\nTypeError: tools.mcp__box__lend is not a function\n    at exec_main.mjs:1:13")},
			"call mcp__box__lend/1 \nreturn mcp__box__lend/1  failed refused = Script error:\nTypeError: tools.mcp__box__lend is not a function\n    at exec_main.mjs:1:13"},
		{"ends in a wait", []string{
			script(1, `text(await tools.exec_command({cmd:"make"}))`, "s"), printed(2, "s", "Script running with cell ID 28\nWall time 10.0 seconds\nOutput:\n", "compiling"),
			cxCall(3, "wait", `{"cell_id":"28"}`, "w1"), printed(4, "w1", "Script running with cell ID 28\nWall time 10.0 seconds\nOutput:\n"),
			cxCall(5, "wait", `{"cell_id":"28"}`, "w2"), printed(6, "w2", completed, "built"),
		}, "call exec_command/1 make\nreturn exec_command/1 make = compiling\nbuilt"},
		{"events of its commands", []string{
			script(1, `for (const d of dirs) { await tools.exec_command({cmd: "go test " + d}) }; `+add, "s"),
			cxEvent(2, `{"type":"item_completed","turn_id":"t","item":{"type":"CommandExecution","id":"exec-1","command":["/bin/sh","-c","go test ./a"],"status":"completed","aggregated_output":"ok","exit_code":0}}`),
			cxEvent(2, `{"type":"item_completed","turn_id":"t","item":{"type":"CommandExecution","id":"exec-2","command":["/bin/sh","-c","go test ./b"],"status":"failed","aggregated_output":"FAIL","exit_code":1}}`),
			cxEvent(2, `{"type":"item_completed","turn_id":"t","item":{"type":"FileChange","id":"exec-3","status":"completed","changes":{"/w/a":{"type":"add"}}}}`),
			printed(3, "s", completed, "whatever"),
		}, "call exec_command/1 go test d\ncall apply_patch/2 a [{a create}]\nreturn exec_command/1 go test ./a exit0 = ok\n" +
			"call exec_command/1 go test ./b\nreturn exec_command/1 go test ./b exit1 failed = FAIL\nreturn apply_patch/2 a [{/w/a create}] +1-0 = "},
		{"a command that outlives its script", []string{
			script(1, `await tools.exec_command({cmd: "make"})`, "s"),
			cxEvent(2, `{"type":"item_completed","turn_id":"t","item":{"type":"CommandExecution","id":"exec-1","command":["/bin/sh","-c","make"],"status":"completed","aggregated_output":"built","exit_code":0}}`),
			printed(2, "s", completed, "built"),
			script(3, `const r = await tools.exec_command({cmd: "npm start", yield_time_ms: 500}); text(r.session_id)`, "s2"),
			printed(4, "s2", completed, "76632"),
			script(5, `const r = await tools.exec_command({cmd: "npm run watch", yield_time_ms: 500}); text(r.session_id)`, "s3"),
			printed(6, "s3", completed, "76633"),
			cxEvent(7, `{"type":"item_completed","turn_id":"t","item":{"type":"CommandExecution","id":"exec-2","command":["/bin/sh","-c","npm start"],"status":"failed","aggregated_output":"port in use","exit_code":1}}`),
			cxEvent(8, `{"type":"item_completed","turn_id":"t","item":{"type":"CommandExecution","id":"exec-3","command":["/bin/sh","-c","npm run watch"],"status":"failed","aggregated_output":"","exit_code":-1}}`),
		}, "call exec_command/1 make\nreturn exec_command/1 make exit0 = built\ncall exec_command/1 npm start\ncall exec_command/1 npm run watch\n" +
			"return exec_command/1 npm start exit1 failed = port in use\nreturn exec_command/1 npm run watch exit-1 failed cancelled = "},
		{"plan and search", []string{
			script(1, `await tools.update_plan({plan:[{step:"One",status:"completed"},{step:"Two",status:"pending"}]}); const w = await tools.web__run({search_query:[{q:"go maps"}]}); text(w)`, "s"), printed(2, "s", completed, "found"),
		}, "tasks [{ One completed } { Two pending }]\ncall update_plan/6 \ncall web__run/3 go maps\nreturn update_plan/6  = \nreturn web__run/3 go maps = found"},
		{"no calls in it", []string{script(1, "text(1+1)", "s"), printed(2, "s", completed, "2")},
			"call exec/1 text(1+1)\nreturn exec/1 text(1+1) = 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			events := codexLines(t, append([]string{cxMeta("")}, tt.records...)...)
			if diff := cmp.Diff(tt.want, brief(cxWithout(events, event.SessionStarted))); diff != "" {
				t.Errorf("events (-want +got)\n%s", diff)
			}
		})
	}
}
