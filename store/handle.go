package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/kmemd/kmemd/store/merge"
)

// errNoStore says that a directory has no store, which is no failure.
var errNoStore = fmt.Errorf("no store: %w", ErrNotFound)

// A handle is a store in use. Stores are opened when first needed and closed
// when nobody has used them for a while.
type handle struct {
	dir string

	refs int       // guarded by Pool.mu
	used time.Time // guarded by Pool.mu

	load  sync.Mutex // held while it is opened
	store *store     // set once, under load
}

// enter begins a call; it is refused once the pool is being closed.
func (p *Pool) enter() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	p.calls.Add(1)
	return nil
}

func (p *Pool) leave() { p.calls.Done() }

// acquire returns the open store of a directory, to be released. Without
// create a directory that has none gives errNoStore.
func (p *Pool) acquire(ctx context.Context, dir string, create bool) (*handle, error) {
	for {
		h := p.handle(dir)
		h.load.Lock()
		if h.store == nil {
			if !p.holds(h) {
				h.load.Unlock() // the one who opened it failed, or gave it up
				p.release(h)
				continue
			}
			s, err := p.openStore(ctx, dir, create)
			if err != nil {
				p.drop(h)
				h.load.Unlock()
				p.release(h)
				return nil, err
			}
			h.store = s
		}
		h.load.Unlock()
		p.closeExtra()
		return h, nil
	}
}

// handle returns the handle of a directory, one more using it.
func (p *Pool) handle(dir string) *handle {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.open[dir]
	if h == nil {
		h = &handle{dir: dir}
		p.open[dir] = h
	}
	h.refs++
	h.used = time.Now()
	return h
}

func (p *Pool) holds(h *handle) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[h.dir] == h
}

func (p *Pool) release(h *handle) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h.refs--
	h.used = time.Now()
}

// drop takes a handle out of the map, so that the next one to ask opens anew.
func (p *Pool) drop(h *handle) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[h.dir] == h {
		delete(p.open, h.dir)
	}
}

