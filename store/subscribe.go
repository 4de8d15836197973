package store

import (
	"context"

	"github.com/kmemd/kmemd/store/fact"
)

// A watcher is told of what is captured.
type watcher struct {
	fn func(project string, entries []fact.Entry)
}

// Subscribe has fn called with the captured entries that commits have made the
// ones their keys hold, with the root directory of their project. Calls come
// one after the other, some time after the commit, several commits in one where
// fn is slow; commits never wait for it. fn may use the pool, but not close it.
// After cancel no further call begins.
func (p *Pool) Subscribe(fn func(project string, entries []fact.Entry)) (cancel func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watcherID++
	id := p.watcherID
	p.watchers[id] = &watcher{fn}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.watchers, id)
		if len(p.watchers) == 0 {
			clear(p.baselines)
			clear(p.news)
		}
	}
}

// expect remembers how a project looks before its next commit, while anybody
// wants to know what is new in it.
func (p *Pool) expect(ctx context.Context, id string) {
	p.mu.Lock()
	_, known := p.baselines[id]
	wanted := len(p.watchers) > 0 && !known
	p.mu.Unlock()
	if !wanted {
		return
	}
	v, err := p.viewOf(ctx, id)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.baselines[id]; !known && len(p.watchers) > 0 {
		p.baselines[id] = v
	}
}

// notify has the subscribers told of a project's news.
func (p *Pool) notify(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.watchers) == 0 {
		return
	}
	p.news[id] = true
	select {
	case p.newsBell <- struct{}{}:
	default:
	}
}

// announce tells the subscribers until ctx ends.
func (p *Pool) announce(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.newsBell:
		}
		p.mu.Lock()
		ids := sortedKeys(p.news)
		clear(p.news)
		p.mu.Unlock()
		for _, id := range ids {
			p.tell(ctx, id)
		}
	}
}

// tell compares a project with how it looked when it was last told of.
func (p *Pool) tell(ctx context.Context, id string) {
	if p.enter() != nil {
		return
	}
	v, err := p.viewOf(ctx, id)
	p.leave()
	if err != nil {
		return // told with the next commit
	}
	p.mu.Lock()
	old := p.baselines[id]
	var fns []func(string, []fact.Entry)
	if len(p.watchers) > 0 {
		p.baselines[id] = v
	}
	for _, k := range sortedKeys(p.watchers) {
		fns = append(fns, p.watchers[k].fn)
	}
	p.mu.Unlock()
	entries := captured(old, v)
	if len(entries) == 0 {
		return
	}
	for _, fn := range fns {
		fn(v.Project, entries)
	}
}

// captured returns the captured entries of a view that an older one has not.
func captured(old, v *fact.View) []fact.Entry {
	var out []fact.Entry
	for i := range v.Facts {
		f := &v.Facts[i]
		if !f.Captured() {
			continue
		}
		if old != nil {
			was, ok := old.GetIn(f.Namespace, f.Key)
			if ok && was.UpdatedAt == f.UpdatedAt && was.Value == f.Value {
				continue
			}
		}
		out = append(out, f.Entry)
	}
	return out
}
