package rules

import (
	"encoding/json"
	"fmt"

	"github.com/kmemd/kmemd/store/fact"
)

// stateVersion is raised when saved state can no longer be read; a source with
// older state is read again from its beginning.
const stateVersion = 1

// state is what an extractor must remember of one source to go on.
type state struct {
	Version  int                 `json:"version"`
	Time     int64               `json:"time"` // running maximum of the record times
	Main     string              `json:"main,omitempty"`
	Sessions map[string]*session `json:"sessions,omitempty"`
}

// session is what is known of one session of the source.
type session struct {
	Info      fact.Session   `json:"info"`
	Started   bool           `json:"started,omitempty"`
	Announce  bool           `json:"announce,omitempty"` // stated before the first record with a time
	Config    string         `json:"config,omitempty"`
	Bases     []string       `json:"bases,omitempty"` // directories it was found to belong to, the start first
	Dir       string         `json:"dir,omitempty"`   // the one that its present records belong to
	Cwd       string         `json:"cwd,omitempty"`   // the directory last stated
	Turn      *turn          `json:"turn,omitempty"`
	LastSlug  string         `json:"slug,omitempty"` // of the last prompt that made an entry
	Question  string         `json:"question,omitempty"`
	Prompts   []string       `json:"prompts,omitempty"`   // the newest prompts' values
	Decisions []string       `json:"decisions,omitempty"` // the newest choices' values
	Outcome   string         `json:"outcome,omitempty"`   // of the newest closed turn
	Tasks     []task         `json:"tasks,omitempty"`
	Calls     []pending      `json:"calls,omitempty"`
	Failed    map[string]int `json:"failed,omitempty"` // failures by subject
	Latest    latest         `json:"latest,omitempty"` // newest key of a type
	History   []past         `json:"history,omitempty"`
	dirty     bool
}

// latest holds the newest key that the session has given of each type.
type latest map[fact.Type]string

// past is one ended turn that a rollback may still withdraw.
type past struct {
	Row fact.Turn `json:"row"`
	Dir string    `json:"dir"`
}

// turn is the turn that goes on.
type turn struct {
	Row         fact.Turn `json:"row"` // as far as it is settled
	Slug        string    `json:"slug,omitempty"`
	Dir         string    `json:"dir,omitempty"`
	Asked       string    `json:"asked,omitempty"`
	Said        string    `json:"said,omitempty"`
	Interrupted bool      `json:"interrupted,omitempty"`
	Spoken      bool      `json:"spoken,omitempty"` // the action comes from the agent's own words
	Result      fact.Part `json:"result,omitzero"`  // outcome, whether closed or not
	Commits     []string  `json:"commits,omitempty"`
	Edited      []string  `json:"edited,omitempty"`
	Named       []string  `json:"named,omitempty"`
	DoneAt      mark      `json:"doneAt,omitzero"` // the record that last added to what was done
	Check       string    `json:"check,omitempty"` // key of the newest check, vcs or sub-agent result
	Tool        string    `json:"tool,omitempty"`  // key of the newest tool result
	reply       string    // last reply, not yet judged
	replyAt     mark
	dirty       bool
}

// mark names a record and its place in the order.
type mark struct {
	fact.Stamp
	Record string `json:"r,omitempty"`
}

// task is the last known status of one item of the task list.
type task struct {
	Slug   string `json:"g"`
	Text   string `json:"t"`
	Status string `json:"s"`
	Rounds int    `json:"n,omitempty"`
	Turn   int    `json:"u,omitempty"` // ordinal of the turn it changed in
	Listed bool   `json:"l,omitempty"`
}

// pending is a call that has no answer yet.
type pending struct {
	ID   string `json:"id"`
	Args string `json:"args,omitempty"`
	Full string `json:"full,omitempty"` // whole arguments, only where a rule reads them
}

// Bounds of what a session's state keeps.
const (
	maxPending = 64
	maxTasks   = 200
	maxRecent  = 5
	maxHistory = 20
	maxPaths   = 200
	maxFailing = 200
)

func decodeState(data []byte) (state, error) {
	st := state{Version: stateVersion, Sessions: map[string]*session{}}
	if len(data) == 0 {
		return st, nil
	}
	if err := json.Unmarshal(data, &st); err != nil {
		return st, fmt.Errorf("read extractor state: %w", err)
	}
	if st.Version != stateVersion {
		return st, fmt.Errorf("extractor state has version %d, this program writes %d", st.Version, stateVersion)
	}
	if st.Sessions == nil {
		st.Sessions = map[string]*session{}
	}
	return st, nil
}

// push appends to a list that keeps its newest n elements.
func push[T any](list []T, v T, n int) []T {
	list = append(list, v)
	if len(list) > n {
		list = append(list[:0:0], list[len(list)-n:]...)
	}
	return list
}
