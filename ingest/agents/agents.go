// Package agents turns the transcripts of coding agents into events.
//
// One file of Go an agent (claude*.go, codex*.go) says where the agent keeps
// its transcripts, which files are transcripts, and how one line becomes
// events. A decoder knows its agent's format and nothing of memory: it does
// not judge what is worth keeping, does not open files and does not follow
// paths that it finds in them.
package agents

import "github.com/kmemd/kmemd/ingest/event"

// Env is what an agent's default places depend on.
type Env struct {
	Home   string              // the user's home directory
	Getenv func(string) string // nil: no environment
	OS     string              // as runtime.GOOS
}

// get returns an environment variable, "" without an environment.
func (e Env) get(name string) string {
	if e.Getenv == nil {
		return ""
	}
	return e.Getenv(name)
}

// Agent is what kmem knows of one coding agent.
type Agent struct {
	Name   string                                      // the agent's name everywhere: "claude-code"
	Title  string                                      // for people: "Claude Code"
	Roots  func(Env) []string                          // directories that may hold transcripts, existing or not
	Inside []string                                    // folders of the agent's own directory that hold transcripts
	Match  func(root, rel string) bool                 // is this path, relative to a root, a transcript
	Open   func(f File, state []byte) (Decoder, error) // state nil: from the beginning of the file
}

// File is the transcript that a decoder reads.
type File struct {
	Root, Path string // Path is absolute and lies below Root
	ModTime    int64  // Unix milliseconds, as first seen
}

// Decoder turns the lines of one file into events. It is a pure function of
// its state and the line.
type Decoder interface {
	// Decode appends the events of one line (without its newline), which
	// stands at offset; end is the position after it. Strings of the events do
	// not refer to line. An error means a bad record: nothing was appended and
	// the state is as before. The errors of [scan.Parse] are returned as they
	// are, so that the reader can try the parts that [scan.Split] finds.
	Decode(dst []event.Event, line []byte, offset, end int64) ([]event.Event, error)
	// State returns what Decode must remember to go on after the last line:
	// small, deterministic JSON.
	State() ([]byte, error)
}

// The limits of texts, in bytes.
const (
	// MaxText bounds a message, a reasoning text, a summary.
	MaxText = 64 << 10
	// MaxTail is what is kept of the end of a longer tool result, after MaxText of its head.
	MaxTail = 16 << 10
	// MaxArgs bounds the arguments of a tool call.
	MaxArgs = 4 << 10
)

// All returns the agents, sorted by name.
func All() []Agent {
	return []Agent{
		claude(),
		codex(),
	}
}

// ByName finds an agent.
func ByName(name string) (Agent, bool) {
	for _, a := range All() {
		if a.Name == name {
			return a, true
		}
	}
	return Agent{}, false
}
