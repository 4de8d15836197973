package rules

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// saidLimit is how much of the last reply an open turn shows, in bytes.
const saidLimit = 300

// reply takes what the agent says.
func (x *Extractor) reply(s *session, ev *event.Event) {
	text := strings.TrimSpace(x.clean(ev.Text))
	if text == "" {
		if s.Turn != nil && ev.Final == event.Yes {
			s.Turn.Row.Closed = true
		}
		return
	}
	if s.Info.Sub {
		return
	}
	t := x.currentTurn(s, ev)
	t.Row.Closed = ev.Final != event.No
	t.Interrupted = false
	t.reply, t.replyAt = text, mark{x.stamp(s), ev.Record}
	s.Question, _ = lang.LastQuestion(text)
	x.env.Text, x.env.Role = text, "assistant"
	for _, c := range x.run.run(OnReply, &x.env) {
		if c.rule.Row == fact.RowAction {
			t.Row.Action = fact.Part{Stamp: x.stamp(s), Record: ev.Record, Key: c.key, Value: c.value, Type: c.typ}
			t.Spoken = true
			continue
		}
		x.write(s, ev, c, "assistant", "", s.parents(c.typ))
	}
	if named := lang.ProsePaths(text, s.Dir); len(named) > 0 {
		before := len(t.Named)
		t.Named = addPaths(t.Named, named)
		if len(t.Named) != before {
			t.DoneAt = mark{x.stamp(s), ev.Record}
		}
	}
}

// thinking keeps reasoning that is really there.
func (x *Extractor) thinking(s *session, ev *event.Event) {
	if s.Info.Sub {
		return
	}
	text := strings.TrimSpace(x.clean(ev.Text))
	if text == "" {
		return
	}
	x.env.Text, x.env.Role = text, "assistant"
	for _, c := range x.run.run(OnThinking, &x.env) {
		x.write(s, ev, c, "assistant", "", s.parents(c.typ))
	}
}

// answered keeps what the user chose.
func (x *Extractor) answered(s *session, ev *event.Event) {
	x.env.Question, x.env.Answer, x.env.Role = lang.Clip(x.clean(ev.Question), 400), x.clean(ev.Answer), "user"
	x.env.Text = x.env.Answer
	if strings.TrimSpace(x.env.Question) == "" || strings.TrimSpace(x.env.Answer) == "" {
		return
	}
	for _, c := range x.run.run(OnAnswer, &x.env) {
		if c.rule.Row == fact.RowChoice {
			s.Decisions = push(s.Decisions, c.value, maxRecent)
		}
		x.write(s, ev, c, "user", "", s.parents(c.typ))
	}
}

// addPaths appends the paths that are not yet there.
func addPaths(list, more []string) []string {
next:
	for _, p := range more {
		if len(list) >= maxPaths {
			break
		}
		for _, have := range list {
			if have == p {
				continue next
			}
		}
		list = append(list, p)
	}
	return list
}
