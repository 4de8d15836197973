package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
)

// codexSummaryMark opens a compaction summary that older versions handed to
// the next model under the user's role.
const codexSummaryMark = "Another language model started to solve this problem"

// codexInjectedStarts open texts under the user's role that nobody typed, and
// that are not one whole element.
var codexInjectedStarts = []string{
	"# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<INSTRUCTIONS>",
	"<turn_aborted>", "<skill>", "<subagent_notification>", "<hook_prompt", "<recommended_plugins>",
	"<codex_internal_context", "<goal_context>", "<permissions instructions>", "<user_shell_command>",
	"<send_user_message_question_reply>", "<context_window", "<token_budget>",
	codexSummaryMark, "You were originally given instructions from a user over one or more turns",
	"Message Type: ",
}

// injected tells texts under the user's role that nobody typed. Some of them
// say something all the same: where the session runs, that a turn was cut
// short, what a sub-agent answered, which command the user ran.
func (d *codexDecoder) injected(text string) bool {
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "<environment_context>"):
		d.environment(text)
	case strings.HasPrefix(text, "<turn_aborted>"):
		d.turnAborted(&codexPart{}, fromItem)
	case strings.HasPrefix(text, "<subagent_notification>"):
		d.notified(codexElement(text))
	case strings.HasPrefix(text, "<user_shell_command>"):
		command, _, _ := strings.Cut(codexAfter(text, "<command>"), "</command>")
		d.userCommand(fromItem, strings.TrimSpace(command))
	case strings.HasPrefix(text, "Message Type: "):
		d.delivered(text, "")
	default:
		return codexNotice(text) || codexWhole(text)
	}
	return true
}

func codexNotice(text string) bool {
	for _, start := range codexInjectedStarts {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// codexWhole reports whether a text is one element, <name …>…</name>: the form
// of everything that Codex adds.
func codexWhole(text string) bool {
	if len(text) < 3 || text[0] != '<' || text[len(text)-1] != '>' {
		return false
	}
	end := strings.IndexAny(text, " >\n")
	if end < 2 {
		return false
	}
	name := text[1:end]
	for i := 0; i < len(name); i++ {
		if c := name[i] | 0x20; (c < 'a' || c > 'z') && name[i] != '_' && name[i] != '-' && (name[i] < '0' || name[i] > '9') {
			return false
		}
	}
	return strings.HasSuffix(text, "</"+name+">")
}

// codexElement is what stands inside the one element of a text.
func codexElement(text string) string {
	open, end := strings.IndexByte(text, '>'), strings.LastIndex(text, "</")
	if open < 0 || end <= open {
		return ""
	}
	return text[open+1 : end]
}

// codexWords takes the user's words out of what desktop and editor put around
// them: blocks about files, page or selection, then the request.
func codexWords(text string) (string, event.UserKind) {
	for _, mark := range []string{"## My request for Codex:", "## My request for Codex"} {
		if at := strings.LastIndex(text, mark); at >= 0 && (at == 0 || text[at-1] == '\n') {
			text = text[at+len(mark):]
			break
		}
	}
	text = strings.TrimSpace(text)
	if plan, found := strings.CutPrefix(text, codexPlanMark); found && !codexBlank(plan) {
		return strings.TrimSpace(plan), event.Plan
	}
	return UserWords(text)
}

// codexPlanMark opens the prompt that a click on "implement" writes.
const codexPlanMark = "PLEASE IMPLEMENT THIS PLAN:"

// userCommand takes a command that the user ran himself, with "!". It is no
// part of a turn that the agent is busy with.
func (d *codexDecoder) userCommand(from codexSource, command string) {
	if codexBlank(command) || d.s.Sub {
		return
	}
	key := "s" + codexHash(command)
	n, first := d.twin(key, from)
	if !first || d.s.Active && d.s.Asked {
		return
	}
	record := d.recordID(key, n)
	d.emit(event.Event{Kind: event.UserMessage, User: event.Command, Record: record, Text: "! " + command})
	if !d.s.Active {
		d.emit(event.Event{Kind: event.TurnClosed, Record: record + "/closed"})
	}
}
