package rules

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/rules/shell"
	"github.com/kmemd/kmemd/store/fact"
)

// Byte limits of what the ring of tool calls keeps, and how much of a result
// is looked at for it.
const (
	ringLimit  = 300
	ringWindow = 768
)

// How much of the output of a success is looked at, in bytes: it tells at its
// beginning or its end. The output of a failure is looked at as a whole.
const (
	successHead = 2 << 10
	successTail = 6 << 10
)

// subjectWindow bounds the command that a subject is made of, in bytes.
const subjectWindow = 2048

// subjectLimit is the room that a subject takes in a value, in bytes.
const subjectLimit = 90

// shellTools are the tools, by lower-cased name, whose subject is a shell command.
var shellTools = map[string]bool{
	"bash": true, "powershell": true, "shell": true, "shell_command": true, "exec_command": true,
	"local_shell": true, "local_shell_call": true, "container.exec": true, "run_shell_command": true,
	"exec": true, "execute": true, "execute_bash": true, "execute_command": true, "monitor": true, "terminal": true,
}

// called notes a call until its answer comes, and that the turn goes on.
func (x *Extractor) called(s *session, ev *event.Event) {
	t := x.currentTurn(s, ev)
	t.Row.Closed = false
	if ev.Call == "" {
		return
	}
	p := pending{ID: ev.Call, Args: lang.Clip(x.clean(head(ev.Args, ringWindow)), ringLimit)}
	if x.run.wantsArgs(OnReturn) || x.run.wantsArgs(OnFailure) {
		p.Full = x.clean(ev.Args)
	}
	s.Calls = push(s.Calls, p, maxPending)
}

// returned takes the answer to a call.
func (x *Extractor) returned(s *session, ev *event.Event) {
	call := s.answer(ev.Call)
	r := result{ev: ev, args: call.Full}
	r.judge(x, s)
	x.ring(s, ev, call, r.failed)
	if !r.failed && ev.Result.Why == 0 {
		x.touched(s, ev)
	}
	if ev.Action == event.Quiet || ev.Action == event.Read || r.lookup || ev.Result.Why == event.Rejected ||
		ev.Result.Why == event.Cancelled || ev.Result.Why == event.Refused {
		return
	}
	r.tell(x)
	r.env(x)
	key := ""
	for _, c := range x.run.run(OnReturn, &x.env) {
		if c.rule.Row == fact.RowTool {
			key = c.key
		}
		x.write(s, ev, c, "tool", r.class, s.parents(c.typ))
	}
	if calls := x.delta(s.Dir).Calls; key != "" && len(calls) > 0 {
		calls[len(calls)-1].Key = key // the ring has just taken it
	}
	if t := s.Turn; t != nil && key != "" {
		t.Tool = key
		if r.class == fact.ClassCheck || r.class == fact.ClassVCS || r.class == fact.ClassAgent {
			t.Check = key
		}
		if r.cmd.Git == "commit" && !r.failed && !s.Info.Sub {
			t.Commits = push(t.Commits, r.subject, maxRecent)
			t.DoneAt = mark{x.stamp(s), ev.Record}
		}
	}
	if ev.Action == event.Exec && ev.Result.Why == 0 {
		x.outcomeOf(s, ev, &r)
	}
}

// answer takes a pending call out of the session's state.
func (s *session) answer(id string) pending {
	for i, p := range s.Calls {
		if p.ID == id && id != "" {
			s.Calls = append(s.Calls[:i:i], s.Calls[i+1:]...)
			return p
		}
	}
	return pending{}
}

// ring adds the call to the newest calls that query sees.
func (x *Extractor) ring(s *session, ev *event.Event, call pending, failed bool) {
	d := x.delta(s.Dir)
	d.Calls = append(d.Calls, fact.Call{
		Stamp: x.stamp(s), Record: ev.Record, Agent: x.src.Agent, Name: lang.OneLine(lang.Clip(lang.Clean(ev.Tool), 100)),
		Args: call.Args, Result: lang.Clip(x.clean(head(ev.Text, ringWindow)), ringLimit), Failed: failed,
	})
}

// touched notes the files of a call.
func (x *Extractor) touched(s *session, ev *event.Event) {
	if len(ev.Paths) == 0 {
		return
	}
	d := x.delta(s.Dir)
	var written []string
	for _, p := range ev.Paths {
		name := x.clean(lang.Relative(absolute(p.Name, ev.Dir, s.Cwd), s.Dir))
		if name == "" {
			continue
		}
		op := p.Op
		if ev.Action == event.Read || op == "" {
			op = "read"
		} else {
			written = append(written, name)
		}
		d.Files = append(d.Files, fact.File{Stamp: x.stamp(s), Path: name, Action: op})
	}
	if len(written) == 0 {
		return
	}
	t := x.currentTurn(s, ev)
	before := len(t.Edited)
	t.Edited = addPaths(t.Edited, written)
	if len(t.Edited) != before {
		t.DoneAt = mark{x.stamp(s), ev.Record}
	}
}

// absolute joins a relative path to the directory that the call ran in, so
// that it can be written relative to the project.
func absolute(name, dir, cwd string) string {
	if name == "" || filepath.IsAbs(name) || strings.HasPrefix(name, "~") || windowsAbs(name) {
		return name
	}
	if dir == "" {
		dir = cwd
	}
	if dir == "" || windowsAbs(dir) {
		return name
	}
	return filepath.Join(dir, name)
}

func windowsAbs(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') || strings.HasPrefix(p, `\\`)
}

