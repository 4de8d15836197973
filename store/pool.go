// Package store keeps what is remembered: one database file for each working
// directory, and a catalog of them all.
//
// A [Pool] is a data directory in use. A store keeps, for each transcript, the
// rows that this transcript alone has given, with the position up to which it
// had been read; both change in one transaction. What the rows of a project
// say together is computed when somebody reads (package store/merge). The
// catalog holds positions and the registry of projects; it may lag behind the
// stores, never lead, and losing it loses nothing. FORMAT.md describes the files.
//
// The package guarantees that what it acknowledged is on the disk, that a
// damaged file is put aside and rebuilt instead of believed, and that nothing
// deleted stays readable in any of its files. It reads no transcripts, judges
// no text and renders nothing.
package store

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// The scopes: what makes directories one project.
const (
	ScopeRepository = "repository"
	ScopeDirectory  = "directory"
)

const (
	defaultMaxOpen = 64
	flushDelay     = 500 * time.Millisecond // how far the catalog may lag
	flushSources   = 512                    // positions that are written without waiting
	idleClose      = 5 * time.Minute
	idleCheck      = time.Minute
)

// Options say how a pool works. The zero value is useful.
type Options struct {
	Caps      merge.Caps   // zero: the default caps
	Scope     string       // ScopeRepository (default) or ScopeDirectory
	Log       *slog.Logger // nil: nothing is logged
	Now       func() int64 // Unix milliseconds; nil: the system's clock
	MaxOpen   int          // stores open at a time, 64 by default
	TempDir   string       // the temporary directory, which is an ordinary one; empty: the system's
	Home      string       // the home directory, an ordinary one too; empty: the user's
	KdepsData string       // where kdeps keeps its memories; empty: the data directory

	// Verify checks a file that was open when the last process ended badly; an
	// error means that it is damaged. It should run [Verify] in a process of
	// its own, because damage can end or stop the one that finds it. Nil: files
	// are opened without.
	Verify func(ctx context.Context, path string) error
	// Lost is told that transcripts have to be read again from their beginning,
	// since the store that they feed was lost. It must not call the pool.
	Lost func(sources []SourceID)
	// Scrub removes texts that were deleted from the saved state of an
	// extractor or of a position. Nil: strings of the JSON that hold one are cut.
	Scrub func(state []byte, texts []string) []byte
}

// A SourceID names a transcript.
type SourceID struct{ Agent, Path string }

// A Pool is a data directory in use by this process, and by no other. Its
// methods may be used by several goroutines at once.
type Pool struct {
	data    string
	o       Options
	log     *slog.Logger
	catalog *catalog
	plain   map[string]struct{} // ordinary directories
	places  places

	cancel context.CancelFunc
	calls  sync.WaitGroup // calls under way
	work   sync.WaitGroup
	bell   chan struct{} // wakes the housekeeping

	newsBell chan struct{} // wakes the announcing

	mu sync.Mutex
	// mu guards the fields below.
	open      map[string]*handle
	projects  map[string]*project
	epoch     uint64 // changes with the registry
	sequence  uint64 // numbers views
	questions []string
	watchers  map[int]*watcher
	watcherID int
	baselines map[string]*fact.View // of projects, as subscribers know them
	news      map[string]bool       // projects that subscribers are to be told of
	there     map[string]struct{}   // directories whose stores are there
	suspects  map[string]bool       // stores to verify before use
	strikes   map[string]int        // stores that failed since they last worked
	kdeps     map[string]kdepsCheck
	troubles  map[string]string // by file: what is wrong with it at present
	counts    counts
	closed    bool
}

// counts are what Stats tells beside the present state.
type counts struct {
	badRows     int
	quarantined int
}

// OpenPool opens the data directory, which it makes if need be. While another
// process has it, the error is a *LockedError, after a second.
func OpenPool(data string, o Options) (*Pool, error) {
	data, err := filepath.Abs(data)
	if err != nil {
		return nil, err
	}
	p := &Pool{
		data:      data,
		o:         defaults(o, data),
		bell:      make(chan struct{}, 1),
		newsBell:  make(chan struct{}, 1),
		baselines: map[string]*fact.View{},
		news:      map[string]bool{},
		open:      map[string]*handle{},
		projects:  map[string]*project{},
		watchers:  map[int]*watcher{},
		there:     map[string]struct{}{},
		strikes:   map[string]int{},
		suspects:  map[string]bool{},
		kdeps:     map[string]kdepsCheck{},
		troubles:  map[string]string{},
	}
	p.places.seen = map[string]placed{}
	p.log = p.o.Log
	p.sequence = uint64(time.Now().UnixMilli()) << 16 // other numbers than the last process gave
	p.plain = plainDirectories(p.o.Home, p.o.TempDir, "/tmp", "/var/tmp")
	if p.catalog, err = openCatalog(data); err != nil {
		return nil, err
	}
	if err := errors.Join(writePID(p.catalog.file.path), p.survey()); err != nil {
		return nil, errors.Join(err, p.catalog.close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	p.work.Go(func() { p.housekeep(ctx) })
	p.work.Go(func() { p.announce(ctx) })
	return p, nil
}

func defaults(o Options, data string) Options {
	if o.Caps == (merge.Caps{}) {
		o.Caps = merge.DefaultCaps()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = func() int64 { return time.Now().UnixMilli() }
	}
	if o.MaxOpen <= 0 {
		o.MaxOpen = defaultMaxOpen
	}
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	if o.KdepsData == "" {
		o.KdepsData = data
	}
	return o
}

// Close writes what is left and gives the data directory back. What is still
// running on the pool ends first.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.mu.Unlock()
	p.cancel()
	p.work.Wait()
	err := p.closeAll()
	removePID(p.catalog.file.path)
	return errors.Join(err, p.catalog.close())
}

// wake lets the housekeeping look whether there is something to do.
func (p *Pool) wake() {
	select {
	case p.bell <- struct{}{}:
	default:
	}
}

// housekeep writes the catalog behind, asks git what was left open, tells the
// subscribers and closes what nobody has used for a while.
func (p *Pool) housekeep(ctx context.Context) {
	idle := time.NewTicker(idleCheck)
	defer idle.Stop()
	var flush <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.bell:
			if flush == nil {
				flush = time.After(flushDelay)
			}
		case <-flush:
			flush = nil
			if err := p.catalog.flush(); err != nil {
				p.trouble(p.catalog.file.path, err)
				flush = time.After(10 * flushDelay)
				continue
			}
			p.trouble(p.catalog.file.path, nil)
			p.answer(ctx)
			if p.catalog.waiting() {
				flush = time.After(flushDelay)
			}
		case <-idle.C:
			p.checkFiles()
			p.closeIdle(time.Now().Add(-idleClose))
		}
	}
}

// trouble remembers what is wrong with a file, for Stats, and logs it once;
// nil takes it back.
func (p *Pool) trouble(path string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		delete(p.troubles, path)
		return
	}
	if p.troubles[path] != err.Error() {
		p.log.Warn("store unavailable", "path", path, "err", err)
	}
	p.troubles[path] = err.Error()
}
