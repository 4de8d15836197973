package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/kmemd/kmemd/store/fact"
)

// Import stores entries as they are, with their own times, in the store of
// cwd, all in one transaction. Where a key holds something newer, that stays;
// what had been deleted comes back, as it does with every call. It returns how
// many entries said anything new. One that is not acceptable refuses them all,
// with an *InvalidError that says which.
func (p *Pool) Import(ctx context.Context, cwd string, entries []fact.Entry) (int, error) {
	if err := p.enter(); err != nil {
		return 0, err
	}
	defer p.leave()
	dir, err := p.writable(cwd)
	if err != nil {
		return 0, err
	}
	p.touch(ctx, cwd)
	id := p.project(ctx, cwd)
	pr := p.projectState(id)
	pr.calls.Lock()
	defer pr.calls.Unlock()
	out := make([]fact.Entry, len(entries))
	for i, e := range entries {
		if err := check(&e); err != nil {
			var invalid *InvalidError
			if errors.As(err, &invalid) {
				return 0, &InvalidError{fmt.Sprintf("entries[%d].%s", i, invalid.Field), invalid.Message}
			}
			return 0, err
		}
		dated(&e, p.o.Now())
		e.UpdatedAt = p.pastDeletes(id, &e, e.UpdatedAt)
		e.Origin = originOf(e.Origin, fact.ViaImport)
		out[i] = e
	}
	if len(out) == 0 {
		return 0, nil
	}
	return p.put(ctx, id, dir, out)
}

// dated gives an entry the times that it lacks.
func dated(e *fact.Entry, now int64) {
	if e.UpdatedAt <= 0 {
		e.UpdatedAt = max(e.CreatedAt, 0)
	}
	if e.UpdatedAt == 0 {
		e.UpdatedAt = now
	}
	if e.CreatedAt <= 0 || e.CreatedAt > e.UpdatedAt {
		e.CreatedAt = e.UpdatedAt
	}
}
