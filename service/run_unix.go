//go:build unix

package service

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

func run(ctx context.Context, o Options, n *Notifier, fn func(context.Context, *Notifier) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()

	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ended, forced := make(chan struct{}), make(chan struct{})
	defer close(ended)
	wg.Go(func() { listen(o, n, signals, cancel, ended, forced) })

	done := make(chan error, 1)
	go func() { done <- finish(ctx, n, fn) }()
	select {
	case err := <-done:
		return err
	case <-forced: // fn is left behind: the process is about to end
		return ErrForced
	}
}

// listen acts on signals until the run has ended. Reloads run one after the
// other, and signals that arrive meanwhile are not lost.
func listen(o Options, n *Notifier, signals <-chan os.Signal, cancel func(), ended <-chan struct{}, forced chan<- struct{}) {
	reload := make(chan struct{}, 1)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(reload)
	wg.Go(func() {
		for range reload {
			if o.Reload != nil {
				n.reloading()
				o.Reload()
				n.Ready()
			}
		}
	})
	stopping := false
	for {
		select {
		case <-ended:
			return
		case s := <-signals:
			switch {
			case s == syscall.SIGHUP:
				select {
				case reload <- struct{}{}:
				default: // one is waiting already
				}
			case stopping:
				close(forced)
				return
			default:
				stopping = true
				cancel()
			}
		}
	}
}
