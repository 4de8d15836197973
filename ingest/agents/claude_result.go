package agents

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// result reports the answer to a call. N is its place among the answers of
// the record. An answer whose call is not known is dropped; so is a second one.
func (d *claudeDecoder) result(b *claudeBlock, n int) {
	id := b.call.Text(128)
	c := d.state.Calls[id]
	if c == nil {
		return
	}
	var o claudeOutcome
	if n == 0 && (c.Action != event.Read || jobTools[c.Tool]) {
		o.read(d.rec.result) // it describes the first answer only
	}
	if job := o.job(); job != "" {
		c.Job = job
		return
	}
	delete(d.state.Calls, id)
	suffix := ""
	if n > 0 {
		suffix = "#r" + strconv.Itoa(n)
	}
	text := resultWords(b.content, c.Action)
	e := d.answer(id, c, suffix)
	e.Text = text
	e.Result.Failed = b.err.True()
	d.verdict(&e, c, b.err, &o)
	d.details(&e, c, &o)
	d.emit(e)
	d.consequences(&e, c, text, &o, suffix)
}

// answer begins the event of an answer with what it repeats of its call.
func (d *claudeDecoder) answer(id string, c *claudeCall, suffix string) event.Event {
	e := d.event(event.ToolReturned, suffix)
	e.Call, e.Tool, e.Action, e.Subject, e.Paths = id, c.Tool, c.Action, c.Subject, c.Paths
	return e
}

// verdict works out how the call ended: its exit code, and why it has no
// ordinary result where it has none.
func (d *claudeDecoder) verdict(e *event.Event, c *claudeCall, isError scan.Value, o *claudeOutcome) {
	if rest, ok := strings.CutPrefix(e.Text, "Exit code "); ok && e.Result.Failed {
		digits, after, _ := strings.Cut(rest, "\n")
		if code, err := strconv.Atoi(strings.TrimSpace(digits)); err == nil {
			e.Result.Exit = &code
			e.Text = after
		}
	} else if c.Action == event.Exec && isError.Kind() == scan.Bool && !e.Result.Failed &&
		o.object && !o.meaning.Exists() {
		e.Result.Exit = new(int)
	}
	e.Result.Why = d.why(e, c, o)
	if inner, ok := between(e.Text, "tool_use_error"); ok {
		e.Text = strings.TrimSpace(inner)
	}
}

func (d *claudeDecoder) why(e *event.Event, c *claudeCall, o *claudeOutcome) event.Why {
	if o.interrupted.True() || strings.HasPrefix(e.Text, interruption) {
		return event.Cancelled
	}
	if !e.Result.Failed {
		return 0
	}
	switch d.rec.denial.Text(64) {
	case "":
	case "user-rejected":
		return event.Rejected
	default:
		return event.Refused
	}
	switch {
	case strings.HasPrefix(e.Text, rejection), strings.HasPrefix(e.Text, "The user doesn't want to take this action right now"):
		return event.Rejected
	case strings.Contains(headOf(e.Text, 200), "ancelled: parallel tool call"), strings.Contains(headOf(e.Text, 200), "Sibling tool call errored"):
		return event.Cancelled
	case c.Timed && strings.Contains(headOf(e.Text, 200), "ommand timed out after"):
		return event.TimedOut
	case strings.HasPrefix(e.Text, "<tool_use_error>"), refusedBy(e.Text), c.Action == event.Write && e.Result.Exit == nil && refusedWrite(e.Text):
		return event.Refused
	case c.Action == event.Exec && e.Result.Exit == nil && spokenInstead(e.Text):
		return event.Rejected
	}
	return 0
}

const rejection = "The user doesn't want to proceed with this tool use"

// spokenInstead recognises what a user said in place of an approval where the
// program, as it did until 2.0, hands on these words alone: one sentence with
// a word that people say to each other and none that a tool fails with.
func spokenInstead(text string) bool {
	if len(text) > 500 || strings.HasPrefix(text, "The user doesn't want") || strings.ContainsAny(text, "\n\t$`{}[]<>|\"") || strings.Contains(strings.ReplaceAll(text, "://", ""), ":") {
		return false
	}
	personal, words := false, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == ',' || r == '.' || r == '?' || r == '!' }) {
		words++
		switch word {
		case "i", "we", "you", "please", "let's", "don't", "wait", "should", "our", "my", "me", "i'm":
			personal = true
		case "error", "errors", "failed", "fatal", "denied", "cannot", "invalid", "unable", "usage", "exit", "timed":
			return false
		}
	}
	return personal && words >= 4
}

