// Package service runs a function as a daemon: in the foreground, under
// systemd or launchd, or as a Windows service.
//
// It turns what a system says (signals, control requests) into the end of a
// context and a call for a reload, and tells systemd what the daemon is doing.
// It does not know what it runs, does not log, and never puts itself into the
// background.
//
// # Why kardianos/service is used on Windows alone
//
// On every other system a service is an ordinary process that gets signals, and
// its Run takes these over: it ignores a second one, and goes on waiting when
// the function has failed by itself, so that the manager thinks a dead daemon
// alive. Here a run that fails ends the process with its error everywhere.
package service

import (
	"context"
	"errors"
)

// Options say how to run.
type Options struct {
	// Name is the service's name on Windows.
	Name string
	// Reload, if set, is called on SIGHUP, one call at a time, from another
	// goroutine than the function. systemd is told before and after.
	Reload func()
	// Getenv is os.Getenv where it is nil.
	Getenv func(string) string
}

// ErrForced says that a second signal ended the run before it was done.
var ErrForced = errors.New("stopped by a second signal before the work in progress was finished")

// Run calls fn and returns its error, nil when that is the error of the
// context that Run itself cancelled. The context of fn ends when ctx does, or
// when the system wants the daemon to stop; a second SIGINT or SIGTERM gives up
// waiting, and the error is then [ErrForced]. fn says by its [Notifier] when it
// is ready.
func Run(ctx context.Context, o Options, fn func(context.Context, *Notifier) error) error {
	n := newNotifier(o)
	defer n.close()
	return run(ctx, o, n, fn)
}

// finish calls fn and judges its error. systemd hears of the end when it
// begins, and not after fn has returned.
func finish(ctx context.Context, n *Notifier, fn func(context.Context, *Notifier) error) error {
	told := context.AfterFunc(ctx, n.stopping)
	err := fn(ctx, n)
	if !told() {
		n.stopping() // waits for the one that has begun
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
