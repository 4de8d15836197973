package fact

import (
	"cmp"
	"strings"
)

// Stamp is the place of a write in the order of all writes. The greatest wins.
type Stamp struct {
	Time    int64  `json:"t"`           // Unix milliseconds, running maximum within its file
	Session string `json:"s,omitempty"` // session id
	File    string `json:"f,omitempty"` // base name of the transcript
	Pos     int64  `json:"p,omitempty"` // byte offset of the record
	Place   int    `json:"i,omitempty"` // place within the record
}

// Compare orders two stamps: negative when a comes before b.
func (a Stamp) Compare(b Stamp) int {
	return cmp.Or(
		cmp.Compare(a.Time, b.Time),
		strings.Compare(a.Session, b.Session),
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Pos, b.Pos),
		cmp.Compare(a.Place, b.Place),
	)
}

// Row says which row of the capture table a fact comes from.
type Row string

// The rows of the capture table.
const (
	RowMarker     Row = "marker"
	RowPrompt     Row = "prompt"
	RowOutcome    Row = "outcome"
	RowOpenTurn   Row = "open_turn"
	RowAction     Row = "action"
	RowFiles      Row = "files"
	RowTool       Row = "tool_result"
	RowFailure    Row = "failure"
	RowThinking   Row = "thinking"
	RowTask       Row = "task"
	RowSection    Row = "section"
	RowCheckpoint Row = "checkpoint"
	RowChoice     Row = "choice"
	RowPreference Row = "preference"
	RowSession    Row = "session"
	RowConfig     Row = "config"
	RowCustom     Row = "custom" // a rule of the user's own
)

// Class groups tool results by what they mean for the work.
type Class string

// The classes of tool results.
const (
	ClassOther Class = ""
	ClassCheck Class = "check" // build, test, lint, type check, format
	ClassVCS   Class = "vcs"   // commit, push, merge, tag, pull request, release, deploy
	ClassAgent Class = "agent" // a sub-agent's answer
	ClassWrite Class = "write" // a write to files
)

// Write is one captured value: rows that need nothing but the greatest stamp.
type Write struct {
	Stamp
	Record  string   `json:"r"` // identity over copies, unique in its file together with Key
	Agent   string   `json:"a,omitempty"`
	Role    string   `json:"o,omitempty"`
	Row     Row      `json:"w"`
	Key     string   `json:"k"`
	Value   string   `json:"v"`
	Type    Type     `json:"y"`
	Parents []string `json:"e,omitempty"` // candidates, best first; the first that counts is the edge
	Class   Class    `json:"c,omitempty"`
	Turn    string   `json:"u,omitempty"` // id of the turn it belongs to
}

// Turn is the register of one turn, rewritten whole while it goes on.
type Turn struct {
	Stamp            // of the record that opened it
	ID      string   `json:"r"` // that record's id
	Agent   string   `json:"a,omitempty"`
	Sub     bool     `json:"sub,omitempty"` // of a sub-agent: only Files count
	Ordinal int      `json:"n"`             // number of the turn in its session, from 1
	End     int64    `json:"end"`           // time of its newest record
	Closed  bool     `json:"closed,omitempty"`
	Void    bool     `json:"void,omitempty"` // withdrawn by a rollback
	Prompt  string   `json:"k,omitempty"`    // key of its prompt's entry, empty without one
	Open    string   `json:"open,omitempty"` // value of progress:turn while it is not closed
	Result  Part     `json:"res,omitzero"`   // outcome, once closed
	Action  Part     `json:"act,omitzero"`
	Files   Part     `json:"fil,omitzero"`
	Parents []string `json:"e,omitempty"` // candidates for the edges of Result, Action and Files
}

// Part is one value that a turn's register gives.
type Part struct {
	Stamp
	Record string `json:"r,omitempty"`
	Key    string `json:"k,omitempty"`
	Value  string `json:"v,omitempty"`
	Type   Type   `json:"y,omitempty"`
}

