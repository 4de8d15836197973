package agents

import (
	"slices"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// message reads an event_msg.
func (d *codexDecoder) message(p *codexPart) {
	switch p.Get("type").Text(40) {
	case "user_message":
		if kind := p.Get("kind"); !kind.Exists() || kind.TextIs("plain") || kind.Kind() == scan.Null {
			d.userText(fromEvent, p.Get("message").Text(MaxText))
		}
	case "agent_message":
		d.assistantText(fromEvent, p.Get("message").Text(MaxText), codexFinal(p.Get("phase")))
	case "agent_reasoning", "agent_reasoning_raw_content":
		d.thinking(fromEvent, p.Get("text").Text(MaxText))
	case "item_completed":
		d.completed(p)
	case "task_started", "turn_started":
		d.taskStarted(p)
	case "task_complete", "turn_complete":
		d.taskComplete(p)
	case "turn_aborted":
		d.turnAborted(p, fromEvent)
	case "error":
		d.failed(p)
	case "thread_rolled_back":
		d.rolledBack(p)
	case "context_compacted":
		d.compaction(fromItem, "")
	case "exec_command_end":
		d.commandEnd(p)
	case "patch_apply_end":
		d.patchEnd(p)
	case "mcp_tool_call_end":
		d.mcpEnd(p)
	case "web_search_end":
		d.search(fromEvent, p)
	case "thread_goal_updated":
		d.goal(p.Get("goal"))
	case "thread_name_updated":
		d.named(p)
	case "exited_review_mode":
		d.reviewed(p.Get("review_output"))
	}
}

// userText takes what stands under the user's role and is not known to be injected.
func (d *codexDecoder) userText(from codexSource, text string) {
	words, kind := codexWords(text)
	if codexBlank(words) || kind == event.Injected || codexNotice(words) {
		return
	}
	if d.s.Sub {
		kind = event.Subagent
	}
	hash := codexHash(words)
	if d.repeatedAfterAbort(hash, from) {
		return
	}
	key := "u" + hash
	if d.fresh(key, from) {
		d.userTurn()
	}
	n, first := d.twin(key, from)
	if !first {
		return
	}
	s := &d.s
	s.Asked, s.Own = true, s.Own || !s.Replay
	if len(s.Last) < 8 {
		s.Last = append(s.Last, hash)
	}
	d.emit(event.Event{Kind: event.UserMessage, Record: d.recordID(key, n), Text: words, User: kind})
}

// codexRepeat is how soon after an abort, in milliseconds, a prompt that comes
// again was written by Codex and not by the user.
const codexRepeat = 1000

// repeatedAfterAbort tells the initial prompt that Codex writes again after
// some aborts, from one that the user sends again.
func (d *codexDecoder) repeatedAfterAbort(hash string, from codexSource) bool {
	s := &d.s
	if s.Aborted == 0 || s.Busy || !slices.Contains(s.Again, hash) || d.time-s.Aborted >= codexRepeat {
		return false
	}
	t := s.twin("u" + hash)
	t.Said[from]++
	t.Taken = max(t.Taken, t.Said[from])
	return true
}

// assistantText takes what the agent says to the user.
func (d *codexDecoder) assistantText(from codexSource, text string, final event.Tristate) {
	text = codexSpoken(text)
	if codexBlank(text) {
		return
	}
	key := "a" + codexHash(text)
	n, first := d.twin(key, from)
	d.s.Busy = true
	if first {
		d.emit(event.Event{Kind: event.AssistantMessage, Record: d.recordID(key, n), Text: text, Final: final})
	}
}

// codexSpoken takes off what clients do not show: the frame of a proposed
// plan, the list of memories that the agent cites.
func codexSpoken(text string) string {
	if head, _, found := strings.Cut(text, "<oai-mem-citation>"); found {
		text = head
	}
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<proposed_plan>") && strings.HasSuffix(text, "</proposed_plan>") {
		text = strings.TrimSpace(text[len("<proposed_plan>") : len(text)-len("</proposed_plan>")])
	}
	return text
}

func codexFinal(phase scan.Value) event.Tristate {
	switch {
	case phase.TextIs("final_answer"), phase.TextIs("final"):
		return event.Yes
	case phase.TextIs("commentary"):
		return event.No
	}
	return event.Unknown
}

// thinking takes one paragraph of reasoning that is really there.
func (d *codexDecoder) thinking(from codexSource, text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	d.s.Busy = true
	key := "r" + codexHash(text)
	if n, first := d.twin(key, from); first {
		d.emit(event.Event{Kind: event.Thinking, Record: d.recordID(key, n), Text: text})
	}
}

// compacted reads the record of a compaction. Older versions wrote the summary
// into it; newer ones only the history that takes the old one's place, which
// repeats messages and says nothing new.
func (d *codexDecoder) compacted(p *codexPart) {
	text := strings.TrimSpace(p.Get("message").Text(MaxText))
	if after, found := strings.CutPrefix(text, codexSummaryMark); found {
		_, after, _ = strings.Cut(after, "\n")
		text = strings.TrimSpace(after)
	}
	d.compaction(fromEvent, text)
}

func (d *codexDecoder) compaction(from codexSource, summary string) {
	if n, first := d.twin("c", from); first {
		d.emit(event.Event{Kind: event.Compacted, Record: d.recordID("compacted", n), Text: summary})
	}
}

// named reads the thread's name.
func (d *codexDecoder) named(p *codexPart) {
	title := p.Get("thread_name").Text(300)
	if title == "" {
		return
	}
	d.emit(event.Event{
		Kind: event.SessionStarted, Agent: codexName, Title: title,
		Record: d.s.owner() + "/name/" + codexHash(title),
	})
}

// goal takes a goal that the user set; the agent's own come with a tool call.
func (d *codexDecoder) goal(p scan.Value) {
	objective := strings.TrimSpace(p.Get("objective").Text(MaxText))
	if objective == "" {
		return
	}
	hash := codexHash(objective)
	if hash == d.s.Goal {
		return
	}
	d.s.Goal = hash
	if d.s.Sub {
		return
	}
	key := "u" + hash
	if n, first := d.twin(key, fromEvent); first {
		d.s.Asked = true
		d.emit(event.Event{Kind: event.UserMessage, User: event.Command, Record: d.recordID(key, n), Text: "/goal " + objective})
	}
}

// reviewed takes the findings of a review, which stand in an event only.
func (d *codexDecoder) reviewed(p scan.Value) {
	parts := []string{strings.TrimSpace(p.Get("overall_explanation").Text(MaxText))}
	p.Get("findings").Elements(func(i int, finding scan.Value) bool {
		if title := finding.Get("title").Text(300); title != "" {
			parts = append(parts, "- "+title)
		}
		return i < 50
	})
	d.assistantText(fromEvent, strings.TrimSpace(strings.Join(parts, "\n")), event.Unknown)
}
