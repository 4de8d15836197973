// Package event holds the events that agents' histories are reduced to.
//
// An adapter (package agents) turns the bytes of one transcript into events;
// everything after it (rules, store) knows events only, never an agent's own
// format. The package describes; it does not read, judge or store.
package event

// Kind says what an event is.
type Kind uint8

// The kinds of events.
const (
	// SessionStarted opens a session or states something new about it: its
	// directory, model, provider, version, parent. It may come several times
	// a session; fields that are empty say nothing.
	SessionStarted Kind = iota + 1
	// UserMessage is a message under the user's role; User says whose words it holds.
	UserMessage
	// AssistantMessage is text that the agent said to the user.
	AssistantMessage
	// Thinking is reasoning text that is really in the transcript.
	Thinking
	// ToolCalled is the request of a tool call.
	ToolCalled
	// ToolReturned is the answer to a tool call.
	ToolReturned
	// TasksChanged carries the agent's whole task list.
	TasksChanged
	// Compacted marks a compaction; Text is its summary, empty where none is readable.
	Compacted
	// Asked and Answered are a question of the agent to the user and the answer to it.
	Asked
	Answered
	// TurnClosed says that the format itself declares the turn ended.
	TurnClosed
	// Interrupted says that the user (or a limit) cut the turn short.
	Interrupted
	// RolledBack withdraws the last Count turns of the session.
	RolledBack
)

// UserKind says whose words a UserMessage holds.
type UserKind uint8

// The kinds of user messages.
const (
	Typed    UserKind = iota + 1 // the user's own words
	Command                      // a wrapped command: Text is what the user typed ("/fix the login")
	Plan                         // an accepted plan that opens a session: Text is the plan
	Injected                     // reminders, hook output, notices: nobody's words
	Summary                      // a compaction summary under the user's role
	Subagent                     // the task text of a sub-agent, written by an agent
)

// Action says what a tool does.
type Action uint8

// The actions of tools.
const (
	Exec   Action = iota + 1 // runs something; an unknown tool counts as this
	Write                    // changes files
	Search                   // searches the web or something remote
	Read                     // reads, lists or searches what is local; leaves no entry
	Agent                    // hands work to a sub-agent
	Quiet                    // task lists, questions, plans, memory: never an entry of its own
)

// Why says why a tool call has no ordinary result.
type Why uint8

// The reasons. The zero value is an ordinary result, failed or not.
const (
	Rejected  Why = iota + 1 // the user said no
	Cancelled                // interrupted, or cancelled with a sibling call
	Refused                  // the harness itself refused: file not read yet, string not found, bad arguments
	TimedOut                 // a time limit that the call itself asked for
)

// Path is a file that a tool call touched.
type Path struct {
	Name string `json:"n"` // as the record names it
	Op   string `json:"o"` // "write", "create", "edit", "delete", "move"
}

// Task is one item of an agent's task list.
type Task struct {
	ID     string `json:"id,omitempty"`
	Text   string `json:"t"`
	Status string `json:"s"` // as written: "pending", "in_progress", "completed", "cancelled", …
	Note   string `json:"n,omitempty"`
}

// Event is one thing that happened in a session. Which fields are set depends
// on Kind; Kind, Record, Offset and End always are.
type Event struct {
	Kind    Kind
	Record  string // the record's own id, or one derived from its content; the identity over copies
	Time    int64  // the record's own stamp, Unix milliseconds; 0 where it has none
	Offset  int64  // where the record's line begins
	End     int64  // the position after the record's line
	Session string // empty: the session of the source
	Cwd     string // the directory that the record states, if it does
	Sub     bool   // the record belongs to a sub-agent or team-mate

	Text string

	User UserKind // UserMessage

	// Final, of an AssistantMessage: Yes when the format says that the turn
	// ends with it, No when it says that more follows.
	Final Tristate

	// SessionStarted.
	Agent, Model, Provider, BaseURL, Version, Branch string
	Parent                                           string // parent session
	Resumed                                          bool   // a new run of a session that existed
	Title                                            string

	// ToolCalled and ToolReturned.
	Call    string // call id
	Tool    string // the tool's name as written
	Action  Action
	Subject string // command, path, query, description
	Dir     string // the directory that a command runs in, where the call says it
	Paths   []Path // files touched; of a ToolReturned what the result itself lists
	Args    string // arguments as JSON text, cut
	Result  Result // ToolReturned

	Tasks    []Task // TasksChanged
	Question string // Asked, Answered
	Answer   string // Answered
	Count    int    // RolledBack
}

// Result is what a ToolReturned says beyond its text.
type Result struct {
	Failed  bool
	Unsure  bool // the format does not say whether it failed
	Exit    *int // exit code, where the format has one
	Why     Why
	Lookup  *bool  // the format's own word on whether the call only read
	Git     string // "commit", "push", "pr", "merge" where the format says so
	URL     string // of a pull request
	Added   int    // lines added and removed by a write, where known
	Removed int
}

// Tristate is a yes or no that a format may leave open.
type Tristate uint8

// The states of a Tristate.
const (
	Unknown Tristate = iota
	Yes
	No
)
