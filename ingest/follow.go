package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// debounce collects the events of one burst of writing.
	debounce = 10 * time.Millisecond
	// pollMin is the shortest time between looks where something must be polled.
	pollMin = 2 * time.Second
	// pollMax is the longest where everything is watched.
	pollMax = 10 * time.Minute
)

// follower is the one goroutine that watches and looks.
type follower struct {
	in      *Ingester
	changed map[string]*root // files with news since the last flush
	flush   *time.Timer
	took    time.Duration // of the last look at everything
}

// follow watches until ctx ends.
func (in *Ingester) follow(ctx context.Context) {
	f := &follower{in: in, changed: make(map[string]*root), flush: time.NewTimer(time.Hour)}
	defer f.flush.Stop()
	defer in.watch.stop()
	f.lookAround(backfill)
	poll := time.NewTimer(f.interval())
	defer poll.Stop()
	for {
		events, failures := in.watch.channels()
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				in.watch.stop()
				f.lookAround(live)
				continue
			}
			f.notice(e)
		case err, ok := <-failures:
			if !ok {
				in.watch.stop()
				f.lookAround(live)
				continue
			}
			in.log.Warn("watching", "err", err)
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				in.watch.overflowed()
			}
			f.lookAround(live)
		case <-f.flush.C:
			f.deliver()
		case <-poll.C:
			f.lookAround(live)
			poll.Reset(f.interval())
		case <-in.wake:
			f.lookAround(live)
		}
	}
}

// lookAround looks at all roots and asks for what has changed to be read.
func (f *follower) lookAround(kind queueKind) {
	start := time.Now()
	f.in.watch.start(start)
	f.in.lookAll(true, kind)
	f.took = time.Since(start)
}

// interval is the time to the next look: a small share of what looking costs,
// a larger one where nothing else tells of changes.
func (f *follower) interval() time.Duration {
	if f.in.watch.polls() {
		return min(max(50*f.took, pollMin), max(f.in.opt.Poll, pollMin))
	}
	return max(min(5000*f.took, pollMax), f.in.opt.Poll)
}

// lookAll looks at all roots.
func (in *Ingester) lookAll(watch bool, kind queueKind) {
	var all []found
	for _, r := range in.distinct() {
		all = append(all, in.look(r, r.dir, watch, false)...)
	}
	in.wantAll(all, kind)
}

// distinct leaves out roots that lead to the same directory as one before.
func (in *Ingester) distinct() []*root {
	type place struct {
		agent string
		id    [2]uint64
	}
	seen := make(map[place]bool)
	var list []*root
	for _, r := range in.roots {
		if info, err := os.Stat(r.dir); err == nil {
			if id, ok := identity(info); ok {
				p := place{r.agent.Name, id}
				if seen[p] {
					continue
				}
				seen[p] = true
			}
		}
		list = append(list, r)
	}
	return list
}

// wantAll asks for files to be read, the newest first.
func (in *Ingester) wantAll(all []found, kind queueKind) {
	in.files.mu.Lock()
	defer in.files.mu.Unlock()
	if kind == live {
		for i := len(all) - 1; i >= 0; i-- {
			in.files.wantLocked(all[i].st, kind)
		}
		return
	}
	for _, f := range all {
		in.files.wantLocked(f.st, kind)
	}
}

// notice takes one event. Files are collected for a moment; a new directory is
// watched and looked into at once, for what is in it already gives no event.
func (f *follower) notice(e fsnotify.Event) {
	path := filepath.Clean(e.Name)
	if e.Op.Has(fsnotify.Remove) || e.Op.Has(fsnotify.Rename) {
		f.in.watch.drop(path)
	}
	r, transcript := f.in.rootOf(path)
	switch {
	case r == nil || path == r.dir:
		f.above(path)
	case transcript:
		if e.Op != fsnotify.Chmod || !f.in.files.unchanged(path) {
			f.mark(path, r)
		}
	case e.Op.Has(fsnotify.Create):
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			f.in.wantAll(f.in.look(r, path, true, false), live)
		}
	}
}

// above looks again at the roots at or below a path outside of them.
func (f *follower) above(path string) {
	for _, r := range f.in.distinct() {
		if r.dir == path || strings.HasPrefix(r.dir, path+string(filepath.Separator)) {
			f.in.wantAll(f.in.look(r, r.dir, true, false), live)
		}
	}
}

func (f *follower) mark(path string, r *root) {
	if len(f.changed) == 0 {
		f.flush.Reset(debounce)
	}
	f.changed[path] = r
}

// deliver asks for the collected files to be read.
func (f *follower) deliver() {
	for path, r := range f.changed {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || f.in.opt.Excluded(path) {
			continue
		}
		f.in.files.changed(r, path, info.Size(), info.ModTime().UnixNano())
	}
	clear(f.changed)
}

// unchanged reports whether a file looks as it did.
func (t *table) unchanged(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	st := t.files[path]
	return st != nil && st.err == nil && !st.racy && st.size == info.Size() && st.mtime == info.ModTime().UnixNano()
}

// changed notes how a file looks now and asks for it to be read.
func (t *table) changed(r *root, path string, size, mtime int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	st := t.get(r, path)
	st.size, st.mtime, st.racy = size, mtime, racy(mtime, time.Now())
	st.look = t.looks
	t.wantLocked(st, live)
}
