package api

import "encoding/json"

// CaptureParams is the parameters of capture: events of a session whose agent
// writes no readable transcript. They mean the same as the events that
// adapters produce, go through the same rules and stand under the same order
// law: sending them again changes nothing, provided that they carry an id.
type CaptureParams struct {
	Cwd     string  `json:"cwd"`
	Agent   string  `json:"agent"`
	Session string  `json:"session"`
	Events  []Event `json:"events"`
}

// CaptureResult is the result of capture: how many events were taken.
type CaptureResult struct {
	Captured int `json:"captured"`
}

// The kinds of events, and which fields of [Event] each reads beside ID and
// Time.
const (
	EventSession     = "session"     // Model, Provider, BaseURL, Version, Branch, Parent, Title, Resumed
	EventUser        = "user"        // Text, User
	EventAssistant   = "assistant"   // Text, Final
	EventThinking    = "thinking"    // Text
	EventCall        = "call"        // Call, Tool, Action, Subject, Dir, Paths, Args
	EventReturn      = "return"      // Call, Text, Paths, Failed, Exit, Why, Lookup, Git, URL, Added, Removed
	EventTasks       = "tasks"       // Tasks, the whole list
	EventCompacted   = "compacted"   // Text, the summary
	EventAsk         = "ask"         // Question
	EventAnswer      = "answer"      // Question, Answer
	EventClosed      = "closed"      // the turn has ended
	EventInterrupted = "interrupted" // the turn was cut short
	EventRolledBack  = "rolled_back" // Count turns are withdrawn
)

// Event is one thing that happened in a session, in JSON. A return pairs with
// the call of the same Call id, in the same request or an earlier one.
type Event struct {
	Kind string `json:"kind"`
	ID   string `json:"id,omitempty"`   // identity of the record; derived from the content where it is empty
	Time int64  `json:"time,omitempty"` // Unix milliseconds; 0: the one before it, else now

	Text  string `json:"text,omitempty"`
	User  string `json:"user,omitempty"`  // whose words: typed (default), command, plan, injected, summary, subagent
	Final *bool  `json:"final,omitempty"` // the turn ends with this text, or does not; unknown where it is absent

	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	BaseURL  string `json:"baseURL,omitempty"`
	Version  string `json:"version,omitempty"`
	Branch   string `json:"branch,omitempty"`
	Parent   string `json:"parent,omitempty"` // parent session
	Title    string `json:"title,omitempty"`
	Resumed  bool   `json:"resumed,omitempty"`

	Call    string          `json:"call,omitempty"`    // call id
	Tool    string          `json:"tool,omitempty"`    // the tool's name
	Action  string          `json:"action,omitempty"`  // exec (default), write, search, read, agent, quiet
	Subject string          `json:"subject,omitempty"` // command, path, query, description
	Dir     string          `json:"dir,omitempty"`     // where a command runs
	Paths   []EventPath     `json:"paths,omitempty"`
	Args    json.RawMessage `json:"args,omitempty"`

	Failed  bool   `json:"failed,omitempty"`
	Exit    *int   `json:"exit,omitempty"`
	Why     string `json:"why,omitempty"`    // rejected, cancelled, refused, timed_out
	Lookup  *bool  `json:"lookup,omitempty"` // the call only read
	Git     string `json:"git,omitempty"`    // commit, push, pr, merge
	URL     string `json:"url,omitempty"`
	Added   int    `json:"added,omitempty"` // lines
	Removed int    `json:"removed,omitempty"`

	Tasks    []EventTask `json:"tasks,omitempty"`
	Question string      `json:"question,omitempty"`
	Answer   string      `json:"answer,omitempty"`
	Count    int         `json:"count,omitempty"`
}

// EventPath is a file that a call touched.
type EventPath struct {
	Name string `json:"name"`
	Op   string `json:"op"` // write, create, edit, delete, move
}

// EventTask is one item of a task list.
type EventTask struct {
	ID     string `json:"id,omitempty"`
	Text   string `json:"text"`
	Status string `json:"status"` // pending, in_progress, completed, cancelled
	Note   string `json:"note,omitempty"`
}
