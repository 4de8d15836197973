package rules

// On names a moment that rules look at.
type On string

// The moments.
const (
	OnUser     On = "user"     // words of the user, before it is known whether they make a prompt
	OnPrompt   On = "prompt"   // a message that opens a turn and makes an entry
	OnReply    On = "reply"    // text of the agent
	OnOutcome  On = "outcome"  // the last text of a turn
	OnOpen     On = "open"     // a turn that is not closed
	OnDone     On = "done"     // what a turn has done so far: commits, files
	OnReturn   On = "return"   // the result of a tool call that is no lookup
	OnFailure  On = "failure"  // such a result that failed
	OnThinking On = "thinking" // reasoning text
	OnTask     On = "task"     // one item of the agent's task list
	OnSummary  On = "summary"  // a compaction with a readable summary
	OnCompact  On = "compact"  // every compaction
	OnAnswer   On = "answer"   // the user's answer to a question of the agent
	OnSession  On = "session"  // start and resume
	OnConfig   On = "config"   // agent, model, provider, version: at the start and at every switch
)

// Env is what the expressions of a rule see. All text is redacted.
type Env struct {
	Text    string `expr:"text"`    // the words, reply, output, reasoning, summary
	Agent   string `expr:"agent"`   // the agent's name
	Session string `expr:"session"` // session id
	Project string `expr:"project"` // the directory the event belongs to
	Cwd     string `expr:"cwd"`     // the directory the record states
	Role    string `expr:"role"`    // user, assistant, tool, summary
	Time    int    `expr:"time"`    // Unix milliseconds of the event
	Kind    string `expr:"kind"`    // of a prompt: typed, command, plan, go_ahead; of a session: started, resumed
	Slug    string `expr:"slugged"` // the slug that the turn's prompt has given
	Prompt  string `expr:"prompt"`  // key of the turn's prompt, empty without one

	Tool    string         `expr:"tool"`    // name of the tool, as written
	Action  string         `expr:"action"`  // exec, write, search, agent
	Subject string         `expr:"subject"` // command, path, query, description; shortened
	Class   string         `expr:"class"`   // check, vcs, agent, write or empty
	Group   string         `expr:"group"`   // of a check or vcs step: tool and subcommand
	Came    string         `expr:"came"`    // what came of it: the telling lines
	Failed  bool           `expr:"failed"`
	Exit    int            `expr:"exit"` // exit code, -1 where there is none
	Args    map[string]any `expr:"args"` // arguments of the call

	Question string `expr:"question"`
	Answer   string `expr:"answer"`
	Status   string `expr:"status"` // of a task

	Model    string `expr:"model"`
	Provider string `expr:"provider"`
	BaseURL  string `expr:"base_url"`
	Version  string `expr:"version"`

	Said        string   `expr:"said"`  // of an open turn: what the agent said last
	Asked       string   `expr:"asked"` // of an open turn: what the user asked
	Interrupted bool     `expr:"interrupted"`
	Commits     []string `expr:"commits"` // messages of the turn's commits
	Edited      []string `expr:"edited"`  // files the turn's tool calls have written
	Named       []string `expr:"named"`   // files the turn's replies name

	Limits Limits `expr:"limit"`
	It     any    `expr:"it"` // the element, in a rule with each
}

// Limits are the byte limits of captured values.
type Limits struct {
	Value      int `expr:"value"`
	Tool       int `expr:"tool"`
	Thinking   int `expr:"thinking"`
	PromptHead int `expr:"prompt_head"`
	PromptTail int `expr:"prompt_tail"`
	Checkpoint int `expr:"checkpoint"`
}

// DefaultLimits are the limits of the specification.
func DefaultLimits() Limits {
	return Limits{Value: 500, Tool: 300, Thinking: 300, PromptHead: 220, PromptTail: 160, Checkpoint: 2000}
}
