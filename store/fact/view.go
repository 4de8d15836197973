package fact

// Fact is an entry as a reader sees it, with what rendering needs to know of it.
type Fact struct {
	Entry
	Row      Row    // of a captured entry; RowMarker also for markers; empty for saved ones
	Class    Class  // of a tool result or a failure
	Turn     string // id of the turn it belongs to, of a captured entry
	Resolved bool   // of a captured error: the register says that it is handled
	Task     bool   // an open task of an agent's list
	Status   string // of a task: its normalised status
	Times    int    // of a captured error: how often it has failed, as far as known
	EndedBy  string // of a resolved one: what succeeded
	EndedAt  int64  // when, Unix milliseconds
	EndedIn  string // in which session
	Past     []Past // earlier different values, newest first, three at most; never rendered
}

// Past is an earlier value of an entry.
type Past struct {
	Value string `json:"value"`
	At    int64  `json:"at"`
}

// View is one project as a reader sees it: the merged stores of all its
// directories. It is immutable and may be shared.
type View struct {
	Project  string    // the project's root directory
	Facts    []Fact    // ordered by namespace, then key
	Turns    []Turn    // of main sessions, not void, oldest first by (Start time, Session, ordinal)
	Sessions []Session // newest first by UpdatedAt
	Files    []File    // newest first
	Tasks    []TaskItem
	Calls    map[string][]Call // by session, oldest first
	Sequence uint64            // changes whenever the view does
}

// Get returns the fact of a key in the default namespace.
func (v *View) Get(key string) (*Fact, bool) { return v.GetIn("", key) }

// GetIn returns the fact of a key in a namespace.
func (v *View) GetIn(namespace, key string) (*Fact, bool) {
	lo, hi := 0, len(v.Facts)
	for lo < hi {
		mid := (lo + hi) / 2
		f := &v.Facts[mid]
		if f.Namespace < namespace || f.Namespace == namespace && f.Key < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(v.Facts) && v.Facts[lo].Namespace == namespace && v.Facts[lo].Key == key {
		return &v.Facts[lo], true
	}
	return nil, false
}
