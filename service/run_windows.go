package service

import (
	"context"
	"os"
	"os/signal"

	"github.com/kardianos/service"
	"golang.org/x/sys/windows/svc"
)

func run(ctx context.Context, o Options, n *Notifier, fn func(context.Context, *Notifier) error) error {
	managed, err := svc.IsWindowsService()
	if err != nil {
		return err
	}
	if managed {
		return runManaged(ctx, o, n, fn)
	}
	return runConsole(ctx, n, fn)
}

// runConsole runs in the foreground. Ctrl+C stops; a second one gives up.
func runConsole(ctx context.Context, n *Notifier, fn func(context.Context, *Notifier) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	done := make(chan error, 1)
	go func() { done <- finish(ctx, n, fn) }()
	for stopping := false; ; stopping = true {
		select {
		case err := <-done:
			return err
		case <-signals:
			if stopping {
				return ErrForced
			}
			cancel()
		}
	}
}

// runManaged runs under the service control manager.
func runManaged(ctx context.Context, o Options, n *Notifier, fn func(context.Context, *Notifier) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &program{start: func(p *program) {
		p.err = finish(ctx, n, fn)
		close(p.done)
		if ctx.Err() == nil {
			// The manager would go on waiting for a request to stop. An exit
			// without one is what it takes for a failure, and restarts after.
			os.Exit(1)
		}
	}, stop: cancel, done: make(chan struct{})}
	s, err := service.New(p, &service.Config{Name: o.Name})
	if err != nil {
		return err
	}
	if err := s.Run(); err != nil {
		return err
	}
	return p.err
}

// program is what the manager starts and stops.
type program struct {
	start func(*program)
	stop  func()
	done  chan struct{}
	err   error // valid once done is closed
}

// Start must not block.
func (p *program) Start(service.Service) error {
	go p.start(p)
	return nil
}

// Stop waits for the end.
func (p *program) Stop(service.Service) error {
	p.stop()
	<-p.done
	return nil
}
