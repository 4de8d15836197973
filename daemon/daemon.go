package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kmemd/kmemd/daemon/config"
	"github.com/kmemd/kmemd/ingest"
	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/rules"
	"github.com/kmemd/kmemd/rules/redact"
	"github.com/kmemd/kmemd/store"
	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/index"
	"github.com/kmemd/kmemd/store/merge"
)

// Options are what a daemon is made of.
type Options struct {
	Config     config.Config
	ConfigFile string                                       // where it was read, for status
	RulesDir   string                                       // the user's rules
	Socket     string                                       // path of the socket; empty: none is opened
	Home       string                                       // the user's home directory
	Getenv     func(string) string                          // nil: no environment
	Reload     func() (config.Config, error)                // reads the configuration again; may be nil
	Verify     func(ctx context.Context, path string) error // checks a suspect store in a process of its own; may be nil
	Version    string
	Log        *slog.Logger
	Now        func() int64 // Unix milliseconds; nil: the clock
}

// A Daemon is one running kmemd. Its methods may be called from several
// goroutines.
type Daemon struct {
	opts    Options
	log     *slog.Logger
	pool    *store.Pool
	redact  rules.Redactor
	pipe    *pipeline
	ingest  *ingest.Ingester
	started time.Time

	conf      atomic.Pointer[config.Config]
	reloadErr atomic.Pointer[string] // why the newest configuration or rules are not in force
	capturing sync.Mutex
	requests  requests

	// mu guards the fields below.
	mu      sync.Mutex
	indexes map[string]*index.Index // by project, of the newest view
	used    map[string]time.Time

	lost chan struct{} // a store was lost: its transcripts are to be read again
}

// New opens the store and makes everything ready to run. The caller owns the
// daemon and must call Close.
func New(o Options) (*Daemon, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = func() int64 { return time.Now().UnixMilli() }
	}
	set, rulesErr := rules.Load(o.RulesDir, rules.DefaultLimits())
	if rulesErr != nil {
		// Broken rules must not end the capture: the built-in ones serve until
		// they are mended.
		o.Log.Error("the user's rules are not in force", "err", rulesErr)
		var err error
		if set, err = rules.Builtin(rules.DefaultLimits()); err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
	}
	red, err := redactor(o.Config)
	if err != nil {
		return nil, err
	}
	caps := o.Config.Caps
	d := &Daemon{opts: o, log: o.Log, redact: red, started: time.Now(),
		indexes: map[string]*index.Index{}, used: map[string]time.Time{}, lost: make(chan struct{}, 1)}
	d.conf.Store(&o.Config)
	pool, err := store.OpenPool(o.Config.Data, store.Options{
		Caps:  merge.Caps{ToolResult: caps.ToolResult, Thinking: caps.Thinking, LowSignal: caps.LowSignal},
		Scope: o.Config.Scope, Log: o.Log, Now: o.Now, Home: o.Home, TempDir: os.TempDir(), Verify: o.Verify, Lost: d.storeLost,
	})
	if err != nil {
		return nil, err
	}
	d.pool = pool
	if rulesErr != nil {
		d.notTaken(fmt.Errorf("rules: %w", rulesErr))
	}
	d.pipe = newPipeline(pool, set, red, d.excluded, o.Log)
	d.ingest = ingest.New(d.pipe, d.ingestOptions())
	if pool.Paused() {
		d.ingest.Pause(true)
	}
	return d, nil
}

// redactor takes secrets out, unless the configuration says that it must not.
func redactor(c config.Config) (rules.Redactor, error) {
	if !c.Redact.Enabled {
		return plain{}, nil
	}
	red, err := redact.New(c.Redact.Allow)
	if err != nil {
		return nil, fmt.Errorf("redact.allow: %w", err)
	}
	return red, nil
}

// plain redacts nothing.
type plain struct{}

func (plain) Text(s string) (string, int) { return s, 0 }

// AgentNames lists the agents whose transcripts can be read.
func AgentNames() []string {
	var names []string
	for _, a := range agents.All() {
		names = append(names, a.Name)
	}
	return names
}

func (d *Daemon) ingestOptions() ingest.Options {
	c := d.config()
	roots, disabled := map[string][]string{}, map[string]bool{}
	for name, a := range c.Agents {
		agent, _ := agents.ByName(name)
		for _, dir := range a.Roots {
			roots[name] = append(roots[name], agent.Within(dir)...)
		}
		disabled[name] = !a.On()
	}
	return ingest.Options{
		Agents: agents.All(), Env: agents.Env{Home: d.opts.Home, Getenv: d.opts.Getenv, OS: runtime.GOOS},
		Roots: roots, Disabled: disabled, Excluded: d.excluded, Log: d.log,
	}
}

func (d *Daemon) config() *config.Config { return d.conf.Load() }

func (d *Daemon) now() int64 { return d.opts.Now() }

