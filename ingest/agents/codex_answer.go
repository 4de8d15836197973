package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
)

// output reads the answer to a call.
func (d *codexDecoder) output(p *codexPart) {
	id := p.Get("call_id").Text(codexIDLimit)
	c := d.s.find(id)
	if c == nil {
		return
	}
	d.s.Busy = true
	switch {
	case c.Tool == "exec":
		d.scriptOutput(*c, codexRead(p.Get("output"), c.wanted()))
		return
	case c.Silent:
		d.polled(*c, codexRead(p.Get("output"), c.wanted()))
		return
	}
	r := codexRead(p.Get("output"), c.wanted())
	switch {
	case r.Session != "":
		c.Running = "session:" + r.Session
		c.later(r.Text)
	case len(c.Ask) > 0:
		d.answered(*c, r.Text)
	case c.Tool == "wait_agent":
		waited := *c
		d.agentsDone(scanText(r.Text).Get("status"))
		d.answer(waited, "", event.Result{}, nil)
	case c.Action == event.Agent && c.spawned(r.Text):
	default:
		d.answer(*c, c.all(r.Text), c.verdict(r), nil)
	}
}

// wanted is how much of the head of a result is wanted: answers of tools that
// only look something up leave no entry.
func (c *codexCall) wanted() int {
	switch {
	case c.Silent || c.Tool == "wait_agent":
	case c.Action == event.Read, c.Action == event.Quiet, c.Action == event.Exec && codexLooks(c.Subject):
		return codexLookupText
	}
	return MaxText
}

// codexLooks tells the most common commands that only look, from how they
// begin. It decides how much text is decoded, nothing else.
func codexLooks(command string) bool {
	if strings.ContainsAny(command, ">;&`") {
		return false
	}
	for _, start := range [...]string{"sed -n ", "rg ", "cat ", "nl -ba ", "ls", "git diff", "git show", "git log", "find ", "head "} {
		if strings.HasPrefix(command, start) {
			return true
		}
	}
	return false
}

const codexLookupText = 1 << 10

// polled reads the answer to a look at, or to input for, a running command.
func (d *codexDecoder) polled(poll codexCall, r codexResult) {
	d.s.remove(poll.ID)
	c := d.s.findBy(func(c *codexCall) bool { return c.Running == poll.Running })
	switch {
	case c == nil || !r.Head:
	case r.Cell != "" || r.Session != "":
		c.later(r.Text)
	case c.Tool == "exec":
		d.scriptOutput(*c, r)
	case r.Exit != nil:
		d.answer(*c, c.all(r.Text), c.verdict(r), nil)
	}
}

// later keeps the end of what a running command has printed.
func (c *codexCall) later(text string) {
	c.Part = c.all(text)
	if over := len(c.Part) - codexPartMax; over > 0 {
		for over < len(c.Part) && c.Part[over]&0xC0 == 0x80 {
			over++
		}
		c.Part = c.Part[over:]
	}
}

// all is what the command printed before and now.
func (c *codexCall) all(text string) string {
	if c.Part == "" {
		return text
	}
	return strings.TrimRight(c.Part, "\n") + "\n" + text
}

// answer reports the final answer of a call. Of a known call the first one counts.
func (d *codexDecoder) answer(c codexCall, text string, r event.Result, paths []event.Path) {
	d.s.remove(c.ID)
	if c.Silent {
		return
	}
	if paths == nil {
		paths = c.Paths
	}
	if c.Action == event.Write && !r.Failed {
		r.Added, r.Removed = c.Added, c.Removed
	}
	d.emit(event.Event{
		Kind: event.ToolReturned, Record: c.Base + "/return", Call: c.ID, Tool: c.Tool, Action: c.Action,
		Subject: c.Subject, Dir: c.Dir, Paths: paths, Text: text, Result: r,
	})
}

// verdict judges an answer: by its exit code where there is one, else by what
// the harness says instead of an output.
func (c *codexCall) verdict(r codexResult) event.Result {
	out := event.Result{Exit: r.Exit}
	head := headOf(r.Text, 1000)
	switch {
	case r.Exit != nil:
		out.Failed = *r.Exit != 0
		if *r.Exit == 124 && strings.Contains(head, "command timed out after") {
			out.Why = event.TimedOut
		}
	case strings.HasPrefix(head, "aborted by user"), head == "aborted" && !r.Head:
		out.Failed, out.Why = true, event.Cancelled
	case r.Head:
	case codexDenied(head):
		out.Failed, out.Why = true, event.Rejected
	case strings.HasPrefix(head, "approval policy is ") && strings.Contains(head, "reject command"):
		out.Failed, out.Why = true, event.Refused
	case codexBroken(head):
		out.Failed = true
		if strings.Contains(head, "verification failed") || strings.Contains(head, "parse") || strings.HasPrefix(head, "unsupported c") {
			out.Why = event.Refused
		}
	}
	if out.Failed && c.Patch && out.Why == 0 {
		out.Why = event.Refused // a patch that does not apply is no failure of the project
	}
	return out
}

// codexDenied tells that the user, or a rule of the user's, said no.
func codexDenied(text string) bool {
	for _, words := range []string{"rejected by user", "rejected by the user", "Rejected(", "denied by user", "patch rejected", "user rejected"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// codexBroken tells an answer that is a message of the harness about a call
// that could not be made.
func codexBroken(text string) bool {
	for _, start := range []string{
		"apply_patch verification failed", "patch verification failed", "invalid patch", "failed to ", "execution error",
		"unsupported call", "unsupported custom tool call", "exec_command failed", "tool call error", "tool call failed", "exec failed",
		"collab spawn failed", "Script error", "unable to ",
	} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}
