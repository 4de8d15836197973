package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/kmemd/kmemd/daemon"
	"github.com/kmemd/kmemd/ingest"
	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store"
)

// asked is what a caller of ingest wants.
type asked struct {
	paths    []string
	show     bool
	cwd, or  string
	out, err io.Writer
	bar      *bar
}

func ingestOnce(c *cli.Context) error {
	collectLess()
	s, err := load(c)
	if err != nil {
		return err
	}
	if !c.IsSet("log-level") {
		// The bar and the summary say what matters.
		if s.log, err = logger(os.Stderr, "warn", s.config.Log.Format); err != nil {
			return err
		}
	}
	a := asked{show: c.Bool("show"), cwd: c.String("cwd"), or: c.String("or"), out: c.App.Writer, err: c.App.ErrWriter}
	a.bar = &bar{out: os.Stderr, on: term.IsTerminal(int(os.Stderr.Fd())) && !c.Bool("quiet")}
	if a.cwd != "" {
		if a.cwd, err = filepath.Abs(a.cwd); err != nil {
			return err
		}
	}
	for _, p := range c.Args().Slice() {
		abs, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		if _, err := os.Stat(abs); err != nil {
			return usageError{fmt.Errorf("%s: %w", p, err)}
		}
		a.paths = append(a.paths, abs)
	}
	err = s.readHere(c.Context, &a)
	var locked *store.LockedError
	if errors.As(err, &locked) {
		return s.handOver(c.Context, &a, err)
	}
	return err
}

// readHere reads in this process.
func (s *settings) readHere(ctx context.Context, a *asked) error {
	p, err := s.readFrom(ctx, a, s.home)
	if err != nil {
		return err
	}
	if p.Files > 0 || a.or == "" || len(a.paths) > 0 {
		return nil
	}
	home, err := filepath.Abs(a.or)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "no transcripts of your own were found; reading those in %s\n", a.or)
	_, err = s.readFrom(ctx, a, home)
	return err
}

func (s *settings) readFrom(ctx context.Context, a *asked, home string) (ingest.Progress, error) {
	o := s.options()
	if home != s.home {
		o.Home, o.Getenv = home, func(string) string { return "" }
	}
	d, err := daemon.New(o)
	if err != nil {
		return ingest.Progress{}, err
	}
	start := time.Now()
	err = d.Ingest(ctx, a.paths, a.bar.update)
	p := a.bar.finish()
	if err == nil && p.Files > 0 {
		err = s.report(ctx, a, d, p, time.Since(start))
	}
	return p, errors.Join(err, d.Close())
}

// report says what was read and, if asked to, shows the memory of one project.
func (s *settings) report(ctx context.Context, a *asked, d *daemon.Daemon, p ingest.Progress, took time.Duration) error {
	projects, err := d.Projects(ctx)
	if err != nil {
		return err
	}
	entries := 0
	for _, q := range projects {
		entries += q.Entries
	}
	fmt.Fprintf(a.err, "read %d transcripts (%s) in %s: %d projects, %d entries\n",
		p.FilesDone, megabytes(p.BytesDone), took.Round(10*time.Millisecond), len(projects), entries)
	if !a.show || len(projects) == 0 {
		return nil
	}
	cwd := a.cwd
	if cwd == "" {
		cwd = projects[0].Cwd
	}
	block, err := d.Render(ctx, api.RenderParams{Cwd: cwd})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "the memory of %s:\n\n", cwd)
	_, err = fmt.Fprintln(a.out, block.Text)
	return err
}

// handOver lets the running daemon do the work and waits for it.
func (s *settings) handOver(ctx context.Context, a *asked, locked error) error {
	if len(a.paths) > 0 {
		return fmt.Errorf("%s; stop it to read paths of your own, or put them under a directory that it reads", explain(locked))
	}
	socket, err := ipc.SocketPath(s.place())
	if err != nil {
		return err
	}
	client, err := ipc.Dial(ctx, socket)
	if err != nil {
		return fmt.Errorf("%s, but it does not answer at %s: %w", explain(locked), socket, err)
	}
	defer client.Close()
	var rescan api.RescanResult
	if err := client.Call(ctx, api.MethodRescan, api.RescanParams{}, &rescan); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "a daemon is running; it reads %d transcripts\n", rescan.Sources)
	if err := s.follow(ctx, a, client, rescan.Sources); err != nil {
		return err
	}
	if !a.show {
		return nil
	}
	return showRemote(ctx, a, client)
}

// follow draws the daemon's progress until it has read everything.
func (s *settings) follow(ctx context.Context, a *asked, client *ipc.Client, total int) error {
	done := make(chan error, 1)
	go func() { done <- client.Call(ctx, api.MethodSync, api.CwdParams{}, nil) }()
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	start := time.Now()
	for {
		select {
		case err := <-done:
			a.bar.finish()
			return err
		case <-tick.C:
			var st api.StatusResult
			if client.Call(ctx, api.MethodStatus, api.None{}, &st) != nil {
				continue
			}
			left := st.Queue.Files
			a.bar.update(ingest.Progress{Files: total, FilesDone: max(total-left, 0), Bytes: int64(total), BytesDone: int64(max(total-left, 0)), Elapsed: time.Since(start)})
		}
	}
}

func showRemote(ctx context.Context, a *asked, client *ipc.Client) error {
	cwd := a.cwd
	if cwd == "" {
		var p api.ProjectsResult
		if err := client.Call(ctx, api.MethodProjects, api.None{}, &p); err != nil {
			return err
		}
		if len(p.Projects) == 0 {
			return nil
		}
		cwd = p.Projects[0].Cwd
	}
	var block api.RenderResult
	if err := client.Call(ctx, api.MethodRender, api.RenderParams{Cwd: cwd}, &block); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.out, block.Text)
	return err
}