// Run reads and serves until ctx ends, then finishes what it has begun. ready
// is called once requests are answered; it may be nil.
func (d *Daemon) Run(ctx context.Context, ready func()) error {
	group, ctx := errgroup.WithContext(ctx)
	d.pipe.open()
	pipeCtx, stopPipe := context.WithCancel(context.WithoutCancel(ctx))
	defer stopPipe()
	if d.opts.Socket != "" {
		l, err := ipc.Listen(d.opts.Socket)
		if err != nil {
			return err
		}
		server := ipc.NewServer(d.handlers(), ipc.ServerOptions{Log: d.log, Observe: d.requests.observe})
		group.Go(func() error { return server.Serve(ctx, l) })
	}
	group.Go(func() error {
		// The committer outlives the readers, so that what they took is kept.
		defer stopPipe()
		return ignoreCancel(d.ingest.Run(ctx))
	})
	group.Go(func() error { return d.pipe.run(pipeCtx) })
	group.Go(func() error { return d.housekeep(ctx) })
	if ready != nil {
		ready()
	}
	return group.Wait()
}

// Ingest reads once what there is, the whole tree or the given paths, and
// returns when it is stored.
func (d *Daemon) Ingest(ctx context.Context, paths []string, progress func(ingest.Progress)) error {
	d.pipe.open()
	pipeCtx, stopPipe := context.WithCancel(context.WithoutCancel(ctx))
	group := errgroup.Group{}
	group.Go(func() error { return d.pipe.run(pipeCtx) })
	err := d.ingest.Once(ctx, paths, progress)
	if err == nil {
		err = d.pipe.flush(ctx)
	}
	stopPipe()
	return errors.Join(err, group.Wait())
}

// Probe goes through what may hang: it asks for the state of everything, and
// fails when there is no answer in time.
func (d *Daemon) Probe(ctx context.Context) error {
	done := make(chan error, 1)
	go func() {
		_, err := d.status(ctx, api.None{})
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Reload reads configuration and rules again. What does not load leaves the
// old in force; the error says why and also stands in status.
func (d *Daemon) Reload() error {
	err := d.reload()
	if err == nil {
		d.reloadErr.Store(nil)
		return nil
	}
	d.notTaken(err)
	return err
}

// notTaken notes for status what on disk is not in force.
func (d *Daemon) notTaken(err error) {
	msg := err.Error()
	d.reloadErr.Store(&msg)
}

func (d *Daemon) reload() error {
	if d.opts.Reload != nil {
		c, err := d.opts.Reload()
		if err != nil {
			return err
		}
		c.Data = d.config().Data // a running daemon keeps its stores
		d.conf.Store(&c)
	}
	set, err := rules.Load(d.opts.RulesDir, rules.DefaultLimits())
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	d.pipe.useRules(set)
	return nil
}

// Close closes the stores. It is called after Run or Ingest has returned.
func (d *Daemon) Close() error { return d.pool.Close() }

func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// maxIndexes bounds how many projects are kept ready to be searched.
const maxIndexes = 16

// index returns the search index of a view, made once a view.
func (d *Daemon) index(v *fact.View) *index.Index {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used[v.Project] = time.Now()
	if x := d.indexes[v.Project]; x != nil && x.View() == v {
		return x
	}
	x := index.New(v)
	d.indexes[v.Project] = x
	if len(d.indexes) > maxIndexes {
		oldest := ""
		for p, at := range d.used {
			if oldest == "" || at.Before(d.used[oldest]) {
				oldest = p
			}
		}
		delete(d.indexes, oldest)
		delete(d.used, oldest)
	}
	return x
}

// Projects lists what is remembered, most recently updated first.
func (d *Daemon) Projects(ctx context.Context) ([]api.Project, error) {
	out, err := d.projects(ctx, api.None{})
	return out.Projects, err
}

// Render makes the block of one project.
func (d *Daemon) Render(ctx context.Context, p api.RenderParams) (api.RenderResult, error) {
	return d.render(ctx, p)
}

// Export gives all entries of one project, in the order of their keys.
func (d *Daemon) Export(ctx context.Context, cwd string) ([]fact.Entry, error) {
	var all []fact.Entry
	for cursor := ""; ; {
		page, err := d.export(ctx, api.ExportParams{Cwd: cwd, Cursor: cursor})
		if err != nil {
			return nil, err
		}
		all = append(all, page.Entries...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

// Forget removes entries of one project so that they do not come back.
func (d *Daemon) Forget(ctx context.Context, p api.ForgetParams) (api.ForgetResult, error) {
	return d.forget(ctx, p)
}

// Rescan looks at every transcript again; see [api.RescanParams].
func (d *Daemon) Rescan(ctx context.Context, p api.RescanParams) (api.RescanResult, error) {
	return d.rescan(ctx, p)
}

// Pause stops or resumes capturing; what happens meanwhile is never kept.
func (d *Daemon) Pause(_ context.Context, on bool) (api.PauseResult, error) { return d.setPaused(on) }

// Search finds entries; see [api.SearchParams].
func (d *Daemon) Search(ctx context.Context, p api.SearchParams) (api.SearchResult, error) {
	return d.search(ctx, p)
}
