package daemon

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"

	"github.com/kmemd/kmemd/ingest"
	"github.com/kmemd/kmemd/rules"
	"github.com/kmemd/kmemd/store"
	"github.com/kmemd/kmemd/store/fact"
)

// Bounds of what waits to be committed. A reader that finds the queue full
// waits: the transcript itself is the buffer.
const (
	maxQueuedPasses = 256
	maxQueuedFacts  = 20000
)

// pipeline is the ingester's sink: it extracts and commits. It may be used by
// several readers at once, each with sources of its own.
type pipeline struct {
	pool   *store.Pool
	redact rules.Redactor
	// excluded says of which directories nothing is kept.
	excluded func(dir string) bool
	log      *slog.Logger

	// taking is held for reading while a chunk is extracted and queued, and for
	// writing while something is forgotten: no state in memory may bring the
	// text back. Lock order: taking, then mu.
	taking sync.RWMutex

	// mu guards the fields below.
	mu     sync.Mutex
	room   *sync.Cond // signalled when the queue shrinks or a commit ends
	set    *rules.Set
	live   map[sourceKey]*extraction
	queue  []store.Pass
	facts  int // writes in the queue
	busy   bool
	closed bool
	failed error // of the newest commit, nil once one succeeds
	wake   chan struct{}
}

type sourceKey struct{ agent, path string }

// position is what the catalog keeps of a source for the reader.
type position struct {
	Cursor  ingest.Cursor `json:"cursor"`
	Reading string        `json:"reading"`
}

// extraction is a source whose newest passes are not committed yet, or that is
// being read.
type extraction struct {
	x       *rules.Extractor
	cursor  ingest.Cursor
	reading string // names the reading from the beginning that this goes on with
	waiting int    // passes in the queue or being committed
	done    bool   // the end of the file was reached
}

func newPipeline(pool *store.Pool, set *rules.Set, redact rules.Redactor, excluded func(string) bool, log *slog.Logger) *pipeline {
	p := &pipeline{pool: pool, set: set, redact: redact, excluded: excluded, log: log, live: map[sourceKey]*extraction{}, wake: make(chan struct{}, 1)}
	p.room = sync.NewCond(&p.mu)
	return p
}

// Resume implements [ingest.Sink].
func (p *pipeline) Resume(src ingest.Source) (ingest.Cursor, bool) {
	p.mu.Lock()
	if e := p.live[keyOf(src)]; e != nil {
		defer p.mu.Unlock()
		return e.cursor, true
	}
	p.mu.Unlock()
	saved, ok := p.pool.Resume(src.Agent, src.Path)
	if !ok {
		return ingest.Cursor{}, false
	}
	var pos position
	if err := json.Unmarshal(saved.Cursor, &pos); err != nil {
		p.log.Warn("position unreadable, reading again", "path", src.Path, "err", err)
		return ingest.Cursor{}, false
	}
	return pos.Cursor, true
}

// Take implements [ingest.Sink]: it extracts the chunk and queues what came of
// it. It returns before the commit; [pipeline.flush] waits for that.
func (p *pipeline) Take(ctx context.Context, c ingest.Chunk) error {
	p.taking.RLock()
	defer p.taking.RUnlock()
	e, err := p.extraction(c)
	if err != nil {
		return err
	}
	e.x.Feed(c.Events)
	deltas := e.x.Take()
	state, err := e.x.State()
	if err != nil {
		return err
	}
	cursor, err := json.Marshal(position{c.Cursor, e.reading})
	if err != nil {
		return fmt.Errorf("save position in %s: %w", c.Source.Path, err)
	}
	n := 0
	for dir, d := range deltas {
		if p.excluded(dir) {
			delete(deltas, dir)
			continue
		}
		n += size(d)
	}
	return p.put(ctx, c, e, n, store.Pass{
		Agent: c.Source.Agent, Path: c.Source.Path, Restart: c.Restart, Pos: c.Cursor.Offset,
		Generation: e.reading, Cursor: cursor, Extractor: state, Deltas: deltas, ModTime: c.ModTime,
	})
}

func keyOf(src ingest.Source) sourceKey { return sourceKey{src.Agent, src.Path} }