// head gives at most n bytes from the beginning of s, at a rune boundary.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

// tail gives at most n bytes of the end of s, from a line's beginning where
// there is one.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if _, rest, ok := strings.Cut(s, "\n"); ok {
		return rest
	}
	return strings.TrimLeftFunc(s, func(r rune) bool { return r == utf8.RuneError })
}

// result is one answer while it is judged.
type result struct {
	ev      *event.Event
	args    string
	cmd     shell.Command
	subject string // as shown
	whole   string // as compared
	text    string // cleaned
	came    string
	class   fact.Class
	failed  bool
	lookup  bool
}

// judge says what the call was, whether it only read and whether it failed.
func (r *result) judge(x *Extractor, s *session) {
	ev := r.ev
	r.failed = ev.Result.Failed || ev.Result.Exit != nil && *ev.Result.Exit != 0
	command := ev.Action == event.Exec && shellTools[strings.ToLower(ev.Tool)]
	if !command {
		r.subject = lang.OneLine(x.clean(head(ev.Subject, subjectWindow)))
		r.whole = r.subject
	}
	switch {
	case ev.Action == event.Agent:
		r.class = fact.ClassAgent
	case ev.Action == event.Write:
		r.class = fact.ClassWrite
		r.subject = lang.Relative(absolute(r.subject, ev.Dir, s.Cwd), s.Dir)
		if len(ev.Paths) > 1 {
			r.subject = fmt.Sprintf("%s +%d more", r.subject, len(ev.Paths)-1)
		}
	case command:
		r.cmd = shell.Parse(ev.Subject)
		r.lookup = r.cmd.Lookup
		r.class = r.cmd.Class
		r.whole = lang.OneLine(x.clean(r.cmd.Full))
		if r.subject = r.whole; r.cmd.Subject != r.cmd.Full {
			r.subject = lang.OneLine(x.clean(r.cmd.Subject))
		}
		if r.sifted() {
			r.failed = false
		}
		if (r.cmd.Piped || ev.Result.Unsure) && r.class == fact.ClassCheck && !r.failed {
			r.failed = lang.FailureVerdict(ev.Text)
		}
		if ev.Result.Git != "" && r.class != fact.ClassVCS {
			r.class, r.cmd.Git = fact.ClassVCS, ev.Result.Git
		}
	}
	if ev.Result.Lookup != nil {
		r.lookup = *ev.Result.Lookup
	}
	r.subject = lang.Clip(r.subject, subjectLimit)
}

// sifted reports whether the exit code is only that of the filter at a check's
// end, which found nothing to show.
func (r *result) sifted() bool {
	exit := r.ev.Result.Exit
	return r.failed && r.cmd.Piped && r.class == fact.ClassCheck && exit != nil && *exit == 1 && strings.TrimSpace(r.ev.Text) == ""
}

// tell says what came of the call.
func (r *result) tell(x *Extractor) {
	ev := r.ev
	text := ev.Text
	if !r.failed && len(text) > successHead+successTail {
		text = head(text, successHead) + "\n…\n" + tail(text, successTail)
	}
	r.text = x.clean(text)
	switch {
	case r.failed:
		r.came = lang.OneLine(lang.TellFailure(r.text))
		if ev.Result.Exit != nil && *ev.Result.Exit != 0 {
			code := fmt.Sprintf("exit %d", *ev.Result.Exit)
			r.came = strings.TrimSuffix(code+": "+r.came, ": ")
		}
		if r.came == "" {
			r.came = "failed"
		}
	case r.class == fact.ClassWrite:
		r.came = written(ev)
	case r.class == fact.ClassAgent || ev.Action == event.Search:
		r.came = lang.OneLine(lang.Condense(r.text, x.opts.Rules.limits.Tool-len(r.subject)-len(" => ")))
	default:
		if r.cmd.Git == "commit" {
			r.came = lang.OneLine(lang.TellCommit(r.text, r.subject))
		} else {
			r.came = lang.OneLine(lang.TellSuccess(r.text))
		}
		if ev.Result.URL != "" && !strings.Contains(r.came, ev.Result.URL) {
			r.came = strings.TrimPrefix(r.came+" "+x.clean(ev.Result.URL), "ok ")
		}
	}
	if r.came == "" {
		r.came = "ok"
	}
}

func written(ev *event.Event) string {
	if ev.Result.Added > 0 || ev.Result.Removed > 0 {
		return fmt.Sprintf("+%d -%d", ev.Result.Added, ev.Result.Removed)
	}
	if len(ev.Paths) > 0 && ev.Paths[0].Op != "" && ev.Paths[0].Op != "write" {
		return ev.Paths[0].Op
	}
	return "written"
}

func (r *result) env(x *Extractor) {
	e := &x.env
	e.Role, e.Text, e.Tool = "tool", r.text, lang.OneLine(lang.Clip(lang.Clean(r.ev.Tool), 60))
	e.Action = actionName(r.ev.Action)
	e.Subject, e.Class, e.Group, e.Came, e.Failed = r.subject, string(r.class), r.cmd.Group, r.came, r.failed
	if r.ev.Result.Exit != nil {
		e.Exit = *r.ev.Result.Exit
	}
	if r.args != "" {
		e.Args = decodeArgs(r.args)
	}
}

func actionName(a event.Action) string {
	switch a {
	case event.Write:
		return "write"
	case event.Search:
		return "search"
	case event.Agent:
		return "agent"
	}
	return "exec"
}
