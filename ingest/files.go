package ingest

import (
	"context"
	"sync"
	"time"

	"github.com/kmemd/kmemd/ingest/agents"
)

// file is what is known of one source while the process runs. While busy is
// set its ahead and lag belong to the goroutine that reads it; everything else
// is guarded by the table's mutex.
type file struct {
	src   Source
	root  *root
	agent *agents.Agent

	size, mtime int64 // as last looked at, mtime in Unix nanoseconds
	racy        bool  // it had just been changed then: look again
	wanted      int64 // how often reading was asked for
	done        int64 // the value of wanted when the last reading began
	queued      queueKind
	busy        bool
	generation  int       // of the table when it was last read
	since       time.Time // when the oldest wish that is not fulfilled came
	failures    int
	err         error
	tookAt      time.Time
	skips       map[string]int
	look        int64 // number of the look that last saw it

	ahead *Cursor // read further than the sink knows, nothing having come of it
	base  int64   // where the sink stood then; from elsewhere ahead says nothing
	lag   int64   // bytes of that
}

// queueKind says which queue a file waits in.
type queueKind uint8

const (
	notQueued queueKind = iota
	backfill            // found by a look: newest first
	live                // changed just now
)

// table holds the files and the two queues of those to be read.
type table struct {
	mu      sync.Mutex
	cond    *sync.Cond // something changed that a waiter may wait for
	files   map[string]*file
	live    []*file
	older   []*file // the next one last
	paused  bool
	closed  bool
	running bool
	looks   int64

	// generation is counted up when everything is to be read from the beginning.
	generation int
}

func newTable() *table {
	t := &table{files: make(map[string]*file)}
	t.cond = sync.NewCond(&t.mu)
	return t
}

// get returns the file of a path, making it. The caller holds mu.
func (t *table) get(r *root, path string) *file {
	st := t.files[path]
	if st == nil {
		st = &file{src: Source{Agent: r.agent.Name, Root: r.dir, Path: path}, root: r, agent: r.agent}
		t.files[path] = st
	}
	return st
}

// want asks for a file to be read. Repeated wishes are one.
func (t *table) want(st *file, kind queueKind) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wantLocked(st, kind)
}

func (t *table) wantLocked(st *file, kind queueKind) {
	if st.wanted == st.done {
		st.since = time.Now()
	}
	st.wanted++
	if st.busy || st.queued >= kind {
		return // its reader looks again when it is done; or it waits there already
	}
	st.queued = kind
	if kind == live {
		t.live = append(t.live, st)
	} else {
		t.older = append(t.older, st)
	}
	t.cond.Broadcast()
}

// take waits for a file to read; nil when the table is closed. A file is held
// by one reader at a time.
func (t *table) take(liveOnly bool) (st *file, generation int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if t.closed {
			return nil, 0
		}
		if !t.paused {
			if st = t.pop(liveOnly); st != nil {
				st.busy, st.queued, st.done = true, notQueued, st.wanted
				return st, t.generation
			}
		}
		t.cond.Wait()
	}
}

// pop takes the next file off a queue. An entry that was moved to the other
// queue, or read meanwhile, is stale.
func (t *table) pop(liveOnly bool) *file {
	for len(t.live) > 0 {
		st := t.live[0]
		t.live = t.live[1:]
		if st.queued == live && !st.busy {
			return st
		}
	}
	for !liveOnly && len(t.older) > 0 {
		st := t.older[len(t.older)-1]
		t.older = t.older[:len(t.older)-1]
		if st.queued == backfill && !st.busy {
			return st
		}
	}
	return nil
}

// release gives a file back after reading, in the generation that the table
// had when it was taken. One that was wished for meanwhile waits again.
func (t *table) release(st *file, err error, generation int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	st.busy, st.err = false, err
	if err == nil {
		st.failures = 0
		st.generation = generation
	} else {
		st.failures++
	}
	if st.wanted > st.done {
		st.wanted--
		t.wantLocked(st, live)
	}
	t.cond.Broadcast()
}

// took notes that the sink has taken a chunk.
func (t *table) took(st *file, skipped []Skip) {
	t.mu.Lock()
	defer t.mu.Unlock()
	st.tookAt = time.Now()
	for _, s := range skipped {
		if st.skips == nil {
			st.skips = make(map[string]int)
		}
		if len(st.skips) < 16 || st.skips[s.Reason] > 0 {
			st.skips[s.Reason]++
		}
	}
}

// stat is what a file looked like when it was last looked at.
func (t *table) stat(st *file) (size, mtime int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return st.size, st.mtime
}

// pause stops handing out files, or goes on with it.
func (t *table) pause(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.paused = on
	t.cond.Broadcast()
}

// wait returns when every file has been read as often as it was wished for
// now, or ctx ends.
func (t *table) wait(ctx context.Context, files []*file) error {
	stop := context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.cond.Broadcast()
	})
	defer stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	want := make([]int64, len(files))
	for i, st := range files {
		want[i] = st.wanted
	}
	for i, st := range files {
		for st.busy || st.done < want[i] {
			if err := ctx.Err(); err != nil {
				return err
			}
			if t.paused {
				return ErrPaused
			}
			if t.closed {
				return context.Canceled
			}
			t.cond.Wait()
		}
	}
	return nil
}

// pending lists the files that are being read or wait to be.
func (t *table) pending() []*file {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*file
	for _, st := range t.files {
		if st.busy || st.wanted > st.done {
			list = append(list, st)
		}
	}
	return list
}
