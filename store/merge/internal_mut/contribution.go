package merge

import (
	"cmp"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// Contribution is what one source says in one store, accumulated. It is not
// safe for concurrent use: nobody may read it (Build, State.Put) while
// Accumulate, Erase or Load changes it. The rows that it hands out are shared
// and never changed in place.
type Contribution struct {
	Source string // identity of the source within a store: agent and path
	Agent  string
	Path   string
	Dir    string // directory of the store

	writes      table[fact.Write]
	turns       table[fact.Turn]
	runs        table[fact.Run]
	tasks       table[fact.TaskItem]
	lists       table[fact.TaskList]
	compactions table[fact.Compaction]
	calls       table[fact.Call]
	files       table[fact.File]
	sessions    table[fact.Session]
	ghosts      table[Ghost]

	derived *derived // what follows from the rows; made when first needed
}

// ID names the contribution among all of a project.
func (c *Contribution) ID() string { return c.Dir + "\x00" + c.Source }

// compareSources orders contributions, for telling equal rows of them apart.
func compareSources(a, b *Contribution) int {
	if a == b {
		return 0
	}
	return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Source, b.Source))
}

// Ghost is what stays of a row after a delete: its place in every order, and
// hashes; no text. Rows that were replaced by newer ones leave ghosts too
// where it matters later that they were there.
type Ghost struct {
	fact.Stamp
	Kind    Kind      `json:"kind"` // kind of the row that was there
	Record  string    `json:"r"`
	Key     string    `json:"k,omitempty"` // KeyHash of the key
	Content string    `json:"c,omitempty"` // ContentHash of the value, where deletes go by content
	Row     fact.Row  `json:"w,omitempty"`
	Type    fact.Type `json:"y,omitempty"`
	Group   string    `json:"g,omitempty"` // cap group of a write, "" where no cap holds
	Slot    string    `json:"l,omitempty"` // of a register: its identity, hashed
}

// Saved is an entry that a caller saved, or that was imported, in one store.
// A store has one for each namespace and key.
type Saved struct {
	fact.Entry
	Dir  string      // directory of the store
	Past []fact.Past // earlier values, newest first
}

// ID names the saved entry among all of a project.
func (s *Saved) ID() string { return s.Dir + "\x00" + s.Namespace + "\x00" + s.Key }

// Tombstone says what was deleted, by hashes. It hides what happened at or
// before its time, and lasts for ever. Which rows it hides:
//
//   - with Session: all of that session;
//   - with Key: that key, and for the rows that go by content also the same
//     content from sessions that had not stated it by then;
//   - with neither: everything.
type Tombstone struct {
	Namespace string // of the key
	Key       string // KeyHash of the key; empty for all keys
	Content   string // ContentHash of a value that only a saved entry had; empty where there was none
	Session   string // id of a forgotten session
	Time      int64  // Unix milliseconds
	Before    bool   // a horizon: retention, or forgetting by age; Key and Session are empty
}

// Caps are how many captured entries of a kind a project keeps. Zero or less
// means no limit.
type Caps struct {
	ToolResult int // for each tool
	Thinking   int
	LowSignal  int // notes and facts together
}

// DefaultCaps are the caps of the specification.
func DefaultCaps() Caps { return Caps{ToolResult: 20, Thinking: 20, LowSignal: 50} }

// ringSize is how many tool calls of a session are kept.
const ringSize = 200

// Cap groups beside the tools' own.
const (
	groupThinking = "thinking"
	groupLow      = "low"
)

// groupOf names the cap group of a captured entry, "" where no cap holds. The
// results of one tool share the key's first two parts.
func groupOf(t fact.Type, key string) string {
	switch t {
	case fact.ToolResult:
		first := strings.IndexByte(key, ':')
		if first < 0 {
			return "tool:"
		}
		if second := strings.IndexByte(key[first+1:], ':'); second >= 0 {
			return key[:first+second+2]
		}
		return key + ":"
	case fact.Thinking:
		return groupThinking
	case fact.Note, fact.FactType:
		return groupLow
	}
	return ""
}

// limit returns the number of keys that a group keeps, 0 for all.
func (c Caps) limit(group string) int {
	n := c.ToolResult
	switch group {
	case "":
		n = 0
	case groupThinking:
		n = c.Thinking
	case groupLow:
		n = c.LowSignal
	}
	return max(n, 0)
}

// single reports whether only the newest write of a row's key counts: nothing
// is asked of the earlier ones, neither when the entry was created nor what it
// said before.
func single(r fact.Row) bool {
	switch r {
	case fact.RowTool, fact.RowThinking, fact.RowAction, fact.RowFiles,
		fact.RowOpenTurn, fact.RowCheckpoint, fact.RowSession:
		return true
	}
	return false
}

// byContent reports whether a delete of the row's key also hides the same
// content from other sessions.
func byContent(r fact.Row) bool {
	switch r {
	case fact.RowPrompt, fact.RowMarker, fact.RowSection, fact.RowChoice, fact.RowPreference:
		return true
	}
	return false
}
