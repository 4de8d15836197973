package agents

import (
	"encoding/json"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// call reads the request of a tool call: function_call with arguments as JSON
// text, or custom_tool_call with a text of its own.
func (d *codexDecoder) call(p *codexPart) {
	id := p.Get("call_id").Text(codexIDLimit)
	if id == "" {
		id = p.Get("id").Text(codexIDLimit)
	}
	tool := codexToolName(p.Get("namespace").Text(120), p.Get("name").Text(120))
	if tool == "" && p.Get("type").TextIs("tool_search_call") {
		tool = "tool_search"
	}
	if id == "" || tool == "" || memoryTool(tool) {
		return
	}
	d.s.Busy = true
	c := d.newCall(id, tool)
	if input := p.Get("input"); input.Kind() == scan.String {
		d.customCall(c, input)
		return
	}
	raw := p.Get("arguments")
	text := raw.Text(codexArgsRead)
	args, err := scan.Parse([]byte(text))
	if raw.Kind() == scan.Object {
		args, err, text = raw, nil, string(raw.Raw())
	}
	if err != nil {
		args = scan.Value{}
	}
	d.functionCall(c, args, text)
}

// codexArgsRead bounds how much of a call's arguments is looked at; a patch or
// a file that is written may be large.
const codexArgsRead = 256 << 10

// newCall prepares a call; its records are named after the turn that made it.
func (d *codexDecoder) newCall(id, tool string) codexCall {
	return codexCall{ID: id, Base: d.turnBase() + "/" + id, Tool: tool, Action: codexAction(tool)}
}

// begin reports a call and waits for its answer.
func (d *codexDecoder) begin(c codexCall, args string) {
	c.Subject = headOf(c.Subject, codexSubject)
	if !d.s.add(c) || c.Silent {
		return
	}
	d.emit(event.Event{
		Kind: event.ToolCalled, Record: c.Base + "/call", Call: c.ID, Tool: c.Tool, Action: c.Action,
		Subject: c.Subject, Dir: c.Dir, Paths: c.Paths, Args: headOf(args, MaxArgs),
	})
}

// codexSubject bounds a subject: a command with a here-document can be a file.
const codexSubject = 8 << 10

func (d *codexDecoder) functionCall(c codexCall, args scan.Value, text string) {
	switch c.Tool {
	case "exec_command", "shell_command", "shell", "container.exec", "unified_exec":
		d.shellCall(&c, args)
	case "write_stdin":
		d.stdinCall(c, args)
		return
	case "wait":
		if cell := codexScalar(args.Get("cell_id")); cell != "" {
			c.Silent, c.Running = true, "cell:"+cell
			d.s.add(c)
			return
		}
	case "apply_patch":
		patch := args.Get("input").Text(codexArgsRead)
		if patch == "" {
			patch = args.Get("patch").Text(codexArgsRead)
		}
		c.takePatch(patch)
	case "update_plan":
		d.plan(c.Base, codexPlan(args))
	case "request_user_input":
		d.ask(&c, args)
	case "create_goal":
		d.s.Goal = codexHash(args.Get("objective").Text(MaxText))
	default:
		c.Subject = codexAbout(c.Action, args)
	}
	d.begin(c, text)
}

func (d *codexDecoder) customCall(c codexCall, input scan.Value) {
	text := input.Text(codexArgsRead)
	switch {
	case c.Tool == "apply_patch":
		c.takePatch(text)
	case c.Tool == "exec":
		d.script(c, text)
		return
	default:
		c.Subject = codexLine(text)
	}
	d.begin(c, codexInput(text))
}

// codexInput gives the text of a custom call as JSON.
func codexInput(text string) string {
	out, err := json.Marshal(struct {
		Input string `json:"input"`
	}{headOf(text, MaxArgs/2)})
	if err != nil {
		return ""
	}
	return string(out)
}

// shellCall reads the command of a call, which is text, or an array that
// mostly runs a shell with the text as its script.
func (d *codexDecoder) shellCall(c *codexCall, args scan.Value) {
	command := args.Get("command")
	if !command.Exists() {
		command = args.Get("cmd")
	}
	c.Subject = codexCommand(command)
	if c.Dir = codexDir(args.Get("workdir")); c.Dir == "" {
		c.Dir = codexDir(args.Get("cwd"))
	}
	c.takeHeredoc()
}

func (d *codexDecoder) localShell(p *codexPart) {
	id := p.Get("call_id").Text(codexIDLimit)
	if id == "" {
		id = p.Get("id").Text(codexIDLimit)
	}
	if id == "" {
		return
	}
	d.s.Busy = true
	action := p.Get("action")
	c := d.newCall(id, "local_shell")
	c.Subject, c.Dir = codexCommand(action.Get("command")), codexDir(action.Get("working_directory"))
	c.takeHeredoc()
	d.begin(c, string(action.Raw()[:min(len(action.Raw()), MaxArgs)]))
}

// stdinCall is input to a command that runs already, or only a look at it: its
// answer is the command's.
func (d *codexDecoder) stdinCall(c codexCall, args scan.Value) {
	c.Silent, c.Running = true, "session:"+codexScalar(args.Get("session_id"))
	d.s.add(c)
}

// codexScalar is a string or a number as text.
func codexScalar(v scan.Value) string {
	if v.Kind() == scan.Number {
		return headOf(string(v.Raw()), 40)
	}
	return v.Text(80)
}

// codexAbout finds what a call of another tool is about.
func codexAbout(action event.Action, args scan.Value) string {
	keys := []string{"query", "path", "url", "command", "code", "title", "name", "prompt", "message", "text", "id"}
	if action == event.Agent {
		keys = []string{"task_name", "description", "message", "prompt", "agent_type"}
	}
	for _, key := range keys {
		if line := codexLine(args.Get(key).Text(2000)); line != "" {
			return line
		}
	}
	return ""
}

// codexLine is the first line of a text that says something.
func codexLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return headOf(line, 400)
		}
	}
	return ""
}
