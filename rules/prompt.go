package rules

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// user takes a message under the user's role. Only the user's own words open a
// turn.
func (x *Extractor) user(s *session, ev *event.Event) {
	if s.Info.Sub || (ev.User != event.Typed && ev.User != event.Command && ev.User != event.Plan) {
		return
	}
	text := strings.TrimSpace(x.clean(ev.Text))
	if text == "" {
		return
	}
	question := s.Question
	s.Question = ""
	t := x.openTurn(s, ev, text)
	x.env.Text, x.env.Role = text, "user"
	x.env.Kind, t.Slug, x.env.Question = promptKind(ev.User, text, question)
	x.env.Slug = t.Slug
	if t.Slug != "" {
		for _, c := range x.run.run(OnPrompt, &x.env) {
			if c.rule.Row == fact.RowPrompt {
				t.Row.Prompt = c.key
				s.LastSlug = t.Slug
				s.Prompts = push(s.Prompts, c.value, maxRecent)
			}
			x.write(s, ev, c, "user", "", nil)
		}
	}
	x.env.Prompt = t.Row.Prompt
	if t.Slug == "" {
		t.Slug = s.LastSlug
	}
	if ev.User == event.Typed {
		x.env.Kind = "typed"
	}
	for _, c := range x.run.run(OnUser, &x.env) {
		x.write(s, ev, c, "user", "", s.parents(c.typ))
	}
}

// promptKind says what kind of prompt a text is and which slug it gives; no
// slug means that it opens a turn but makes no entry.
func promptKind(kind event.UserKind, text, question string) (name, slug, asked string) {
	switch {
	case kind == event.Plan:
		return "plan", lang.PromptSlug(lang.PlanTitle(text)), ""
	case question != "" && lang.GoAhead(text):
		return "go_ahead", lang.Slug(question), question
	case lang.Short(text):
		return "typed", "", ""
	case kind == event.Command:
		return "command", lang.PromptSlug(text), ""
	}
	return "typed", lang.PromptSlug(text), ""
}
