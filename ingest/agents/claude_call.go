package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// claudeCall is a call that waits for its answer: what the answer repeats of it.
type claudeCall struct {
	Tool    string       `json:"t"`
	Action  event.Action `json:"a,omitempty"`
	Subject string       `json:"s,omitempty"`
	Paths   []event.Path `json:"p,omitempty"`
	Offset  int64        `json:"o"`
	Message string       `json:"m,omitempty"`  // the API message it stands in
	Timed   bool         `json:"l,omitempty"`  // the call set its own time limit
	Plan    string       `json:"pl,omitempty"` // of ExitPlanMode
	Task    *claudeTask  `json:"k,omitempty"`  // of TaskCreate and TaskUpdate
	Job     string       `json:"j,omitempty"`  // id of the work in the background
	Todos   []event.Task `json:"d,omitempty"`  // of TodoWrite
}

const (
	maxCalls   = 256
	maxSubject = 8 << 10
	maxPlan    = 8 << 10
	maxTool    = 200
)

// call reports a tool call and remembers it for its answer.
func (d *claudeDecoder) call(b *claudeBlock, i int) {
	name := strings.TrimSpace(b.name.Text(maxTool))
	id := b.id.Text(128)
	if name == "" || id == "" || memoryTool(name) {
		return
	}
	if old := d.state.Calls[id]; old != nil && old.Message == d.state.Message {
		return // a snapshot repeats it
	}
	input := b.input
	c := &claudeCall{Tool: name, Offset: d.rec.offset, Message: d.state.Message}
	var in claudeInput
	in.read(input)
	c.Action, c.Subject, c.Paths = in.tool(name)
	c.Timed = in.timeout.Exists()
	e := d.event(event.ToolCalled, blockSuffix(i))
	e.Call, e.Tool, e.Action, e.Subject, e.Paths = id, name, c.Action, c.Subject, c.Paths
	e.Args = argsText(input)
	d.emit(e)
	d.special(c, input, blockSuffix(i))
	d.remember(id, c)
}

// special reads the calls that say more than that a tool was called.
func (d *claudeDecoder) special(c *claudeCall, input scan.Value, suffix string) {
	switch c.Tool {
	case "TodoWrite":
		c.Todos = readTodos(input.Get("todos"))
	case "TaskCreate", "TaskUpdate":
		c.Task = readTask(input)
	case "ExitPlanMode", "exit_plan_mode":
		c.Plan = input.Get("plan").Text(maxPlan)
	case "AskUserQuestion":
		n := 0
		input.Get("questions").Elements(func(_ int, q scan.Value) bool {
			text := strings.TrimSpace(q.Get("question").Text(4 << 10))
			if text == "" {
				return true
			}
			e := d.event(event.Asked, suffix+"#asked"+strconv.Itoa(n))
			e.Question = text
			d.emit(e)
			n++
			return n < 16
		})
	}
}

// remember keeps a call for its answer; of too many the oldest goes.
func (d *claudeDecoder) remember(id string, c *claudeCall) {
	if d.state.Calls == nil {
		d.state.Calls = make(map[string]*claudeCall)
	}
	d.state.Calls[id] = c
	if len(d.state.Calls) <= maxCalls {
		return
	}
	oldest := ""
	for k, v := range d.state.Calls {
		if o := d.state.Calls[oldest]; o == nil || v.Offset < o.Offset || v.Offset == o.Offset && k < oldest {
			oldest = k
		}
	}
	delete(d.state.Calls, oldest)
}

// claudeActions says what the tools do. Those of older and newer versions
// stand together; a name never changed its meaning.
var claudeActions = map[string]event.Action{
	"Bash": event.Exec, "PowerShell": event.Exec,
	"Edit": event.Write, "MultiEdit": event.Write, "Write": event.Write, "NotebookEdit": event.Write,
	"WebFetch": event.Search, "WebSearch": event.Search,
	"Task": event.Agent, "Agent": event.Agent, "Workflow": event.Agent,
	"Read": event.Read, "LS": event.Read, "Glob": event.Read, "Grep": event.Read, "NotebookRead": event.Read, "LSP": event.Read,
	"BashOutput": event.Read, "AgentOutput": event.Read, "TaskOutput": event.Read, "TaskGet": event.Read, "TaskList": event.Read,
	"TodoRead": event.Read, "ToolSearch": event.Read, "Monitor": event.Read,
	"ListMcpResourcesTool": event.Read, "ReadMcpResourceTool": event.Read, "CronList": event.Read,
	"TodoWrite": event.Quiet, "TaskCreate": event.Quiet, "TaskUpdate": event.Quiet, "TaskStop": event.Quiet,
	"KillShell": event.Quiet, "KillBash": event.Quiet, "AskUserQuestion": event.Quiet, "ExitPlanMode": event.Quiet,
	"exit_plan_mode": event.Quiet, "EnterPlanMode": event.Quiet, "Skill": event.Quiet, "SlashCommand": event.Quiet,
	"SendMessage": event.Quiet, "SendUserMessage": event.Quiet, "Brief": event.Quiet, "TeamCreate": event.Quiet, "TeamDelete": event.Quiet,
	"EnterWorktree": event.Quiet, "ExitWorktree": event.Quiet, "CronCreate": event.Quiet, "CronDelete": event.Quiet,
	"ScheduleWakeup": event.Quiet, "StructuredOutput": event.Quiet, "PushNotification": event.Quiet, "Config": event.Quiet,
}

// subjectKeys are the arguments that say what a call is about, the best first.
var subjectKeys = []string{"command", "query", "pattern", "url", "file_path", "notebook_path", "path", "uri", "title", "subject", "name", "description"}

// claudeInput is what is looked for in the arguments of any call.
type claudeInput struct {
	subject                              scan.Value // the best of subjectKeys that is there
	description, file, notebook, timeout scan.Value
}

func (in *claudeInput) read(input scan.Value) {
	rank := len(subjectKeys)
	input.Each(func(key []byte, val scan.Value) bool {
		switch string(key) {
		case "description":
			in.description = val
		case "file_path":
			in.file = val
		case "notebook_path":
			in.notebook = val
		case "timeout":
			in.timeout = val
		}
		if val.Kind() == scan.String {
			for i, k := range subjectKeys[:rank] {
				if string(key) == k {
					in.subject, rank = val, i
					break
				}
			}
		}
		return true
	})
}

// tool says what a call does, what it is about and which files it touches.
func (in *claudeInput) tool(name string) (event.Action, string, []event.Path) {
	action, known := claudeActions[name]
	if !known {
		action = event.Exec
		verb := name
		if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" {
			verb = parts[2]
		}
		if reads(verb) {
			action = event.Read
		}
	}
	subject := in.subject
	switch action {
	case event.Agent:
		subject = in.description
	case event.Quiet:
		subject = scan.Value{}
	}
	return action, strings.TrimSpace(subject.Text(maxSubject)), in.paths(name)
}

// paths lists the files that a writing call names.
func (in *claudeInput) paths(name string) []event.Path {
	file, op := in.file, "edit"
	switch name {
	case "Edit", "MultiEdit":
	case "Write":
		op = "write"
	case "NotebookEdit":
		file = in.notebook
	default:
		return nil
	}
	if path := strings.TrimSpace(file.Text(4096)); path != "" {
		return []event.Path{{Name: path, Op: op}}
	}
	return nil
}

func trimmedText(v scan.Value, key string, limit int) string {
	return strings.TrimSpace(v.Get(key).Text(limit))
}