// extraction returns the extractor that goes on with the chunk's source.
func (p *pipeline) extraction(c ingest.Chunk) (*extraction, error) {
	p.mu.Lock()
	e, set := p.live[keyOf(c.Source)], p.set
	p.mu.Unlock()
	if e != nil && !c.Restart {
		return e, nil
	}
	e = &extraction{reading: rand.Text()}
	var saved []byte
	if !c.Restart {
		if s, ok := p.pool.Resume(c.Source.Agent, c.Source.Path); ok {
			var pos position
			if err := json.Unmarshal(s.Cursor, &pos); err != nil {
				return nil, fmt.Errorf("position in %s: %w", c.Source.Path, err)
			}
			saved, e.reading = s.Extractor, pos.Reading
		}
	}
	x, err := rules.NewExtractor(rules.Options{Rules: set, Redact: p.redact, Belongs: p.pool.Belongs, Silent: p.pool.PausedAt},
		rules.Source{Agent: c.Source.Agent, Path: c.Source.Path, FirstSeen: c.Cursor.FirstSeen}, saved)
	if err != nil {
		return nil, err
	}
	e.x = x
	return e, nil
}

func (p *pipeline) put(ctx context.Context, c ingest.Chunk, e *extraction, facts int, pass store.Pass) error {
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.room.Broadcast()
	})
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed && ctx.Err() == nil && (len(p.queue) >= maxQueuedPasses || p.facts >= maxQueuedFacts) {
		p.room.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.closed {
		return errClosing
	}
	e.cursor, e.done = c.Cursor, c.End
	e.waiting++
	p.live[keyOf(c.Source)] = e
	p.queue = append(p.queue, pass)
	p.facts += facts
	select {
	case p.wake <- struct{}{}:
	default:
	}
	return nil
}

// open lets chunks in, before run begins and readers come.
func (p *pipeline) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = false
}

// run commits what is queued until ctx ends and the queue is empty. What
// arrives during a commit makes the next one, so a lone live turn is written at
// once and a backfill in batches.
func (p *pipeline) run(ctx context.Context) error {
	for {
		select {
		case <-p.wake:
			p.commit(ctx)
		case <-ctx.Done():
			p.mu.Lock()
			p.closed = true
			p.room.Broadcast()
			p.mu.Unlock()
			p.commit(context.WithoutCancel(ctx))
			return nil
		}
	}
}

func (p *pipeline) commit(ctx context.Context) {
	for {
		p.mu.Lock()
		batch := p.queue
		p.queue, p.facts = nil, 0
		p.busy = len(batch) > 0
		p.room.Broadcast()
		p.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		err := p.pool.Commit(ctx, batch)
		if err != nil {
			p.log.Error("commit failed; what was read is read again", "err", err)
		}
		p.settle(batch, err)
	}
}

// settle notes the end of a commit. A source whose pass failed forgets what it
// had read: its next look starts at what is stored.
func (p *pipeline) settle(batch []store.Pass, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy, p.failed = false, err
	for _, pass := range batch {
		key := sourceKey{pass.Agent, pass.Path}
		e := p.live[key]
		if e == nil {
			continue
		}
		e.waiting--
		if err != nil || e.waiting <= 0 && e.done {
			delete(p.live, key)
		}
	}
	p.room.Broadcast()
}

// flush waits until everything that was taken is committed.
func (p *pipeline) flush(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.room.Broadcast()
	})
	defer stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for (len(p.queue) > 0 || p.busy) && ctx.Err() == nil {
		p.room.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.failed
}

// alone runs a function while nothing is being extracted or committed and no
// source is held in memory, so that what it erases from the stores is nowhere
// else.
func (p *pipeline) alone(ctx context.Context, fn func() error) error {
	p.taking.Lock()
	defer p.taking.Unlock()
	if err := p.flush(ctx); err != nil && ctx.Err() != nil {
		return err
	}
	p.mu.Lock()
	clear(p.live)
	p.mu.Unlock()
	return fn()
}

// waiting says how many passes are not committed yet.
func (p *pipeline) waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue)
}

// useRules puts another set in force for what is read from now on.
func (p *pipeline) useRules(set *rules.Set) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set = set
}

func (p *pipeline) rules() *rules.Set {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.set
}

func size(d *fact.Delta) int {
	return len(d.Writes) + len(d.Turns) + len(d.Runs) + len(d.Tasks) + len(d.Calls) + len(d.Files)
}
