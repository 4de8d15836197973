package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// In code mode the model writes a script, and the script calls the tools. Each
// call of a tool that stands in the script becomes a call of its own, a part
// of the script's; the script's own call is silent, unless it has no parts.

// script takes the calls out of a script.
func (d *codexDecoder) script(c codexCall, src string) {
	calls := scriptCalls(src)
	parts := make([]codexCall, 0, len(calls))
	args := make([]string, 0, len(calls))
	for _, call := range calls {
		part := d.newCall(c.ID+"#"+strconv.Itoa(len(parts)+1), call.tool)
		part.Script = c.ID
		if memoryTool(call.tool) || !d.scriptPart(&part, call.arg) {
			continue
		}
		parts = append(parts, part)
		args = append(args, call.arg.get("cmd").text+call.arg.get("command").text)
	}
	c.Silent = len(calls) > 0
	if !c.Silent {
		c.Subject = codexLine(src)
	}
	d.begin(c, codexInput(src))
	for i, part := range parts {
		d.begin(part, codexInput(args[i]))
	}
}

// scriptPart fills in what one call of a script is about. It reports false for
// one that is no call of its own.
func (d *codexDecoder) scriptPart(c *codexCall, arg literal) bool {
	switch c.Tool {
	case "exec_command", "shell_command", "shell":
		cmd := arg.get("cmd")
		if cmd.kind != literalText {
			cmd = arg.get("command")
		}
		c.Subject, c.Loose = strings.TrimSpace(cmd.text), cmd.loose || cmd.kind != literalText
		c.Dir = codexCleanDir(arg.get("workdir").text)
		c.takeHeredoc()
	case "apply_patch":
		if arg.kind == literalObject {
			arg = arg.get("input")
		}
		c.takePatch(arg.text)
		c.Loose = arg.loose || arg.kind != literalText
	case "write_stdin", "wait":
		return false
	case "update_plan":
		d.plan(c.Base, literalPlan(arg))
	case "web__run", "web_search":
		c.Subject = literalQuery(arg)
	default:
		for _, key := range []string{"query", "task_name", "path", "url", "title", "message", "prompt", "text", "code"} {
			if v := arg.get(key); v.kind == literalText && c.Subject == "" {
				c.Subject = codexLine(v.text)
			}
		}
	}
	return true
}

func literalPlan(arg literal) []event.Task {
	var tasks []event.Task
	for _, step := range arg.get("plan").list {
		if text := strings.TrimSpace(step.get("step").text); text != "" && len(tasks) < 200 {
			tasks = append(tasks, event.Task{Text: headOf(text, 2000), Status: headOf(step.get("status").text, 40)})
		}
	}
	return tasks
}

func literalQuery(arg literal) string {
	if text := literalWords(arg); text != "" {
		return text
	}
	for _, key := range []string{"search_query", "image_query", "open", "find"} {
		for _, q := range arg.get(key).list {
			if text := literalWords(q); text != "" {
				return text
			}
		}
	}
	return ""
}

// literalWords is what one query looks for.
func literalWords(q literal) string {
	for _, key := range []string{"q", "query", "ref_id", "url"} {
		if v := q.get(key); v.kind == literalText {
			return headOf(v.text, 400)
		}
	}
	return ""
}

// scriptOf returns the script that runs at present, if one does.
func (s *codexState) scriptOf() *codexCall {
	return s.findBy(func(c *codexCall) bool { return c.Tool == "exec" && c.Script == "" })
}

// part finds an unanswered part of a script.
func (s *codexState) part(is func(*codexCall) bool) *codexCall {
	return s.findBy(func(c *codexCall) bool { return c.Script != "" && is(c) })
}

// scriptCommand finds the part of a script that a command's end belongs to, or
// makes one: events of a script's commands have ids of their own.
func (d *codexDecoder) scriptCommand(id, command, dir string) *codexCall {
	s := &d.s
	runs := func(c *codexCall) bool { return c.Action == event.Exec || c.Patch && c.Tool != "apply_patch" }
	hash := codexHash(command)
	if c := s.part(func(c *codexCall) bool { return runs(c) && !c.Loose && codexHash(c.Subject) == hash }); c != nil {
		return c
	}
	if c := s.part(func(c *codexCall) bool { return runs(c) && c.Loose }); c != nil {
		c.Subject, c.Loose = headOf(command, codexSubject), false
		return c
	}
	script := s.scriptOf()
	if script == nil || id == "" {
		return nil
	}
	c := d.newCall(id, "exec_command")
	c.Script, c.Subject, c.Dir = script.ID, command, dir
	c.takeHeredoc()
	d.begin(c, codexInput(command))
	return s.find(id)
}

