package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// committers is how many stores are written at a time; their syncs overlap.
const committers = 4

// A Pass is what one reading of a part of a transcript has given. The pool
// keeps what it points to; the caller must not change it any more.
type Pass struct {
	Agent, Path string
	Restart     bool                   // the transcript is read from its beginning
	Pos         int64                  // position after the pass, in bytes
	Generation  string                 // changes when the transcript was rewritten
	Cursor      []byte                 // what the reader needs to go on
	Extractor   []byte                 // what the extractor needs to go on
	ModTime     int64                  // Unix milliseconds
	Deltas      map[string]*fact.Delta // by directory, as Belongs gave them
}

func (ps *Pass) id() string { return sourceID(ps.Agent, ps.Path) }

// A Position is where a transcript was left.
type Position struct {
	Cursor    []byte
	Extractor []byte
}

// Resume returns where the reading of a transcript was left, and false where
// it has to begin.
func (p *Pool) Resume(agent, path string) (Position, bool) {
	if p.enter() != nil {
		return Position{}, false
	}
	defer p.leave()
	row, ok := p.catalog.position(sourceID(agent, path))
	if !ok {
		return Position{}, false
	}
	return Position{Cursor: row.cursor, Extractor: row.extractor}, true
}

// A part is what one pass gives to one store.
type part struct {
	pass  *Pass
	delta *fact.Delta
}

// Commit stores what passes have given: for each store all of it in one
// transaction, together with the positions. Where a store fails the passes
// that feed it do not move on, and their transcripts are read again from where
// they were; doing so changes nothing in the stores that took them. The error
// joins all failures.
func (p *Pool) Commit(ctx context.Context, passes []Pass) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	parts := map[string][]part{}
	for i := range passes {
		for dir, delta := range passes[i].Deltas {
			if delta != nil && !delta.Empty() && absolute(dir) && !p.IsExcluded(dir) {
				parts[dir] = append(parts[dir], part{&passes[i], delta})
			}
		}
	}
	failed := p.commitStores(ctx, parts)
	p.moveOn(passes, failed)
	var errs []error
	for _, dir := range sortedKeys(failed) {
		errs = append(errs, failed[dir])
	}
	return errors.Join(errs...)
}

// commitStores writes the stores, several at a time, and returns the failures.
func (p *Pool) commitStores(ctx context.Context, parts map[string][]part) map[string]error {
	var (
		mu     sync.Mutex
		failed = map[string]error{}
		work   sync.WaitGroup
		room   = make(chan struct{}, committers)
	)
	for _, dir := range sortedKeys(parts) {
		room <- struct{}{}
		work.Go(func() {
			defer func() { <-room }()
			if err := p.commitStore(ctx, dir, parts[dir]); err != nil {
				mu.Lock()
				failed[dir] = fmt.Errorf("store of %s: %w", dir, err)
				mu.Unlock()
			}
		})
	}
	work.Wait()
	return failed
}

// moveOn takes the new positions of the passes whose stores all succeeded.
func (p *Pool) moveOn(passes []Pass, failed map[string]error) {
	rows := map[string]*sourceRow{}
	stopped := map[string]bool{}
	for i := range passes {
		ps := &passes[i]
		id := ps.id()
		row := &sourceRow{cursor: ps.Cursor, extractor: ps.Extractor, generation: ps.Generation, pos: ps.Pos, modTime: ps.ModTime}
		old, known := rows[id]
		if !known {
			old, known = p.catalog.position(id)
		}
		if known {
			row.directories = slices.Clone(old.directories)
		}
		for dir := range ps.Deltas {
			stopped[id] = stopped[id] || failed[dir] != nil
			if absolute(dir) && !slices.Contains(row.directories, dir) {
				row.directories = append(row.directories, dir)
			}
		}
		slices.Sort(row.directories)
		if !stopped[id] {
			rows[id] = row
		}
	}
	if len(rows) == 0 {
		return
	}
	if p.catalog.setSources(rows) < flushSources {
		p.wake()
		return
	}
	p.trouble(p.catalog.file.path, p.catalog.flush())
}

// commitStore takes the parts of one store.
func (p *Pool) commitStore(ctx context.Context, dir string, parts []part) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.touch(ctx, dir)
	p.register(ctx, dir)
	h, err := p.acquire(ctx, dir, true)
	if err != nil {
		return err
	}
	defer p.release(h)
	id := p.projectOfStore(dir)
	p.expect(ctx, id)
	if err := h.store.take(parts, p.o.Caps, p.note(dir), p.publisher(id)); err != nil {
		p.failed(h, err)
		return err
	}
	p.worked(h)
	return nil
}

// A change is what a transaction does to the rows of one source.
type change struct {
	src *source
	merge.Changes
}

// take adds the parts to the store, in memory and then on the disk, and has
// what has changed published. When the disk refuses, memory is read from it again.
func (s *store) take(parts []part, caps merge.Caps, note projectNote, publish publisher) error {
	s.write.Lock()
	defer s.write.Unlock()
	changes := s.accumulate(parts, caps)
	if len(changes) == 0 {
		return nil
	}
	err := s.file.update(func(tx *bolt.Tx) error {
		if note != s.project {
			if err := put(tx.Bucket(bucketMeta), metaProject, func(c *codec) { c.projectNote(&note) }); err != nil {
				return err
			}
		}
		return putChanges(tx, changes)
	})
	if err != nil {
		return errors.Join(err, s.reload())
	}
	s.project = note
	publish(func(state *merge.State) {
		for i := range changes {
			state.Put(&changes[i].src.Contribution, changes[i].Changes)
		}
	})
	return nil
}

// accumulate takes the parts into memory and returns what they change.
func (s *store) accumulate(parts []part, caps merge.Caps) []change {
	var changes []change
	for _, pt := range parts {
		ps := pt.pass
		src, known := s.sources[ps.id()]
		if known && !ps.Restart && src.mark.generation == ps.Generation && ps.Pos <= src.mark.pos {
			continue // stands here already; the catalog had lagged behind
		}
		if !known {
			s.last++
			src = &source{number: s.last}
			src.name(s.dir, ps.Agent, ps.Path)
			s.sources[ps.id()] = src
		}
		src.mark = mark{ps.Generation, ps.Pos, ps.ModTime}
		ch := merge.Accumulate(&src.Contribution, pt.delta, caps, s.graves)
		if ch.Empty() {
			continue
		}
		at := slices.IndexFunc(changes, func(c change) bool { return c.src == src })
		if at < 0 {
			changes = append(changes, change{src, ch})
			continue
		}
		changes[at].Append(ch)
	}
	return changes
}

// putChanges writes the rows of a transaction and the marks that go with them.
func putChanges(tx *bolt.Tx, changes []change) error {
	rows, sources := tx.Bucket(bucketRows), tx.Bucket(bucketSources)
	rows.FillPercent = fillPercent
	for i := range changes {
		src := changes[i].src
		if err := put(sources, []byte(src.Source), func(c *codec) { c.source(src) }); err != nil {
			return err
		}
		w := newRowWriter(src.number, src.Agent, src.Path)
		for _, row := range changes[i].Put {
			key := w.key(row.Ref)
			if err := rows.Put(key, w.value(key, row.Value)); err != nil {
				return err
			}
		}
		for _, ref := range changes[i].Deleted {
			if err := rows.Delete(w.key(ref)); err != nil {
				return err
			}
		}
	}
	return nil
}

// reload brings memory back to what the disk holds. The caller holds write.
func (s *store) reload() error {
	if s.file.broken.Load() {
		return nil
	}
	return s.file.read(s.load)
}
