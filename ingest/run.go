package ingest

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"
)

// Run follows everything until ctx ends: first a full look, newest files
// first, then whatever changes, before what of the first look is left. It
// returns nil once every goroutine of it has ended.
func (in *Ingester) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in.files.begin()
	var wg sync.WaitGroup
	for i := range in.opt.Workers + 1 {
		wg.Go(func() { in.work(ctx, i == 0) })
	}
	in.follow(ctx)
	in.files.close()
	wg.Wait()
	return nil
}

// work reads one file after another. One worker keeps itself free for what
// changes now.
func (in *Ingester) work(ctx context.Context, liveOnly bool) {
	r := &reader{in: in}
	for {
		st, generation := in.files.take(liveOnly)
		if st == nil {
			return
		}
		err := in.readFile(ctx, r, st, generation, func(int64) {})
		in.again(ctx, st, err)
	}
}

// readFile reads one file that this goroutine holds, and gives it back.
func (in *Ingester) readFile(ctx context.Context, r *reader, st *file, generation int, progress func(int64)) error {
	var err error
	if !in.opt.Excluded(st.src.Path) {
		err = r.read(ctx, st, st.generation != generation, progress)
	}
	var skip errSkipFile
	switch {
	case errors.As(err, &skip):
		in.files.took(st, []Skip{{Reason: string(skip)}})
		err = nil
	case errors.Is(err, fs.ErrNotExist):
		err = nil // gone meanwhile
	}
	if err != nil && ctx.Err() == nil {
		in.log.Warn("reading a transcript", "path", st.src.Path, "err", err)
	}
	in.files.release(st, err, generation)
	return err
}

// again has a file read once more after an error, later each time.
func (in *Ingester) again(ctx context.Context, st *file, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	in.files.mu.Lock()
	delay := min(time.Second<<min(st.failures, 6), time.Minute)
	in.files.mu.Unlock()
	time.AfterFunc(delay, func() {
		if ctx.Err() == nil {
			in.files.want(st, live)
		}
	})
}

// Rescan looks at everything now. With full set every file is read again from
// the beginning. It returns before that is done; Run does the work.
func (in *Ingester) Rescan(full bool) {
	if full {
		in.files.mu.Lock()
		in.files.generation++
		for _, st := range in.files.files {
			in.files.wantLocked(st, backfill)
		}
		in.files.mu.Unlock()
	}
	select {
	case in.wake <- struct{}{}:
	default: // a look is about to begin anyway
	}
}

// Pause stops reading, or goes on with it. What is being read is read to its
// end; changes are still noticed.
func (in *Ingester) Pause(on bool) { in.files.pause(on) }

// Sync returns when everything that stood in the files when it was called has
// been taken by the sink. Errors of single files are shown by Status; they do
// not end it.
func (in *Ingester) Sync(ctx context.Context) error {
	if !in.files.active() {
		return in.Once(ctx, nil, nil)
	}
	in.lookAll(true, live)
	return in.files.wait(ctx, in.files.pending())
}

// begin opens the table for readers.
func (t *table) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.running = false, true
}

// close ends every take.
func (t *table) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.running = true, false
	t.cond.Broadcast()
}

// active reports whether Run is running.
func (t *table) active() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running
}
