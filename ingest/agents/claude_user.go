package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// user reads a record under the user's role: in nine of ten cases a tool's
// answer, else words, of whomever.
func (d *claudeDecoder) user() {
	r := &d.rec
	d.state.Blocks = nil // no snapshot goes on over a user's record
	content := r.message.Get("content")
	if content.Kind() == scan.Array && d.results(content) {
		return
	}
	if r.meta || r.source.Exists() || r.result.Exists() {
		return
	}
	if notHuman(r.origin.Get("kind")) || r.promptFrom.TextIs("system") {
		d.notification(userText(content))
		return
	}
	if r.resumes() {
		d.open("", true)
	}
	d.words(content)
}

// resumes reports whether a prompt is the first of its process in a session
// that had prompts before.
func (r *claudeRecord) resumes() bool {
	prompt, ok := r.turn.Get("promptIndex").Int()
	turn, _ := r.turn.Get("turnIndex").Int()
	return ok && prompt == 0 && turn > 1
}

// notHuman reports whether the origin of a prompt says that nobody typed it.
// Kinds that are not known are judged by their text.
func notHuman(kind scan.Value) bool {
	name := kind.Text(64)
	return name != "human" && containsAny(name, machineOrigins)
}

var machineOrigins = []string{"notification", "hook", "system", "agent", "team", "peer", "cron", "schedule", "monitor"}

// results reports the tool results of a content list; false if it has none.
func (d *claudeDecoder) results(content scan.Value) bool {
	found := 0
	content.Elements(func(_ int, v scan.Value) bool {
		var b claudeBlock
		b.read(v)
		switch {
		case b.kind.TextIs("tool_result"):
			d.result(&b, found)
			found++
		case b.kind.TextIs("text") && found > 0 && b.text.HasPrefix(interruption):
			d.emit(d.event(event.Interrupted, "#interrupted"))
		}
		return true
	})
	return found > 0
}

// words reports a text that is no tool's answer.
func (d *claudeDecoder) words(content scan.Value) {
	r := &d.rec
	text := userText(content)
	if strings.TrimSpace(text) == "" {
		return
	}
	if r.summary {
		d.compacted(text)
		return
	}
	words, kind := d.judge(text)
	switch {
	case d.state.Foreign:
	case kind == event.Summary:
		d.compacted(words)
	case kind == event.Injected:
		d.injected(text)
	case d.queuedTwin(words):
	default:
		d.say(words, kind, "")
	}
}

// judge tells whose words a text holds. The first words of a file also tell
// whether a program talks to itself here.
func (d *claudeDecoder) judge(text string) (string, event.UserKind) {
	r := &d.rec
	if plan := r.plan.Text(MaxText); plan != "" && !d.sub() {
		return planWords(plan), event.Plan
	}
	words, kind := UserWords(text)
	if kind != event.Injected && !d.state.Judged {
		d.state.Judged = true
		if r.entrypoint.HasPrefix("sdk") && programPrompt(words) {
			d.state = claudeState{Foreign: true, Judged: true}
		}
	}
	if d.sub() && kind != event.Injected && kind != event.Summary {
		kind = event.Subagent
	}
	return words, kind
}

// say reports words of the user, or of whoever speaks to a sub-agent.
func (d *claudeDecoder) say(words string, kind event.UserKind, suffix string) {
	if words == "" {
		return
	}
	e := d.event(event.UserMessage, suffix)
	e.Text, e.User = words, kind
	d.emit(e)
}

// injected looks through nobody's words for what they tell: an interruption,
// the end of a shell command run by hand, the end of work in the background.
func (d *claudeDecoder) injected(text string) {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, interruption):
		d.emit(d.event(event.Interrupted, ""))
	case strings.HasPrefix(text, "<bash-stdout>"), strings.HasPrefix(text, "<bash-stderr>"):
		d.emit(d.event(event.TurnClosed, ""))
	case strings.HasPrefix(text, "<teammate-message") && d.sub():
		if task, ok := elementText(text, "teammate-message"); ok {
			d.say(task, event.Subagent, "")
		}
	default:
		d.notification(text)
	}
}

func (d *claudeDecoder) compacted(summary string) {
	e := d.event(event.Compacted, "")
	e.Text = summary
	d.emit(e)
}

// userText joins the texts of a message's content, a string or a list of blocks.
func userText(content scan.Value) string {
	if content.Kind() == scan.String {
		return content.Text(MaxText)
	}
	var parts []string
	room := MaxText
	content.Elements(func(_ int, block scan.Value) bool {
		if block.Kind() == scan.String {
			parts = append(parts, block.Text(room))
		} else if block.Get("type").TextIs("text") {
			parts = append(parts, block.Get("text").Text(room))
		} else {
			return true
		}
		room -= len(parts[len(parts)-1]) + 1
		return room > 0
	})
	return strings.Join(parts, "\n")
}

// elementText returns the content of an element whose opening tag has attributes.
func elementText(text, name string) (string, bool) {
	tag, length := tagName(text)
	if tag != name {
		return "", false
	}
	body, _, _ := strings.Cut(text[length:], "</"+name+">")
	body = strings.TrimSpace(body)
	return body, body != ""
}
