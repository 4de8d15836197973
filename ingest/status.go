package ingest

import (
	"os"
	"slices"
	"strings"
	"time"
)

// The states of a root.
const (
	StateWatching = "watching" // the system tells of changes
	StatePolling  = "polling"  // some or all directories are looked at from time to time
	StateMissing  = "missing"  // the directory does not exist (yet)
	StateIdle     = "idle"     // Run is not running
	StatePaused   = "paused"
)

// RootStatus is how one directory of one agent stands.
type RootStatus struct {
	Agent   string
	Dir     string
	State   string
	Files   int           // transcripts known
	Newest  int64         // newest modification time, Unix milliseconds
	Read    int64         // when something was last taken, Unix milliseconds
	Waiting int           // files that wait to be read or are being read
	Lag     time.Duration // how long the oldest of them has waited
	Skipped []SkipCount
	Failed  []FailedFile // files that could not be read
	Watched int          // directories with a watch
	Polled  int          // directories without
	Reason  string       // why there are any: the limit and the setting that raises it

	Overflows int // times the system's queue ran over, of all roots
}

// SkipCount says how often something was skipped for a reason.
type SkipCount struct {
	Reason string
	Count  int
}

// FailedFile is a file that could not be read, and why.
type FailedFile struct{ Path, Reason string }

const maxFailed = 10

// Status tells how every root stands, in the order of the agents.
func (in *Ingester) Status() []RootStatus {
	list := make([]RootStatus, len(in.roots))
	index := make(map[*root]int, len(in.roots))
	for i, r := range in.roots {
		list[i] = RootStatus{Agent: r.agent.Name, Dir: r.dir, State: StateIdle}
		index[r] = i
		if _, err := os.Stat(r.dir); err != nil {
			list[i].State = StateMissing
		}
	}
	running, paused := in.files.status(list, index)
	in.watch.status(list, index)
	for i := range list {
		s := &list[i]
		switch {
		case s.State == StateMissing:
		case paused:
			s.State = StatePaused
		case running && s.Polled > 0:
			s.State = StatePolling
		case running:
			s.State = StateWatching
		}
	}
	return list
}

// status fills in what the files tell.
func (t *table) status(list []RootStatus, index map[*root]int) (running, paused bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	skips := make([]map[string]int, len(list))
	for _, st := range t.files {
		i, ok := index[st.root]
		if !ok {
			continue
		}
		s := &list[i]
		s.Files++
		s.Newest = max(s.Newest, st.mtime/1e6)
		if !st.tookAt.IsZero() {
			s.Read = max(s.Read, st.tookAt.UnixMilli())
		}
		if st.busy || st.wanted > st.done {
			s.Waiting++
			s.Lag = max(s.Lag, time.Since(st.since))
		}
		if st.err != nil && len(s.Failed) < maxFailed {
			s.Failed = append(s.Failed, FailedFile{st.src.Path, st.err.Error()})
		}
		for reason, n := range st.skips {
			if skips[i] == nil {
				skips[i] = make(map[string]int)
			}
			skips[i][reason] += n
		}
	}
	for i := range list {
		for reason, n := range skips[i] {
			list[i].Skipped = append(list[i].Skipped, SkipCount{reason, n})
		}
		slices.SortFunc(list[i].Skipped, func(a, b SkipCount) int { return strings.Compare(a.Reason, b.Reason) })
		slices.SortFunc(list[i].Failed, func(a, b FailedFile) int { return strings.Compare(a.Path, b.Path) })
	}
	return t.running, t.paused
}

// status fills in what the watches tell.
func (w *watches) status(list []RootStatus, index map[*root]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.dirs {
		if i, ok := index[d.root]; ok {
			list[i].Watched++
		}
	}
	for _, r := range w.polled {
		if i, ok := index[r]; ok {
			list[i].Polled++
		}
	}
	for i := range list {
		list[i].Overflows = w.overflows
		if list[i].Polled > 0 {
			list[i].Reason = w.reason
		}
	}
}
