// Command kmemd is the daemon: it reads the transcripts of coding agents,
// keeps what is worth remembering and hands it back over a socket.
//
// The command says what to run and with which settings; all the work is in
// package daemon.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/service"
	"github.com/kmemd/kmemd/store"
)

// The exit codes, as for kmemctl.
const (
	exitDone   = 0
	exitNo     = 1
	exitUsage  = 2
	exitFailed = 4
	exitForced = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string) int {
	err := newApp().RunContext(ctx, args)
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(os.Stderr, "kmemd: "+explain(err))
	return codeOf(err)
}

// usageError is a wrong call.
type usageError struct{ error }

func codeOf(err error) int {
	var usage usageError
	var locked *store.LockedError
	var running *ipc.RunningError
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &locked), errors.As(err, &running):
		return exitNo
	case errors.Is(err, service.ErrForced):
		return exitForced
	}
	return exitFailed
}

// explain says what went wrong and what to do next, in one line.
func explain(err error) string {
	var locked *store.LockedError
	var running *ipc.RunningError
	switch {
	case errors.As(err, &locked) && locked.PID != 0:
		return fmt.Sprintf("a daemon is already running (pid %d); it holds %s", locked.PID, locked.Path)
	case errors.As(err, &locked):
		return fmt.Sprintf("a daemon is already running; it holds %s", locked.Path)
	case errors.As(err, &running):
		return running.Error()
	}
	return err.Error()
}

func newApp() *cli.App {
	app := &cli.App{
		Name:        "kmemd",
		Usage:       "gives every coding agent on this machine a memory",
		HideVersion: true,
		Suggest:     true,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "config", Usage: "configuration `FILE`", EnvVars: []string{"KMEM_CONFIG"}},
			&cli.StringFlag{Name: "log-level", Usage: "debug, info, warn or error"},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError{fmt.Errorf("there is no command %q; see kmemd --help", c.Args().First())}
			}
			return runDaemon(c)
		},
		Commands: []*cli.Command{
			{Name: "run", Usage: "read and serve in the foreground until stopped", Action: noArgs(runDaemon)},
			{
				Name: "ingest", Usage: "read once what there is, then exit", ArgsUsage: "[PATH…]",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "show", Usage: "print the memory of the newest project afterwards"},
					&cli.StringFlag{Name: "cwd", Usage: "with --show: the memory of this `DIR` instead"},
					&cli.StringFlag{Name: "or", Usage: "read the transcripts below `DIR`, laid out as a home directory, if there are none of your own"},
					&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress"},
				},
				Action: ingestOnce,
			},
			{Name: "verify", Usage: "check one store file", ArgsUsage: "FILE", Hidden: true, Action: verifyFile},
			{Name: "version", Usage: "print version, commit and Go version", Action: noArgs(printVersion)},
		},
		ExitErrHandler: func(*cli.Context, error) {},
	}
	refuse := func(_ *cli.Context, err error, _ bool) error { return usageError{err} }
	app.OnUsageError = refuse
	for _, c := range app.Commands {
		c.OnUsageError = refuse
	}
	return app
}

func noArgs(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Args().Present() {
			return usageError{fmt.Errorf("%s takes no arguments", c.Command.Name)}
		}
		return action(c)
	}
}
