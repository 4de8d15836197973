package store

import (
	"context"
	"errors"
	"os"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// Delete removes entries from every store of a project, with all that was
// captured under their keys, and returns the keys that there were. What is
// deleted does not come back from transcripts, and no byte of its text stays
// in the data directory.
func (p *Pool) Delete(ctx context.Context, cwd, namespace string, keys []string) ([]string, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if !absolute(normal(cwd)) {
		return nil, &InvalidError{"cwd", "not an absolute path"}
	}
	p.touch(ctx, cwd)
	return p.deleteKeys(ctx, p.project(ctx, cwd), namespace, keys)
}

func (p *Pool) deleteKeys(ctx context.Context, id, namespace string, keys []string) ([]string, error) {
	pr := p.projectState(id)
	pr.calls.Lock()
	defer pr.calls.Unlock()
	view, err := p.viewOf(ctx, id)
	if err != nil {
		return nil, err
	}
	var (
		deleted []string
		tombs   []merge.Tombstone
		texts   []string
		now     = p.o.Now()
	)
	for _, key := range keys {
		f, ok := view.GetIn(namespace, key)
		if !ok {
			continue
		}
		deleted = append(deleted, key)
		tombs = append(tombs, tombstoneOf(f, now))
		texts = append(texts, f.Value)
	}
	if len(deleted) == 0 {
		return nil, nil
	}
	return deleted, p.bury(ctx, id, tombs, texts)
}

// tombstoneOf returns the tombstone that hides an entry. Its content goes into
// it where no ghost will hold it.
func tombstoneOf(f *fact.Fact, now int64) merge.Tombstone {
	t := merge.Tombstone{
		Namespace: f.Namespace,
		Key:       merge.KeyHash(f.Namespace, f.Key),
		Time:      max(now, f.UpdatedAt),
	}
	if !f.Captured() {
		t.Content = merge.ContentHash(f.Value)
	}
	return t
}

// bury deletes for a project: first in the catalog, so that nothing comes back
// whatever happens then, then in the stores, whose files are rewritten.
func (p *Pool) bury(ctx context.Context, id string, tombs []merge.Tombstone, texts []string) error {
	if err := p.catalog.bury(id, tombs); err != nil {
		return err
	}
	defer p.reset(id)
	var errs []error
	for _, dir := range p.stores(id) {
		gone, err := p.buryIn(ctx, dir, tombs)
		if err != nil {
			errs = append(errs, err)
		}
		texts = append(texts, gone...)
	}
	return errors.Join(append(errs, p.scrub(texts))...)
}

// buryIn erases in one store, and removes the damaged files that were put
// aside of it: they may hold the text too.
func (p *Pool) buryIn(ctx context.Context, dir string, tombs []merge.Tombstone) ([]string, error) {
	h, err := p.acquire(ctx, dir, false)
	if errors.Is(err, errNoStore) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer p.release(h)
	texts, err := h.store.bury(tombs)
	if err == nil {
		err = h.store.finish()
	}
	if err != nil {
		p.failed(h, err)
		return texts, err
	}
	for _, name := range corruptFiles(h.store.path) {
		if err := os.Remove(name); err != nil && !missing(err) {
			return texts, err
		}
	}
	return texts, nil
}
