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
	text := strings.TrimSpace(x.clean(typedLines(ev.Text)))
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
	if ev.User == event.Command && strings.HasPrefix(text, "! ") {
		t.Row.Closed = true // a shell command by the user's own hand asks for no answer
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

// typedLines gives typed text line feeds: what is pasted into a terminal comes
// with carriage returns, which start no line over as those of a tool's output do.
func typedLines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
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
