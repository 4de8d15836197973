package api

// StatusResult is the result of status, which takes [None].
type StatusResult struct {
	Pid       int      `json:"pid"`
	Version   string   `json:"version"`
	StartedAt int64    `json:"startedAt"`
	Uptime    int64    `json:"uptime"` // milliseconds
	Socket    string   `json:"socket"`
	Data      string   `json:"data"`
	Config    string   `json:"config"` // the file, whether it exists or not
	Paused    bool     `json:"paused"`
	Sources   []Source `json:"sources"`
	Stores    Stores   `json:"stores"`
	Memory    Memory   `json:"memory"`
	Queue     Queue    `json:"queue"`
	Rules     Rules    `json:"rules"`
	Problems  []string `json:"problems"` // what a person should know, one sentence each
}

// Source is one directory of one agent.
type Source struct {
	Agent      string   `json:"agent"`
	Directory  string   `json:"directory"`
	Sessions   int      `json:"sessions"`   // transcripts seen
	LastRecord int64    `json:"lastRecord"` // time of the newest record read; 0: none
	Lag        int64    `json:"lag"`        // milliseconds from a write to its being read, of the newest; 0 when nothing waits
	State      string   `json:"state"`      // watching, polling, reading, missing, disabled, paused
	Skipped    []Skip   `json:"skipped"`
	Polled     []Polled `json:"polled"`
}

// Skip says that something in a source was passed over, and why.
type Skip struct {
	File   string `json:"file,omitempty"`
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// Polled is a folder that cannot be watched and is looked at now and then.
type Polled struct {
	Directory string `json:"directory"`
	Why       string `json:"why"` // with what to do about it: a limit's name
}

// Stores counts the stores.
type Stores struct {
	Open        int   `json:"open"`
	Total       int   `json:"total"`
	Bytes       int64 `json:"bytes"`
	Quarantined int   `json:"quarantined"` // damaged and set aside
}

// Memory is what the daemon uses.
type Memory struct {
	Resident int64 `json:"resident"` // bytes; 0 where the system does not say
	Heap     int64 `json:"heap"`     // bytes
}

// Queue is what waits.
type Queue struct {
	Files int   `json:"files"` // transcripts with something unread
	Bytes int64 `json:"bytes"`
}

// Rules says what is captured by, and what is wrong with it.
type Rules struct {
	Loaded int         `json:"loaded"`
	Errors []RuleError `json:"errors"`
}

// RuleError is a rule or a rule file that does not work.
type RuleError struct {
	File   string `json:"file,omitempty"`
	Rule   string `json:"rule,omitempty"`
	Reason string `json:"reason"`
	Count  int    `json:"count,omitempty"`
	Off    bool   `json:"off,omitempty"` // switched off after repeated failures
}

// AgentsResult is the result of agents: every supported agent, sorted by name.
type AgentsResult struct {
	Agents []Agent `json:"agents"`
}

// Agent is one supported agent and where its transcripts are looked for.
type Agent struct {
	Name        string      `json:"name"`
	Title       string      `json:"title"`
	Enabled     bool        `json:"enabled"`
	Found       bool        `json:"found"` // one of the directories exists
	Directories []AgentRoot `json:"directories"`
	Sessions    int         `json:"sessions"`
	LastRecord  int64       `json:"lastRecord"`
}

// AgentRoot is one directory of an agent.
type AgentRoot struct {
	Directory string `json:"directory"`
	Exists    bool   `json:"exists"`
}

// MetricsResult is the result of metrics: Prometheus text.
type MetricsResult struct {
	Text string `json:"text"`
}

// DoctorResult is the result of doctor, which takes [None].
type DoctorResult struct {
	OK     bool    `json:"ok"`
	Checks []Check `json:"checks"`
}

// Check is one thing that should work.
type Check struct {
	Name    string `json:"name"`
	State   string `json:"state"` // ok, warn, fail
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"` // what a person can do
}