// openStore opens or creates the store of a directory. A damaged or lost one
// is rebuilt: what can be rescued is, and the transcripts are read again.
func (p *Pool) openStore(ctx context.Context, dir string, create bool) (*store, error) {
	path := storePath(p.data, dir)
	if _, err := os.Lstat(path); missing(err) {
		if p.stored(dir, false) {
			if err := p.lost(dir, ""); err != nil {
				return nil, err
			}
		}
		if !create {
			return nil, errNoStore
		}
		if err := p.createStore(ctx, dir, path); err != nil {
			return nil, err
		}
	}
	p.stored(dir, true)
	s, err := p.openChecked(ctx, path, dir)
	if damaged(err) {
		s, err = p.rebuild(ctx, dir, path, err)
	}
	if err != nil {
		if !errors.Is(err, errNoStore) {
			p.trouble(path, err)
		}
		return nil, err
	}
	p.trouble(path, nil)
	if err := p.level(s); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// stored notes whether a directory's store is there, and returns what was
// noted before.
func (p *Pool) stored(dir string, there bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, was := p.there[dir]
	if there {
		p.there[dir] = struct{}{}
	} else {
		delete(p.there, dir)
	}
	return was
}

func (p *Pool) createStore(ctx context.Context, dir, path string) error {
	p.register(ctx, dir)
	return createStore(path, dir, p.note(dir), p.tombstones(p.projectOfStore(dir)))
}

// openChecked opens a store, after verifying it where the last process ended
// badly. When the system has no more handles, other stores are closed first.
func (p *Pool) openChecked(ctx context.Context, path, dir string) (*store, error) {
	p.mu.Lock()
	suspect := p.suspects[dir]
	delete(p.suspects, dir)
	strikes := p.strikes[dir]
	delete(p.strikes, dir)
	p.mu.Unlock()
	if strikes >= maxStrikes {
		return nil, &damageError{path, "fails again and again"}
	}
	if suspect && p.o.Verify != nil {
		if err := p.o.Verify(ctx, path); err != nil && ctx.Err() == nil {
			return nil, &damageError{path, err.Error()}
		}
	}
	s, err := openStore(path, dir)
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		p.closeIdle(time.Now())
		s, err = openStore(path, dir)
	}
	if err != nil || len(s.bad) == 0 {
		return s, err
	}
	p.log.Warn("damaged rows dropped", "path", path, "n", len(s.bad))
	p.mu.Lock()
	p.counts.badRows += len(s.bad)
	p.mu.Unlock()
	// What the transcripts have given they give again.
	if err := errors.Join(p.forgetSources(dir), s.dropBad()); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// level gives a store the tombstones that it lacks, and the registry those
// that only the store has; and finishes an erasure that was interrupted.
func (p *Pool) level(s *store) error {
	id := p.projectOfStore(s.dir)
	var unknown []merge.Tombstone
	have := p.tombstones(id)
	for _, t := range s.tombstones {
		var changed bool
		if have, changed = addTombstone(have, t); changed {
			unknown = append(unknown, t)
		}
	}
	if len(unknown) > 0 {
		if err := p.catalog.bury(id, unknown); err != nil {
			return err
		}
		p.reset(id)
	}
	_, err := s.bury(have)
	if err == nil {
		err = s.finish()
	}
	return err
}

// maxStrikes is how often a store that can be read may fail to be written
// before it counts as damaged.
const maxStrikes = 3

// failed closes a store whose file cannot be used any more. The next one to
// ask opens it anew, and finds out whether it is damaged. After an input or
// output error nothing that the system still holds of the file can be trusted.
func (p *Pool) failed(h *handle, err error) {
	p.trouble(h.store.path, err)
	if !damaged(err) && !errors.Is(err, syscall.EIO) {
		return
	}
	p.drop(h)
	p.mu.Lock()
	p.strikes[h.dir]++
	p.mu.Unlock()
	h.store.file.broken.Store(true)
	_ = h.store.close()
	p.reset(p.projectOfStore(h.dir))
}

// worked takes back what failed had noted.
func (p *Pool) worked(h *handle) {
	p.mu.Lock()
	delete(p.strikes, h.dir)
	p.mu.Unlock()
	p.trouble(h.store.path, nil)
}

// checkFiles gives up the stores whose files somebody has renamed or deleted:
// what is written into such a file is lost.
func (p *Pool) checkFiles() {
	p.mu.Lock()
	var open []*handle
	for _, h := range p.open {
		if h.refs == 0 && h.store != nil {
			h.refs++
			open = append(open, h)
		}
	}
	p.mu.Unlock()
	for _, h := range open {
		if !h.store.file.current() {
			p.failed(h, &damageError{h.store.path, "replaced by somebody"})
		}
		p.release(h)
	}
}

// closeExtra closes the stores that nobody has used for longest while there
// are too many.
func (p *Pool) closeExtra() {
	p.mu.Lock()
	over := len(p.open) - p.o.MaxOpen
	if over <= 0 {
		p.mu.Unlock()
		return
	}
	idle := p.idleLocked()
	idle = idle[:min(over, len(idle))]
	for _, h := range idle {
		delete(p.open, h.dir)
	}
	p.mu.Unlock()
	p.closeHandles(idle)
}

// closeIdle closes the stores that nobody uses or has used since a time, and
// drops the views of projects of which nothing is open.
func (p *Pool) closeIdle(since time.Time) {
	p.mu.Lock()
	idle := slices.DeleteFunc(p.idleLocked(), func(h *handle) bool { return h.used.After(since) })
	for _, h := range idle {
		delete(p.open, h.dir)
	}
	p.mu.Unlock()
	p.closeHandles(idle)
	p.dropViews(since)
}

// idleLocked returns the open stores that nobody uses, the longest unused first.
func (p *Pool) idleLocked() []*handle {
	var idle []*handle
	for _, h := range p.open {
		if h.refs == 0 && h.store != nil {
			idle = append(idle, h)
		}
	}
	slices.SortFunc(idle, func(a, b *handle) int { return a.used.Compare(b.used) })
	return idle
}

func (p *Pool) closeHandles(handles []*handle) {
	for _, h := range handles {
		if err := h.store.tidy(); err != nil {
			p.trouble(h.store.path, err)
		}
		if err := h.store.close(); err != nil {
			p.trouble(h.store.path, err)
		}
	}
}

// closeAll closes every store; nobody uses any of them any more.
func (p *Pool) closeAll() error {
	p.calls.Wait()
	p.mu.Lock()
	handles := slices.Collect(maps.Values(p.open))
	clear(p.open)
	p.mu.Unlock()
	var errs []error
	for _, h := range handles {
		if h.store != nil {
			errs = append(errs, h.store.close())
		}
	}
	return errors.Join(errs...)
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
