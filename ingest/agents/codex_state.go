package agents

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kmemd/kmemd/ingest/event"
)

// codexState is what a decoder remembers between lines. Every part is bounded.
type codexState struct {
	Thread string `json:"id,omitempty"` // the thread that the file belongs to
	Known  bool   `json:"known,omitempty"`
	Parent string `json:"parent,omitempty"`
	Sub    bool   `json:"sub,omitempty"`
	Born   int64  `json:"born,omitempty"` // when the thread was made, Unix ms
	Start  int64  `json:"start,omitempty"`

	// Of a fork that begins with a copy of its parent's history.
	Forked string   `json:"forked,omitempty"`
	Replay bool     `json:"replay,omitempty"` // the present line belongs to the copy
	Own    bool     `json:"own,omitempty"`    // the file's own part has begun
	Owner  string   `json:"owner,omitempty"`  // whose turn is replayed
	Chain  []string `json:"chain,omitempty"`  // the ancestors whose headers were copied

	Time  int64  `json:"t,omitempty"` // of the last record that had one
	Cwd   string `json:"cwd,omitempty"`
	Model string `json:"model,omitempty"`

	Turn    string `json:"turn,omitempty"` // the present turn's id, where the format has one
	Turns   int    `json:"turns,omitempty"`
	Busy    bool   `json:"busy,omitempty"`   // the agent has done something in it
	Asked   bool   `json:"asked,omitempty"`  // the user has said something in it
	Active  bool   `json:"active,omitempty"` // it has begun and not ended
	Broken  bool   `json:"broken,omitempty"` // an error ended it
	Aborted int64  `json:"aborted,omitempty"`

	Twins []codexTwin `json:"twins,omitempty"`
	Last  []string    `json:"last,omitempty"` // hashes of what the user said in the turn
	Again []string    `json:"again,omitempty"`

	Calls []codexCall `json:"calls,omitempty"`
	Items bool        `json:"items,omitempty"` // the end of every command is a record of its own
	Goal  string      `json:"goal,omitempty"`  // hash of the goal seen last
}

// The bounds of the state.
const (
	codexIDLimit  = 200     // an id of a call, turn or thread
	codexTwinsMax = 128     // texts of a turn whose twin may still come
	codexCallsMax = 48      // calls without a final answer
	codexPartMax  = 4 << 10 // output of a running command, before its end
	codexChainMax = 16
)

// codexCall is a tool call that waits for its answer.
type codexCall struct {
	ID      string       `json:"id"`
	Base    string       `json:"base"` // of its records
	Tool    string       `json:"tool"`
	Action  event.Action `json:"act"`
	Subject string       `json:"sub,omitempty"`
	Dir     string       `json:"dir,omitempty"`
	Paths   []event.Path `json:"paths,omitempty"`
	Added   int          `json:"add,omitempty"`
	Removed int          `json:"rem,omitempty"`
	Patch   bool         `json:"patch,omitempty"` // it applies a patch
	Script  string       `json:"in,omitempty"`    // the script call that it is a part of
	Loose   bool         `json:"loose,omitempty"` // its subject could not be read exactly
	Silent  bool         `json:"quiet,omitempty"` // it has no events of its own
	Running string       `json:"run,omitempty"`   // id of the process or cell it runs in
	Agent   string       `json:"agent,omitempty"` // the sub-agent it started
	Part    string       `json:"part,omitempty"`  // output so far
	Ask     []codexAsk   `json:"ask,omitempty"`
}

// codexAsk is a question to the user that waits for its answer.
type codexAsk struct {
	ID   string `json:"id"`
	Text string `json:"q"`
}

func (s *codexState) save() ([]byte, error) { return json.Marshal(s) }

func (s *codexState) restore(state []byte) error {
	if err := json.Unmarshal(state, s); err != nil {
		return fmt.Errorf("state of the codex decoder: %v", err)
	}
	return nil
}

// owner is the thread that the present record belongs to.
func (s *codexState) owner() string {
	if s.Replay && s.Owner != "" {
		return s.Owner
	}
	return s.Thread
}

// find returns the waiting call with this id.
func (s *codexState) find(id string) *codexCall {
	return s.findBy(func(c *codexCall) bool { return c.ID == id })
}

func (s *codexState) findBy(is func(*codexCall) bool) *codexCall {
	for i := range s.Calls {
		if is(&s.Calls[i]) {
			return &s.Calls[i]
		}
	}
	return nil
}

// add remembers a call; a call with a known id replaces nothing and is refused.
func (s *codexState) add(c codexCall) bool {
	if s.find(c.ID) != nil {
		return false
	}
	if len(s.Calls) >= codexCallsMax {
		s.Calls = slices.Delete(s.Calls, 0, 1)
	}
	s.Calls = append(s.Calls, c)
	return true
}

// remove forgets an answered call.
func (s *codexState) remove(id string) {
	s.Calls = slices.DeleteFunc(s.Calls, func(c codexCall) bool { return c.ID == id })
}