// refusedBy recognises answers of the program itself instead of the tool.
func refusedBy(text string) bool {
	for _, p := range []string{
		"InputValidationError", "No such tool available", "Error: No such tool available", "Permission to use ",
		"Claude requested permissions to", "This command requires approval", "Agent type '", "Unknown skill:",
	} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// refusedWrite recognises edits that did not apply.
func refusedWrite(text string) bool {
	for _, p := range []string{
		"File has not been read yet", "File has been modified since read", "File has been unexpectedly modified",
		"String to replace not found", "No changes to make", "No changes were made", "File does not exist", "File already exists",
	} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return strings.HasPrefix(text, "Found ") && strings.Contains(headOf(text, 80), "matches of the string to replace")
}

// resultWords is the text of an answer. Answers of tools that only look
// something up leave no entry, so their beginning is enough.
func resultWords(content scan.Value, action event.Action) string {
	limit := MaxText
	if action == event.Read || action == event.Quiet {
		limit = 4 << 10
	}
	if content.Kind() == scan.String {
		return cleanResult(resultText(content, limit))
	}
	var parts []string
	content.Elements(func(_ int, block scan.Value) bool {
		part := block.Get("text")
		if !block.Get("type").TextIs("text") || part.HasPrefix("agentId: ") || part.HasPrefix("<usage>") {
			return true
		}
		text := cleanResult(resultText(part, limit))
		if text != "" {
			parts = append(parts, text)
		}
		limit -= len(text)
		return limit > 0
	})
	return strings.Join(parts, "\n")
}

// cleanResult takes the program's own additions off an answer.
func cleanResult(text string) string {
	if strings.Contains(text, "<system-reminder>") {
		text = withoutBlocks(text)
	}
	if inner, ok := strings.CutPrefix(text, "<persisted-output>\n"); ok {
		if _, after, ok := strings.Cut(inner, "\n"); ok && strings.HasPrefix(inner, "Output too large") {
			inner = after
		}
		if _, after, ok := strings.Cut(inner, "Preview (first "); ok {
			if _, after, ok = strings.Cut(after, "\n"); ok {
				inner = after
			}
		}
		text = strings.TrimSuffix(strings.TrimSpace(inner), "</persisted-output>")
	}
	return strings.TrimSpace(text)
}

// details takes from the structured answer what the text does not say.
func (d *claudeDecoder) details(e *event.Event, c *claudeCall, o *claudeOutcome) {
	switch {
	case c.Action == event.Write:
		e.Result.Added, e.Result.Removed = patchLines(o.patch)
		if o.kind.TextIs("create") && len(e.Paths) == 1 {
			e.Paths = []event.Path{{Name: e.Paths[0].Name, Op: "create"}}
			e.Result.Added = newLines(o.content)
		}
	case c.Action == event.Exec:
		e.Result.Git, e.Result.URL = gitOperation(o.git)
		e.Paths = append(e.Paths, changedFiles(o.changed)...)
	}
}

func gitOperation(v scan.Value) (operation, url string) {
	for _, key := range []string{"pr", "merge", "push", "commit"} {
		if op := v.Get(key); op.Exists() && op.Kind() != scan.Null {
			return key, op.Get("url").Text(500)
		}
	}
	return "", ""
}

// patchLines counts the lines that a patch adds and removes.
func patchLines(hunks scan.Value) (added, removed int) {
	hunks.Elements(func(_ int, hunk scan.Value) bool {
		hunk.Get("lines").Elements(func(_ int, line scan.Value) bool {
			switch {
			case line.HasPrefix("+"):
				added++
			case line.HasPrefix("-"):
				removed++
			}
			return true
		})
		return true
	})
	return added, removed
}

// newLines counts the lines of a new file's content.
func newLines(content scan.Value) int {
	raw := bytes.TrimSuffix(bytes.Trim(content.Raw(), `"`), []byte(`\n`))
	if len(raw) == 0 {
		return 0
	}
	return bytes.Count(raw, []byte(`\n`)) + 1
}
