package api

import "github.com/kmemd/kmemd/store/fact"

// RenderParams is the parameters of render. MaxTokens 0 means the configured
// budget. Event says what asks: "prompt", "start", "resume", "compact"; empty
// is a plain call.
type RenderParams struct {
	Cwd       string `json:"cwd"`
	Prompt    string `json:"prompt,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty"`
	Rule      bool   `json:"rule,omitempty"` // the standing rule before the block
	Agent     string `json:"agent,omitempty"`
	Session   string `json:"session,omitempty"`
	Event     string `json:"event,omitempty"`
}

// RenderResult is the result of render. Resume and Error are the keys that the
// map line names; empty where there are none.
type RenderResult struct {
	Text    string `json:"text"`
	Tokens  int    `json:"tokens"`
	Shown   int    `json:"shown"`
	Dropped int    `json:"dropped"`
	Resume  string `json:"resume"`
	Error   string `json:"error"`
}

// GetParams is the parameters of get and why. For why, Key may also be the
// path of a file.
type GetParams struct {
	Cwd       string `json:"cwd"`
	Key       string `json:"key"`
	Namespace string `json:"namespace,omitempty"`
}

// GetResult is the result of get: the entry itself.
type GetResult = fact.Entry

// WhyResult is the result of why: the entry, and where it comes from. For a
// path the entry's key is empty and Path and Touches are set.
type WhyResult struct {
	fact.Entry
	Text     string       `json:"text,omitempty"` // the words of the record that gave it, cut to 4 KiB
	Parents  []fact.Entry `json:"parents"`
	Children []fact.Entry `json:"children"`
	Past     []fact.Past  `json:"past,omitempty"` // earlier values, newest first
	Path     string       `json:"path,omitempty"`
	Touches  []Touch      `json:"touches,omitempty"` // newest first
}

// Touch is one change of a file by an agent.
type Touch struct {
	Action  string `json:"action"`
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	At      int64  `json:"at"`
	File    string `json:"file,omitempty"` // the transcript
	Offset  int64  `json:"offset,omitempty"`
}

// ListParams is the parameters of list. Prefix is that of the key. A limit of
// 0 is [DefaultLimit], at most [MaxLimit].
type ListParams struct {
	Cwd    string `json:"cwd"`
	Type   string `json:"type,omitempty"`
	Prefix string `json:"prefix,omitempty"`
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// ListResult is the result of list, most recently updated first. Next is the
// cursor of the next page, empty on the last.
type ListResult struct {
	Entries []fact.Entry `json:"entries"`
	Next    string       `json:"next"`
}

// SearchParams is the parameters of search. Turns looks into the searchable
// conversations beside the entries.
type SearchParams struct {
	Cwd   string `json:"cwd"`
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
	Rank  bool   `json:"rank,omitempty"`
	All   bool   `json:"all,omitempty"` // across projects
	Type  string `json:"type,omitempty"`
	Turns bool   `json:"turns,omitempty"`
}

// SearchResult is the result of search. Total is the number of matches before
// the limit. Inexact says that nothing holds the whole query and the hits are
// the closest.
type SearchResult struct {
	Hits    []Hit `json:"hits"`
	Total   int   `json:"total"`
	Inexact bool  `json:"inexact,omitempty"`
}

// Hit is one entry that a search found.
type Hit struct {
	Entry   fact.Entry `json:"entry"`
	Score   float64    `json:"score"`
	Project string     `json:"project"`
}

// SessionsParams is the parameters of sessions.
type SessionsParams struct {
	Cwd    string `json:"cwd,omitempty"`
	All    bool   `json:"all,omitempty"`
	Agent  string `json:"agent,omitempty"`
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// SessionsResult is the result of sessions, newest first.
type SessionsResult struct {
	Sessions []fact.Session `json:"sessions"`
	Next     string         `json:"next"`
}

// SessionConfigParams is the parameters of session/config.
type SessionConfigParams struct {
	Cwd   string `json:"cwd"`
	Agent string `json:"agent,omitempty"`
}

// SessionConfigResult is the result of session/config: what the newest session
// ran with.
type SessionConfigResult struct {
	Session  string `json:"session"`
	Agent    string `json:"agent"`
	Model    string `json:"model"`
	Provider string `json:"provider"`
	BaseURL  string `json:"baseURL"`
	Version  string `json:"version"`
}

// ProjectsResult is the result of projects, which takes [None]; most recently
// updated first.
type ProjectsResult struct {
	Projects []Project `json:"projects"`
}

// Project is one project and its size.
type Project struct {
	Cwd         string   `json:"cwd"`
	Directories []string `json:"directories"`
	Entries     int      `json:"entries"`
	Bytes       int64    `json:"bytes"`
	UpdatedAt   int64    `json:"updatedAt"`
}

// CwdParams is the parameters of errors, handoff, agents, metrics and sync.
// An empty directory means every project.
type CwdParams struct {
	Cwd string `json:"cwd,omitempty"`
}

// ErrorsResult is the result of errors: failures seen more than once, open
// ones first, then newest first.
type ErrorsResult struct {
	Errors []Failure `json:"errors"`
}

// Failure is one failing subject.
type Failure struct {
	Key       string `json:"key"`
	Value     string `json:"value"` // the newest failure
	Project   string `json:"project,omitempty"`
	Agent     string `json:"agent,omitempty"`
	Session   string `json:"session,omitempty"` // of the newest failure
	Times     int    `json:"times"`
	FirstAt   int64  `json:"firstAt,omitempty"`
	LastAt    int64  `json:"lastAt"`
	Open      bool   `json:"open"`
	EndedBy   string `json:"endedBy,omitempty"` // what ended it, once it is not open
	EndedAt   int64  `json:"endedAt,omitempty"`
	EndedWith string `json:"endedWith,omitempty"` // session in which it ended
}

// HandoffResult is the result of handoff: a block for another agent about the
// newest session. Empty text: there is no session.
type HandoffResult struct {
	Text    string `json:"text"`
	Session string `json:"session,omitempty"`
	Agent   string `json:"agent,omitempty"`
}

// GraphParams is the parameters of graph. With a key only what it leads to and
// comes from.
type GraphParams struct {
	Cwd string `json:"cwd"`
	Key string `json:"key,omitempty"`
}

// GraphResult is the result of graph. Nodes stand parents before children.
type GraphResult struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// Node is one entry in the graph.
type Node struct {
	Key       string    `json:"key"`
	Type      fact.Type `json:"type"`
	Value     string    `json:"value"`
	UpdatedAt int64     `json:"updatedAt"`
	Resume    bool      `json:"resume,omitempty"`
}

// Edge leads from a parent to the child that is derived from it.
type Edge struct {
	Parent string `json:"parent"`
	Child  string `json:"child"`
}
