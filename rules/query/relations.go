package query

import (
	"github.com/expr-lang/expr/parser/lexer"

	"github.com/kmemd/kmemd/store/fact"
)

// environment holds the relations by the names that a query gives them.
type environment struct {
	Memory    []*memoryRow  `expr:"memory"`
	ToolCalls []*callRow    `expr:"tool_calls"`
	Tasks     []*taskRow    `expr:"tasks"`
	Sessions  []*sessionRow `expr:"sessions"`
	Files     []*fileRow    `expr:"files"`
}

// The rows of the relations. Times are Unix milliseconds.
type (
	memoryRow struct {
		Key        string   `expr:"key" json:"key"`
		Value      string   `expr:"value" json:"value"`
		Namespace  string   `expr:"namespace" json:"namespace"`
		Type       string   `expr:"type" json:"type"`
		References []string `expr:"references" json:"references"`
		CreatedAt  int64    `expr:"createdAt" json:"createdAt"`
		UpdatedAt  int64    `expr:"updatedAt" json:"updatedAt"`
		Origin     origin   `expr:"origin" json:"origin"`
	}
	origin struct {
		Agent   string `expr:"agent" json:"agent,omitempty"`
		Session string `expr:"session" json:"session,omitempty"`
		Record  string `expr:"record" json:"record,omitempty"`
		File    string `expr:"file" json:"file,omitempty"`
		Offset  int64  `expr:"offset" json:"offset,omitempty"`
		Role    string `expr:"role" json:"role,omitempty"`
		Via     string `expr:"via" json:"via,omitempty"`
	}
	callRow struct {
		Name      string `expr:"name" json:"name"`
		Args      string `expr:"args" json:"args"`
		Result    string `expr:"result" json:"result"`
		Timestamp int64  `expr:"timestamp" json:"timestamp"`
		Failed    bool   `expr:"failed" json:"failed"`
		Session   string `expr:"session" json:"session"`
		Agent     string `expr:"agent" json:"agent"`
	}
	taskRow struct {
		ID      string `expr:"id" json:"id"`
		Desc    string `expr:"desc" json:"desc"`
		Status  string `expr:"status" json:"status"`
		Rounds  int    `expr:"rounds" json:"rounds"`
		Note    string `expr:"note" json:"note"`
		Session string `expr:"session" json:"session"`
	}
	sessionRow struct {
		ID        string `expr:"id" json:"id"`
		Agent     string `expr:"agent" json:"agent"`
		Model     string `expr:"model" json:"model"`
		Cwd       string `expr:"cwd" json:"cwd"`
		StartedAt int64  `expr:"startedAt" json:"startedAt"`
		UpdatedAt int64  `expr:"updatedAt" json:"updatedAt"`
		Turns     int    `expr:"turns" json:"turns"`
		File      string `expr:"file" json:"file"`
		Parent    string `expr:"parent" json:"parent"`
	}
	fileRow struct {
		Path      string `expr:"path" json:"path"`
		Action    string `expr:"action" json:"action"`
		Session   string `expr:"session" json:"session"`
		Timestamp int64  `expr:"timestamp" json:"timestamp"`
	}
)

// row is a row of one of the relations.
type row interface{ relation() string }

func (*memoryRow) relation() string  { return "memory" }
func (*callRow) relation() string    { return "tool_calls" }
func (*taskRow) relation() string    { return "tasks" }
func (*sessionRow) relation() string { return "sessions" }
func (*fileRow) relation() string    { return "files" }

// relations builds those relations that the tokens of a query name.
func relations(rel Relations, tokens []lexer.Token) environment {
	var env environment
	if rel.View == nil {
		return env
	}
	for _, t := range tokens {
		if t.Kind != lexer.Identifier {
			continue
		}
		switch v := rel.View; {
		case t.Value == "memory" && env.Memory == nil:
			env.Memory = rows(v.Facts, memoryOf)
		case t.Value == "tool_calls" && env.ToolCalls == nil:
			env.ToolCalls = rows(v.Calls[callSession(rel)], callOf)
		case t.Value == "tasks" && env.Tasks == nil:
			env.Tasks = rows(v.Tasks, taskOf)
		case t.Value == "sessions" && env.Sessions == nil:
			env.Sessions = rows(v.Sessions, sessionOf)
		case t.Value == "files" && env.Files == nil:
			env.Files = rows(v.Files, fileOf)
		}
	}
	return env
}

// rows turns a list of the view into rows, in one allocation for all.
func rows[T, R any](list []T, of func(*T) R) []*R {
	all, out := make([]R, len(list)), make([]*R, len(list))
	for i := range list {
		all[i] = of(&list[i])
		out[i] = &all[i]
	}
	return out
}

func memoryOf(f *fact.Fact) memoryRow {
	r := memoryRow{
		Key: f.Key, Value: f.Value, Namespace: f.Namespace, Type: string(f.Type),
		References: f.References, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt,
	}
	if f.Origin != nil {
		r.Origin = origin(*f.Origin)
	}
	return r
}

func callOf(c *fact.Call) callRow {
	return callRow{c.Name, c.Args, c.Result, c.Time, c.Failed, c.Session, c.Agent}
}

func taskOf(t *fact.TaskItem) taskRow {
	id := t.ID
	if id == "" {
		id = t.Slug
	}
	return taskRow{id, t.Text, t.Status, t.Rounds, t.Note, t.Session}
}

func sessionOf(s *fact.Session) sessionRow {
	return sessionRow{s.ID, s.Agent, s.Model, s.Cwd, s.StartedAt, s.UpdatedAt, s.Turns, s.File, s.Parent}
}

func fileOf(f *fact.File) fileRow { return fileRow{f.Path, f.Action, f.Session, f.Time} }

// callSession returns the session whose tool calls a query sees: the caller's
// where it is known, else the newest that has made calls.
func callSession(rel Relations) string {
	v := rel.View
	if _, ok := v.Calls[rel.Session]; ok && rel.Session != "" {
		return rel.Session
	}
	for i := range v.Sessions {
		if v.Sessions[i].ID == rel.Session && rel.Session != "" {
			return rel.Session
		}
	}
	for _, sub := range []bool{false, true} {
		for i := range v.Sessions {
			if s := &v.Sessions[i]; s.Sub == sub && len(v.Calls[s.ID]) > 0 {
				return s.ID
			}
		}
	}
	return newestCaller(v)
}

// newestCaller returns the session with the newest call, for a view whose
// sessions are not known.
func newestCaller(v *fact.View) string {
	var newest string
	var at fact.Stamp
	for session, calls := range v.Calls {
		if len(calls) == 0 {
			continue
		}
		if last := calls[len(calls)-1].Stamp; newest == "" || last.Compare(at) > 0 || last.Compare(at) == 0 && session < newest {
			newest, at = session, last
		}
	}
	return newest
}
