package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// A project is what the pool keeps in memory of one while somebody reads it.
type project struct {
	calls   sync.Mutex            // saving and deleting, one at a time
	room    chan struct{}         // of size 1: one builds the view, the others wait for it
	commits atomic.Uint64         // changes of its stores
	view    atomic.Pointer[built] // the newest view
	used    atomic.Int64          // Unix milliseconds of the last look

	mu sync.Mutex // taken after store.write; nothing waits for the disk under it
	// mu guards the fields below.
	state *merge.State // what its stores hold, merged; nil until somebody looks
	epoch uint64       // of the registry, when state was made
}

// A built view is good for as long as nothing of this changes.
type built struct {
	view           *fact.View
	commits, epoch uint64
}

// A publisher tells the readers of a project what a store has committed. It is
// called while the store can take nothing else, so that changes arrive in order.
type publisher func(apply func(*merge.State))

// publisher returns that of a project.
func (p *Pool) publisher(id string) publisher {
	return func(apply func(*merge.State)) {
		pr := p.projectState(id)
		epoch := p.registryEpoch()
		pr.mu.Lock()
		if pr.state != nil && pr.epoch == epoch {
			apply(pr.state)
		} else {
			pr.state = nil
		}
		pr.mu.Unlock()
		p.changed(id)
	}
}

func (p *Pool) registryEpoch() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.epoch
}

// reset forgets what is merged of a project: its stores are read anew.
func (p *Pool) reset(id string) {
	pr := p.projectState(id)
	pr.mu.Lock()
	pr.state = nil
	pr.mu.Unlock()
	p.changed(id)
}

// projectState returns what is kept of a project.
func (p *Pool) projectState(id string) *project {
	p.mu.Lock()
	defer p.mu.Unlock()
	pr := p.projects[id]
	if pr == nil {
		pr = &project{room: make(chan struct{}, 1)}
		p.projects[id] = pr
	}
	return pr
}

// changed makes the view of a project out of date.
func (p *Pool) changed(id string) {
	p.projectState(id).commits.Add(1)
	p.notify(id)
}

// registryChanged makes every view out of date: directories may have changed
// their projects.
func (p *Pool) registryChanged() {
	p.mu.Lock()
	p.epoch++
	p.mu.Unlock()
	p.forgetPlaces()
	p.wake()
}

// View returns the project of a directory as one memory: the stores of all its
// directories, merged. It is a snapshot, shared and never changed; once it has
// been built it costs nothing until something is committed, and building it
// waits for no write.
func (p *Pool) View(ctx context.Context, cwd string) (*fact.View, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if !absolute(normal(cwd)) {
		return nil, &InvalidError{"cwd", "not an absolute path"}
	}
	p.touch(ctx, cwd)
	return p.viewOf(ctx, p.project(ctx, cwd))
}

func (p *Pool) viewOf(ctx context.Context, id string) (*fact.View, error) {
	pr := p.projectState(id)
	pr.used.Store(time.Now().UnixMilli())
	if v, ok := p.cached(pr); ok {
		return v, nil
	}
	select {
	case pr.room <- struct{}{}:
		defer func() { <-pr.room }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if v, ok := p.cached(pr); ok {
		return v, nil
	}
	p.dropOld(pr)
	next := &built{commits: pr.commits.Load(), epoch: p.registryEpoch()}
	var err error
	if next.view, err = p.build(ctx, id, pr, next.epoch); err != nil {
		return nil, err
	}
	pr.view.Store(next)
	return next.view, nil
}

func (p *Pool) cached(pr *project) (*fact.View, bool) {
	b := pr.view.Load()
	if b == nil || b.commits != pr.commits.Load() {
		return nil, false
	}
	return b.view, b.epoch == p.registryEpoch()
}

// build returns the present view of a project, whose stores are read first if
// nobody has looked at it for a while.
func (p *Pool) build(ctx context.Context, id string, pr *project, epoch uint64) (*fact.View, error) {
	for {
		pr.mu.Lock()
		if pr.state != nil && pr.epoch == epoch {
			break
		}
		pr.mu.Unlock()
		if err := p.gather(ctx, id, pr, epoch); err != nil {
			return nil, err
		}
	}
	defer pr.mu.Unlock()
	v := pr.state.View()
	if v.Sequence == 0 {
		p.mu.Lock()
		p.sequence++
		v.Sequence = p.sequence
		p.mu.Unlock()
	}
	return v, nil
}

// gather merges all that the stores of a project hold. None of them may change
// until that is done; later changes are published.
func (p *Pool) gather(ctx context.Context, id string, pr *project, epoch uint64) error {
	handles, err := p.acquireAll(ctx, id)
	defer p.releaseAll(handles)
	if err != nil {
		return err
	}
	state := merge.NewState(p.rootOf(id), p.o.Caps)
	state.Bury(p.tombstones(id))
	for _, h := range handles { // in the order of their directories, as everybody takes several
		h.store.write.Lock()
		defer h.store.write.Unlock()
		for _, src := range h.store.sources {
			state.Put(&src.Contribution, merge.Changes{})
		}
		for _, e := range h.store.saved {
			state.Save(*e)
		}
	}
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.state, pr.epoch = state, epoch
	return nil
}

// acquireAll opens the stores of a project, to be released also after an error.
func (p *Pool) acquireAll(ctx context.Context, id string) ([]*handle, error) {
	var handles []*handle
	for _, dir := range p.stores(id) {
		h, err := p.acquire(ctx, dir, false)
		if errors.Is(err, errNoStore) {
			continue
		}
		if err != nil {
			return handles, err
		}
		handles = append(handles, h)
	}
	return handles, nil
}

func (p *Pool) releaseAll(handles []*handle) {
	for _, h := range handles {
		p.release(h)
	}
}

// tombstones returns those of a project, under all the names it has had.
func (p *Pool) tombstones(id string) []merge.Tombstone {
	c := p.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []merge.Tombstone
	for from, list := range c.tombstones {
		if c.followLocked(from) != id {
			continue
		}
		if out == nil {
			out = slices.Clip(list)
			continue
		}
		for _, t := range list {
			out, _ = addTombstone(out, t)
		}
	}
	return out
}

// note returns what the store of a directory should know of its project.
func (p *Pool) note(dir string) projectNote {
	c := p.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.directories[dir].project
	if id == "" {
		id = dir
	}
	return projectNote{id, c.projects[id]}
}

// maxLive is how many projects are kept merged at a time.
const maxLive = 32

// dropOld makes room for one more merged project: those that were not looked
// at for longest go.
func (p *Pool) dropOld(but *project) {
	p.mu.Lock()
	var live []*project
	for _, pr := range p.projects {
		if pr != but && pr.view.Load() != nil {
			live = append(live, pr)
		}
	}
	p.mu.Unlock()
	slices.SortFunc(live, func(a, b *project) int { return cmp.Compare(a.used.Load(), b.used.Load()) })
	for len(live) >= maxLive {
		live[0].forget()
		live = live[1:]
	}
}

// forget drops what is kept of a project.
func (pr *project) forget() {
	pr.view.Store(nil)
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.state = nil
}

// dropViews forgets the views that nobody has looked at since a time.
func (p *Pool) dropViews(since time.Time) {
	p.mu.Lock()
	projects := slices.Collect(maps.Values(p.projects))
	p.mu.Unlock()
	for _, pr := range projects {
		if pr.used.Load() <= since.UnixMilli() {
			pr.forget()
		}
	}
}