// scriptPatch does the same for files that were changed.
func (d *codexDecoder) scriptPatch(id string, changes scan.Value) *codexCall {
	s := &d.s
	if c := s.part(func(c *codexCall) bool { return c.Patch }); c != nil {
		return c
	}
	script := s.scriptOf()
	if script == nil || id == "" {
		return nil
	}
	c := d.newCall(id, "apply_patch")
	c.Script, c.Patch, c.Paths = script.ID, true, codexChanges(changes)
	c.Subject = codexFirstPath(c.Paths)
	d.begin(c, "")
	return s.find(id)
}

// scriptOutput reads what a script printed at its end and shares it out among
// its parts that have no answer yet.
func (d *codexDecoder) scriptOutput(c codexCall, r codexResult) {
	if r.Cell != "" {
		if own := d.s.find(c.ID); own != nil {
			own.Running = "cell:" + r.Cell
			own.later(r.Text)
		}
		return
	}
	d.s.remove(c.ID)
	var parts []codexCall
	for _, part := range d.s.Calls {
		if part.Script == c.ID {
			parts = append(parts, part)
		}
	}
	failed := r.Script == "failed" || !r.Head && codexBroken(headOf(r.Text, 200))
	if !c.Silent {
		d.answer(c, c.all(r.Text), event.Result{Failed: failed, Exit: r.Exit}, nil)
		return
	}
	pieces := r.pieces(len(parts), c.Part)
	for i, part := range parts {
		if d.s.Items && part.goesOn(pieces[i], r, failed) {
			d.s.find(part.ID).Running = codexUnheard
			continue
		}
		d.partAnswer(part, pieces[i], r, failed, len(parts) == 1)
	}
}

// codexUnheard stands for the id of a process that a script left running.
const codexUnheard = "script"

// goesOn reports whether a command outlives the script that started it: where
// the end of every command is a record of its own, a command without one has
// not ended, or was never started.
func (c *codexCall) goesOn(piece, whole codexResult, failed bool) bool {
	return c.Tool == "exec_command" && !c.Loose && !failed && whole.Script == "completed" && piece.Exit == nil
}

// partAnswer ends a part with the piece of output that is its own.
func (d *codexDecoder) partAnswer(c codexCall, piece codexResult, whole codexResult, failed, only bool) {
	out := event.Result{Exit: piece.Exit, Failed: piece.Exit != nil && *piece.Exit != 0}
	head := headOf(whole.Text, 2000)
	switch refused := strings.Contains(head, "apply_patch verification failed"); {
	case !whole.Head && strings.HasPrefix(whole.Text, "aborted"), whole.Script == "terminated":
		out.Failed, out.Why = true, event.Cancelled
	case piece.Exit != nil || !failed:
	case c.Patch && (refused || only), strings.Contains(head, "TypeError: tools."+c.Tool+" is not a function"):
		out.Failed, out.Why = true, event.Refused
	case only && c.Action != event.Read:
		out.Failed = true
	default:
		out.Failed, out.Why = true, event.Cancelled // which of them broke the script is not known
	}
	if c.Patch && out.Failed && out.Why == 0 {
		out.Why = event.Refused
	}
	// A script prints what its commands print, seldom how they ended.
	out.Unsure = piece.Exit == nil && !out.Failed && c.Action == event.Exec
	d.answer(c, headOf(piece.Text, c.wanted()), out, nil)
}

// pieces shares out what a script printed among n calls: one piece each where
// it printed as many, else all of it to the last.
func (r codexResult) pieces(n int, before string) []codexResult {
	out := make([]codexResult, n)
	switch {
	case n == 0:
	case n > 1 && len(r.Parts) == n && before == "":
		for i, text := range r.Parts {
			out[i] = codexPiece(text)
		}
	default:
		text := r.Text
		if before != "" {
			text = strings.TrimRight(before, "\n") + "\n" + text
		}
		out[n-1] = codexPiece(text)
	}
	return out
}

// codexPiece reads a piece that is a whole result as JSON, or text.
func codexPiece(text string) codexResult {
	r := codexResult{Text: text, limit: MaxText}
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") && r.object(scanText(trimmed)) {
		return r
	}
	r.Text = text
	r.head()
	return r
}