// Run is the newest failure or the newest success of one failing subject.
type Run struct {
	Stamp
	Record  string   `json:"r"`
	Agent   string   `json:"a,omitempty"`
	Failed  bool     `json:"x,omitempty"`
	Key     string   `json:"k,omitempty"`   // of a failure: key of the error entry
	Value   string   `json:"v,omitempty"`   // of a failure: its value
	Subject string   `json:"sj"`            // hash of tool, subject and directory
	Group   string   `json:"g,omitempty"`   // hash of tool and class, empty without a class
	Label   string   `json:"l,omitempty"`   // of a success: its subject, shown as what ended a failure
	Times   int      `json:"n,omitempty"`   // of a failure: how often the subject has failed in this source
	Whole   bool     `json:"all,omitempty"` // a success that covers its whole class
	Class   Class    `json:"c,omitempty"`
	Parents []string `json:"e,omitempty"`
	Turn    string   `json:"u,omitempty"`
}

// TaskItem is the newest status of one task in one session.
type TaskItem struct {
	Stamp
	Record  string   `json:"r"`
	Agent   string   `json:"a,omitempty"`
	Slug    string   `json:"g"`
	ID      string   `json:"id,omitempty"`
	Text    string   `json:"x"`
	Status  string   `json:"st"` // normalised: pending, in_progress, completed, cancelled
	Note    string   `json:"nt,omitempty"`
	Rounds  int      `json:"rd,omitempty"` // how often its status changed
	Parents []string `json:"e,omitempty"`
	Turn    string   `json:"u,omitempty"`
}

// TaskList is the newest list of one session: the slugs that stand on it.
type TaskList struct {
	Stamp
	Record string   `json:"r"`
	Slugs  []string `json:"g"`
}

// Compaction is the newest compaction of one session and what its summary lists.
type Compaction struct {
	Stamp
	Record     string    `json:"r"`
	Agent      string    `json:"a,omitempty"`
	Checkpoint string    `json:"cp"` // value of checkpoint:summary
	Sections   []Section `json:"sec,omitempty"`
	Parents    []string  `json:"e,omitempty"` // for the checkpoint
}

// Section is one bullet of a compaction summary.
type Section struct {
	Key      string `json:"k"`
	Value    string `json:"v"`
	Type     Type   `json:"y"`
	Progress bool   `json:"pr,omitempty"` // of a progress section: gone once a later turn has closed
}

// Call is one tool call of the ring that query sees.
type Call struct {
	Stamp
	Record string `json:"r"`
	Agent  string `json:"a,omitempty"`
	Name   string `json:"n"`
	Args   string `json:"g,omitempty"`
	Result string `json:"x,omitempty"`
	Failed bool   `json:"fl,omitempty"`
	Key    string `json:"k,omitempty"` // key of the entry made of it, where one was: deleting that hides the call
}

// File is the newest touch of one path by one action in one session.
type File struct {
	Stamp
	Path   string `json:"h"`
	Action string `json:"a"`
}

// Session is what is known of one session.
type Session struct {
	ID        string `json:"id"`
	Agent     string `json:"agent"`
	Model     string `json:"model,omitempty"`
	Provider  string `json:"provider,omitempty"`
	BaseURL   string `json:"baseURL,omitempty"`
	Version   string `json:"version,omitempty"`
	Branch    string `json:"branch,omitempty"`
	Title     string `json:"title,omitempty"`
	Cwd       string `json:"cwd"`
	StartedAt int64  `json:"startedAt"`
	UpdatedAt int64  `json:"updatedAt"`
	Turns     int    `json:"turns"`
	File      string `json:"file,omitempty"`
	Parent    string `json:"parent,omitempty"`
	Sub       bool   `json:"sub,omitempty"`
}

// Delta is what one pass over one source adds for one directory. Registers
// (everything but Writes and Calls) replace what the same source said before
// under the same identity.
type Delta struct {
	Writes      []Write
	Turns       []Turn       // by ID
	Runs        []Run        // by Subject and Failed
	Tasks       []TaskItem   // by Session and Slug
	Lists       []TaskList   // by Session
	Compactions []Compaction // by Session
	Calls       []Call
	Files       []File    // by Session, Path and Action
	Sessions    []Session // by ID
}

// Empty reports whether the delta says nothing.
func (d *Delta) Empty() bool {
	return len(d.Writes)+len(d.Turns)+len(d.Runs)+len(d.Tasks)+len(d.Lists)+
		len(d.Compactions)+len(d.Calls)+len(d.Files)+len(d.Sessions) == 0
}
