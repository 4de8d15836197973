package store

import (
	"context"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// Forget says what of a project to forget: exactly one of its fields is set.
type Forget struct {
	Keys    []string // of the default namespace
	Session string   // all that came from a session
	Before  int64    // all that happened before, Unix milliseconds
	All     bool
}

// Forget deletes parts of a project for good and returns how many entries went.
func (p *Pool) Forget(ctx context.Context, cwd string, f Forget) (int, error) {
	if err := p.enter(); err != nil {
		return 0, err
	}
	defer p.leave()
	if !absolute(normal(cwd)) {
		return 0, &InvalidError{"cwd", "not an absolute path"}
	}
	p.touch(ctx, cwd)
	id := p.project(ctx, cwd)
	if len(f.Keys) > 0 {
		deleted, err := p.deleteKeys(ctx, id, "", f.Keys)
		return len(deleted), err
	}
	if f.Session == "" && f.Before <= 0 && !f.All {
		return 0, &InvalidError{"forget", "say what: keys, a session, a time or all"}
	}
	pr := p.projectState(id)
	pr.calls.Lock()
	defer pr.calls.Unlock()
	before, err := p.viewOf(ctx, id)
	if err != nil {
		return 0, err
	}
	if err := p.bury(ctx, id, []merge.Tombstone{f.tombstone(before, p.o.Now())}, nil); err != nil {
		return 0, err
	}
	after, err := p.viewOf(ctx, id)
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range before.Facts {
		if _, there := after.GetIn(before.Facts[i].Namespace, before.Facts[i].Key); !there {
			n++
		}
	}
	return n, nil
}

// tombstone returns what hides all that is to be forgotten; what is dated in
// the future is forgotten too where no time is given.
func (f Forget) tombstone(v *fact.View, now int64) merge.Tombstone {
	if f.Session == "" && !f.All {
		return merge.Tombstone{Time: f.Before - 1, Before: true}
	}
	for i := range v.Facts {
		now = max(now, v.Facts[i].UpdatedAt)
	}
	for i := range v.Sessions {
		now = max(now, v.Sessions[i].UpdatedAt)
	}
	return merge.Tombstone{Session: f.Session, Time: now, Before: f.Session == ""}
}
