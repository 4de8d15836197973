package rules

import (
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// parents gives the candidates for the edge of a captured entry, best first:
// what really led to it, then the nearest type up the chain that the turn or
// the session has. The turn's prompt comes in when reading.
func (s *session) parents(t fact.Type) []string {
	var out []string
	add := func(key string) {
		if key != "" && !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	prompt := ""
	if s.Turn != nil {
		prompt = s.Turn.Row.Prompt
	}
	switch t {
	case fact.ToolResult:
		add(s.openTask())
		add(prompt)
	case fact.Result, fact.Action, fact.FileType, fact.Decision, fact.Note, fact.FactType:
		if s.Turn != nil {
			add(s.Turn.Check)
		}
		add(prompt)
	case fact.Error:
		if s.Turn != nil {
			add(s.Turn.Tool)
		}
		add(prompt)
	case fact.Prompt:
		return nil
	default:
		if t == fact.Status {
			add(s.Latest[fact.Result])
		}
		add(prompt)
	}
	for _, up := range t.Parents() {
		add(s.Latest[up])
	}
	return out
}

// openTask gives the key of the task that is being worked on.
func (s *session) openTask() string {
	for _, t := range s.Tasks {
		if t.Listed && t.Status == statusActive {
			return "progress:" + t.Slug
		}
	}
	return ""
}

// remember notes the newest key of a type.
func (s *session) remember(t fact.Type, key string) {
	if key == "" {
		return
	}
	if s.Latest == nil {
		s.Latest = latest{}
	}
	s.Latest[t] = key
}
