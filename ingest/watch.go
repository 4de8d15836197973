package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// watcher is what is needed of fsnotify; tests put a smaller one in its place.
type watcher interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
}

// opened is a watcher with the channels it reports on.
type opened struct {
	watcher
	events chan fsnotify.Event
	errors chan error
}

func openWatcher() (opened, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return opened{}, err
	}
	return opened{watcher: w, events: w.Events, errors: w.Errors}, nil
}

// watches keeps the directories that the system tells us about, and those it
// would not: they are polled.
type watches struct {
	open func() (opened, error)

	mu        sync.Mutex // guards the fields below
	w         opened
	dirs      map[string]watched
	ancestors map[string]string // directory watched for the sake of a root that is missing or may be replaced, by root
	polled    map[string]*root
	reason    string // why there are polled ones
	overflows int
	retry     time.Time // no more watches are asked for before
	delay     time.Duration
}

// watched is a directory with a watch. The id tells when another directory
// has taken its place, which ends the watch silently.
type watched struct {
	root *root
	id   [2]uint64
}

const (
	retryMin = time.Minute
	retryMax = time.Hour
)

func newWatches(open func() (opened, error)) *watches {
	return &watches{open: open, dirs: make(map[string]watched), ancestors: make(map[string]string), polled: make(map[string]*root)}
}

// start opens the watcher unless it is open. Where the system refuses,
// everything is polled, and it is tried again later.
func (w *watches) start(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.w.watcher != nil || now.Before(w.retry) {
		return
	}
	o, err := w.open()
	if err != nil {
		w.refused(err, now)
		return
	}
	w.w = o
}

// channels returns what the watcher reports on; nil channels without one.
func (w *watches) channels() (<-chan fsnotify.Event, <-chan error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.events, w.w.errors
}

// stop closes the watcher.
func (w *watches) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.w.watcher != nil {
		w.w.Close() // nothing can be done about an error
	}
	w.w = opened{}
	clear(w.dirs)
	clear(w.ancestors)
	clear(w.polled)
	w.reason, w.retry, w.delay = "", time.Time{}, 0
}

// refused notes why there is no watch. The limits of inotify are named by the
// setting that raises them.
func (w *watches) refused(err error, now time.Time) {
	w.reason = limitReason(err)
	w.delay = min(max(2*w.delay, retryMin), retryMax)
	w.retry = now.Add(w.delay)
}

func limitReason(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "watch limit reached: raise the sysctl fs.inotify.max_user_watches"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "watch limit reached: raise the sysctl fs.inotify.max_user_instances or the limit of open files"
	}
	return "not watched: " + err.Error()
}

// add watches a directory, or notes that it must be polled.
func (w *watches) add(dir string, r *root) {
	info, err := os.Stat(dir)
	if err != nil {
		return
	}
	id, _ := identity(info)
	w.mu.Lock()
	defer w.mu.Unlock()
	if old, ok := w.dirs[dir]; ok && old.id == id {
		return
	}
	delete(w.dirs, dir)
	if w.place(dir) {
		w.dirs[dir] = watched{root: r, id: id}
		delete(w.polled, dir)
		if len(w.polled) == 0 && w.w.watcher != nil {
			w.reason, w.delay = "", 0
		}
		return
	}
	w.polled[dir] = r
}

// place asks the system for a watch; false means that it must be polled.
func (w *watches) place(dir string) bool {
	now := time.Now()
	if w.w.watcher == nil || now.Before(w.retry) {
		return false
	}
	err := w.w.Add(dir)
	if err == nil {
		return true
	}
	if !errors.Is(err, fs.ErrNotExist) {
		w.refused(err, now)
		if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EMFILE) {
			w.retry = now // this directory's own trouble: others may be watched
		}
	}
	return false
}

// ancestor watches the directory above a root, or the nearest one that exists,
// so that a root that comes (back) is seen at once. What was made before the
// watch was there is looked for again, or it would be missed.
func (w *watches) ancestor(dir string) {
	for {
		parent := nearest(filepath.Dir(dir))
		w.mu.Lock()
		_, watched := w.dirs[parent]
		if !watched && w.ancestors[dir] != parent && w.place(parent) {
			w.ancestors[dir] = parent
		}
		w.mu.Unlock()
		if nearest(filepath.Dir(dir)) == parent {
			return
		}
	}
}

// nearest is the directory itself if it exists, else the next one above that does.
func nearest(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}

// drop forgets a directory that is gone, and all below it. They may be there
// still under another name, so their watches are given back.
func (w *watches) drop(dir string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.dirs[dir]; !ok && w.polled[dir] == nil && !w.isAncestor(dir) {
		return // a file: the common case
	}
	below := dir + string(filepath.Separator)
	for d := range w.dirs {
		if d == dir || strings.HasPrefix(d, below) {
			w.w.Remove(d) // an error says that it is gone already
			delete(w.dirs, d)
		}
	}
	for d := range w.polled {
		if d == dir || strings.HasPrefix(d, below) {
			delete(w.polled, d)
		}
	}
	for r, a := range w.ancestors {
		if a == dir {
			delete(w.ancestors, r)
		}
	}
}

func (w *watches) isAncestor(dir string) bool {
	for _, a := range w.ancestors {
		if a == dir {
			return true
		}
	}
	return false
}

// overflowed counts an overflow of the system's queue.
func (w *watches) overflowed() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.overflows++
}

// polls reports whether some directories must be polled.
func (w *watches) polls() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.polled) > 0 || w.w.watcher == nil
}
