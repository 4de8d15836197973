package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"
)

// Handler answers one method. The context ends when the client has gone or the
// server has stopped waiting. An [*Error] in the chain chooses code and data;
// any other error is an internal one. It may keep conn only by
// [Conn.Subscribe].
type Handler func(ctx context.Context, params json.RawMessage, conn *Conn) (any, error)

// Method makes a handler of a function that knows nothing of the wire.
func Method[P, R any](fn func(context.Context, P) (R, error)) Handler {
	return MethodConn(func(ctx context.Context, p P, _ *Conn) (R, error) { return fn(ctx, p) })
}

// MethodConn is [Method] for a function that sends notifications.
func MethodConn[P, R any](fn func(context.Context, P, *Conn) (R, error)) Handler {
	return func(ctx context.Context, params json.RawMessage, conn *Conn) (any, error) {
		var p P
		if err := decodeParams(params, &p); err != nil {
			return nil, err
		}
		return fn(ctx, p, conn)
	}
}

// ServerOptions are the limits of a server; a zero field means its default.
type ServerOptions struct {
	Log         *slog.Logger  // default: nothing is logged
	MaxLine     int           // bytes of a request line; 8 MiB
	MaxConns    int           // connections at a time; 256, further ones are told to try again
	MaxInFlight int           // requests of one connection at a time; 32, further ones wait unread
	Idle        time.Duration // a connection without requests; 5 minutes
	Line        time.Duration // from the first byte of a line to its last; 30 s
	Write       time.Duration // one answer; 10 s
	Grace       time.Duration // for requests in progress at shutdown; 1.5 s, half a second more for their cancelling

	// Observe, if set, is called after every request with the code of its
	// error, 0 without one. The method of a request for none is "".
	Observe func(method string, took time.Duration, code int)
}

func (o ServerOptions) withDefaults() ServerOptions {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.MaxLine = orDefault(o.MaxLine, 8<<20)
	o.MaxConns = orDefault(o.MaxConns, 256)
	o.MaxInFlight = orDefault(o.MaxInFlight, 32)
	o.Idle = orDefault(o.Idle, 5*time.Minute)
	o.Line = orDefault(o.Line, 30*time.Second)
	o.Write = orDefault(o.Write, 10*time.Second)
	o.Grace = orDefault(o.Grace, 1500*time.Millisecond)
	return o
}

func orDefault[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Server answers requests. It may be shared.
type Server struct {
	handlers map[string]Handler
	o        ServerOptions

	mu    sync.Mutex // guards the fields below
	conns map[*Conn]struct{}
	down  bool
}

// NewServer makes a server of a table of methods, which it does not change.
func NewServer(handlers map[string]Handler, o ServerOptions) *Server {
	return &Server{handlers: handlers, o: o.withDefaults(), conns: map[*Conn]struct{}{}}
}

// Serve answers on a listener until the context ends, and then waits for the
// requests in progress, two seconds at most. It closes the listener. The error
// is nil after an orderly end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	var wg sync.WaitGroup
	err := s.accept(ctx, l, &wg)
	l.Close()
	s.shutdown(&wg)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *Server) accept(ctx context.Context, l net.Listener, wg *sync.WaitGroup) error {
	pause := time.Duration(0)
	for {
		raw, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return err
			}
			// Out of descriptors, most likely: wait for some to come free.
			pause = min(max(2*pause, 5*time.Millisecond), time.Second)
			s.o.Log.Warn("accept", "err", err)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pause):
			}
			continue
		}
		pause = 0
		if err := checkPeer(raw); err != nil {
			s.o.Log.Warn("connection refused", "err", err)
			raw.Close()
			continue
		}
		s.start(raw, wg)
	}
}

// start serves a connection in a goroutine of wg, or tells it that there are
// too many.
func (s *Server) start(raw net.Conn, wg *sync.WaitGroup) {
	c := newConn(s, raw)
	s.mu.Lock()
	full, down := len(s.conns) >= s.o.MaxConns, s.down
	if !full && !down {
		s.conns[c] = struct{}{}
	}
	s.mu.Unlock()
	if full || down {
		// The line is short and the socket's buffer empty: this does not block.
		line, _ := encodeAnswer(nullID, nil, Errorf(codeBusy, "the daemon is busy: too many connections; try again"))
		raw.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		raw.Write(line)
		c.close()
		return
	}
	wg.Go(func() {
		defer func() {
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		}()
		c.serve()
	})
}

// Conns returns the number of open connections.
func (s *Server) Conns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// shutdown ends all connections: those with requests in progress get the grace
// period, then their contexts are cancelled, then they are closed. A handler
// that does not even end then is left behind.
func (s *Server) shutdown(wg *sync.WaitGroup) {
	s.each(func(c *Conn) { c.wind() })
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	if waitFor(done, s.o.Grace) {
		return
	}
	s.each(func(c *Conn) { c.cancel() })
	if waitFor(done, 250*time.Millisecond) {
		return
	}
	s.each(func(c *Conn) { c.close() })
	if !waitFor(done, 250*time.Millisecond) {
		s.o.Log.Error("requests did not end", "n", s.Conns())
	}
}

func (s *Server) each(fn func(*Conn)) {
	s.mu.Lock()
	s.down = true
	conns := make([]*Conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		fn(c)
	}
}

func waitFor(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
