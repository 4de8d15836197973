package rules

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// openTurn ends the present turn and begins another.
func (x *Extractor) openTurn(s *session, ev *event.Event, asked string) *turn {
	x.endTurn(s)
	s.Info.Turns++
	s.Turn = &turn{
		Row: fact.Turn{Stamp: x.stamp(s), ID: ev.Record, Agent: x.src.Agent, Sub: s.Info.Sub,
			Ordinal: s.Info.Turns, End: x.at},
		Dir:   s.Dir,
		Asked: lang.OneLine(lang.Clip(asked, saidLimit)),
	}
	return s.Turn
}

// currentTurn returns the present turn; work that nobody asked for in words
// (a woken session, a sub-agent's task) opens one without a prompt.
func (x *Extractor) currentTurn(s *session, ev *event.Event) *turn {
	if s.Turn == nil {
		return x.openTurn(s, ev, "")
	}
	return s.Turn
}

func (x *Extractor) endTurn(s *session) {
	if s.Turn == nil {
		return
	}
	t := s.Turn
	x.settle(s)
	if t.Row.Closed && t.Result.Value != "" {
		s.Outcome = t.Result.Value
		s.remember(fact.Result, t.Result.Key)
	}
	// A rollback needs to know which turn to withdraw, not what it said.
	row := fact.Turn{Stamp: t.Row.Stamp, ID: t.Row.ID, Agent: t.Row.Agent, Ordinal: t.Row.Ordinal, End: t.Row.End, Prompt: t.Row.Prompt}
	s.History = push(s.History, past{Row: row, Dir: t.Dir}, maxHistory)
	s.Turn = nil
}

// settle writes the register of the present turn as it stands.
func (x *Extractor) settle(s *session) {
	t := s.Turn
	if t == nil || !t.dirty {
		return
	}
	t.dirty = false
	env := &x.env
	*env = Env{Agent: x.src.Agent, Session: s.Info.ID, Project: t.Dir, Cwd: s.Cwd, Time: int(s.Info.UpdatedAt), Exit: -1,
		Limits: x.opts.Rules.limits, Slug: t.Slug, Prompt: t.Row.Prompt}
	x.settleOutcome(t)
	x.settleDone(t)
	t.Row.Open = ""
	t.Row.Result = fact.Part{}
	if t.Row.Closed {
		t.Row.Result = t.Result
	} else if !s.Info.Sub {
		env.Said, env.Asked, env.Interrupted, env.Role = t.Said, t.Asked, t.Interrupted, "assistant"
		for _, c := range x.run.run(OnOpen, env) {
			if c.rule.Row == fact.RowOpenTurn {
				t.Row.Open = c.value
			}
		}
	}
	t.Row.Parents = s.parents(fact.Result)
	d := x.delta(t.Dir)
	for i := range d.Turns {
		if d.Turns[i].ID == t.Row.ID {
			d.Turns[i] = t.Row
			return
		}
	}
	d.Turns = append(d.Turns, t.Row)
}

// settleOutcome condenses the last reply, once.
func (x *Extractor) settleOutcome(t *turn) {
	if t.reply == "" {
		return
	}
	env := &x.env
	text := lang.WithoutMarkers(t.reply)
	env.Text, env.Role = text, "assistant"
	for _, c := range x.run.run(OnOutcome, env) {
		if c.rule.Row == fact.RowOutcome {
			t.Result = fact.Part{Stamp: t.replyAt.Stamp, Record: t.replyAt.Record, Key: c.key, Value: c.value, Type: c.typ}
		}
	}
	t.Said = lang.OneLine(lang.Condense(text, saidLimit))
	t.reply = ""
}

// settleDone derives action and files from what the turn has done.
func (x *Extractor) settleDone(t *turn) {
	if t.DoneAt.Record == "" {
		return
	}
	env := &x.env
	env.Text = ""
	env.Commits, env.Edited, env.Named = t.Commits, t.Edited, without(t.Named, t.Edited)
	for _, c := range x.run.run(OnDone, env) {
		part := fact.Part{Stamp: t.DoneAt.Stamp, Record: t.DoneAt.Record, Key: c.key, Value: c.value, Type: c.typ}
		switch c.rule.Row {
		case fact.RowFiles:
			t.Row.Files = part
		case fact.RowAction:
			if !t.Spoken && !t.Row.Sub {
				t.Row.Action = part
			}
		}
	}
}

// rollBack withdraws the newest n turns of the session.
func (x *Extractor) rollBack(s *session, n int) {
	if n <= 0 {
		return
	}
	x.endTurn(s)
	for ; n > 0 && len(s.History) > 0; n-- {
		last := s.History[len(s.History)-1]
		s.History = s.History[:len(s.History)-1]
		last.Row.Void = true
		d := x.delta(last.Dir)
		kept := d.Turns[:0]
		for _, row := range d.Turns {
			if row.ID != last.Row.ID {
				kept = append(kept, row)
			}
		}
		d.Turns = append(kept, last.Row)
	}
	s.LastSlug, s.Question = "", ""
	if k := len(s.History); k > 0 {
		s.LastSlug = strings.TrimPrefix(s.History[k-1].Row.Prompt, "prompt:")
	}
}

// without gives the paths of list that are not in other.
func without(list, other []string) []string {
	var out []string
next:
	for _, p := range list {
		for _, o := range other {
			if o == p {
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}
