package ipc

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

// Conn is the server's end of one connection, for handlers that send
// notifications. It may be shared.
type Conn struct {
	server *Server
	raw    net.Conn
	ctx    context.Context // of all requests; ends with the connection
	cancel context.CancelFunc
	closed chan struct{}  // closed with raw
	once   sync.Once      // closes it
	slots  chan struct{}  // one for each request in progress
	wg     sync.WaitGroup // requests and the notifier
	notes  notes

	wmu sync.Mutex // held while writing a line

	mu      sync.Mutex // guards the fields below
	winding bool       // no further request is read
	subs    []func()   // what Subscribe was given
	ended   bool       // subs have been called
	noting  bool       // the notifier runs
}

func newConn(s *Server, raw net.Conn) *Conn {
	ctx, cancel := context.WithCancel(context.Background())
	return &Conn{
		server: s, raw: raw, ctx: ctx, cancel: cancel,
		closed: make(chan struct{}),
		slots:  make(chan struct{}, s.o.MaxInFlight),
		notes:  notes{wake: make(chan struct{}, 1)},
	}
}

// Done is closed when the connection ends.
func (c *Conn) Done() <-chan struct{} { return c.ctx.Done() }

// Subscribe marks the connection as one that waits for notifications: it may
// be idle, and stays open after the client has stopped sending, until the
// client has gone. Notifications begin after the answer to the request that
// subscribed. cancel is called once, at the end of the connection.
func (c *Conn) Subscribe(cancel func()) {
	c.mu.Lock()
	ended := c.ended
	if !ended {
		c.subs = append(c.subs, cancel)
	}
	c.mu.Unlock()
	if ended {
		cancel()
	}
}

// Notify queues a notification and never waits. What does not fit is dropped
// and counted; the client is told with [MethodMissed] where the gap is. It
// reports whether the notification was queued.
func (c *Conn) Notify(method string, params any) bool {
	line, err := encode(outgoing{Version: "2.0", Method: method, Params: params})
	if err != nil {
		c.server.o.Log.Error("notification", "method", method, "err", err)
		return false
	}
	return c.notes.put(line)
}

// close ends the connection at once.
func (c *Conn) close() {
	c.cancel()
	c.raw.Close()
	c.once.Do(func() { close(c.closed) })
}

// wind ends the reading of requests; those in progress go on.
func (c *Conn) wind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.winding = true
	c.raw.SetReadDeadline(time.Unix(1, 0))
}

func (c *Conn) isWinding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.winding
}

func (c *Conn) subscribed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.subs) > 0
}

// serve answers the requests of the connection until it ends.
func (c *Conn) serve() {
	err := c.read()
	if errors.Is(err, io.EOF) || c.isWinding() {
		c.linger()
	}
	c.close()
	c.mu.Lock()
	subs := c.subs
	c.subs, c.ended = nil, true
	c.mu.Unlock()
	for _, cancel := range subs {
		cancel()
	}
	c.wg.Wait()
}

// read reads requests and starts their handlers. It returns why it stopped.
func (c *Conn) read() error {
	in := &lineDeadline{c: c}
	f := newFrames(in, c.server.o.MaxLine)
	in.partial = f.partial
	for {
		line, err := f.next()
		switch {
		case errors.Is(err, errLineTooLong):
			c.refuse(Errorf(codeRequest, "the request line is longer than %d bytes", c.server.o.MaxLine))
			return err
		case errors.Is(err, os.ErrDeadlineExceeded) && !f.partial() && c.busy() && !c.isWinding():
			continue
		case errors.Is(err, os.ErrDeadlineExceeded) && f.partial() && !c.isWinding():
			c.refuse(Errorf(codeParse, "the request line did not end within %s", c.server.o.Line))
			return err
		case err != nil:
			return err
		}
		in.began = time.Time{}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		req, failure := parseRequest(line)
		if failure != nil {
			c.answer("", time.Now(), req.ID, nil, failure)
			continue
		}
		select {
		case c.slots <- struct{}{}:
		case <-c.ctx.Done():
			return c.ctx.Err()
		}
		c.wg.Go(func() {
			defer func() { <-c.slots }()
			c.handle(req)
		})
	}
}

// busy reports whether the connection has a reason to be silent.
func (c *Conn) busy() bool { return len(c.slots) > 0 || c.subscribed() }

// refuse answers a line that broke the framing and lets the client read the
// answer: a close with unread bytes would reset the connection under it.
func (c *Conn) refuse(e *Error) {
	c.answer("", time.Now(), nullID, nil, e)
	if w, ok := c.raw.(interface{ CloseWrite() error }); ok {
		w.CloseWrite()
	}
	c.raw.SetReadDeadline(time.Now().Add(time.Second))
	io.Copy(io.Discard, io.LimitReader(c.raw, 256<<20))
}

// linger waits for the requests in progress, and for as long as somebody is
// there and subscribed, after the client has stopped sending.
func (c *Conn) linger() {
	t := time.NewTicker(20 * time.Millisecond)
	defer t.Stop()
	for len(c.slots) > 0 || c.subscribed() && !c.isWinding() {
		select {
		case <-c.closed: // not ctx: cancelled requests are still answered
			return
		case <-t.C:
			if !c.isWinding() && peerGone(c.raw) {
				return
			}
		}
	}
}

// handle runs one request and answers it.
func (c *Conn) handle(req request) {
	start := time.Now()
	h, ok := c.server.handlers[*req.Method]
	if !ok {
		c.answer("", start, req.ID, nil, Errorf(codeMethod, "there is no method %q", clip(*req.Method)))
		return
	}
	result, failure := c.call(h, req)
	c.answer(*req.Method, start, req.ID, result, failure)
	c.mu.Lock()
	begin := len(c.subs) > 0 && !c.noting && !c.ended
	c.noting = c.noting || begin
	c.mu.Unlock()
	if begin {
		c.wg.Go(c.sendNotes)
	}
}

// call runs a handler and turns its error or its panic into an [Error].
func (c *Conn) call(h Handler, req request) (result any, failure *Error) {
	defer func() {
		if p := recover(); p != nil {
			id := make([]byte, 4)
			rand.Read(id)
			c.server.o.Log.Error("panic in a request", "method", *req.Method, "id", hex.EncodeToString(id), "panic", p, "stack", string(debug.Stack()))
			result, failure = nil, Errorf(codeInternal, "internal error %x; the daemon's log says more", id)
		}
	}()
	result, err := h(c.ctx, req.Params, c)
	if err == nil {
		return result, nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return nil, e
	case errors.Is(err, context.Canceled):
		return nil, Errorf(codeBusy, "the daemon is shutting down; try again")
	case errors.Is(err, context.DeadlineExceeded):
		return nil, Errorf(codeBusy, "the daemon is too busy to answer in time; try again")
	default:
		return nil, Errorf(codeInternal, "%v", err)
	}
}

// answer writes the answer to a request, unless it was a notification.
func (c *Conn) answer(method string, start time.Time, id json.RawMessage, result any, failure *Error) {
	code := 0
	if id != nil {
		line, failed := encodeAnswer(id, result, failure)
		failure = failed
		c.write(line, c.server.o.Write)
	}
	if failure != nil {
		code = failure.Code
	}
	if c.server.o.Observe != nil {
		c.server.o.Observe(method, time.Since(start), code)
	}
}

// write writes one line. A client that does not take it in time is cut off,
// for part of a line may have been written.
func (c *Conn) write(line []byte, limit time.Duration) bool {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	deadline := time.Time{}
	if limit > 0 {
		deadline = time.Now().Add(limit)
	}
	c.raw.SetWriteDeadline(deadline)
	if _, err := c.raw.Write(line); err != nil {
		c.close()
		return false
	}
	return true
}

// lineDeadline reads from a connection: a line that has begun must end in
// time, and between lines the connection may be idle for a while.
type lineDeadline struct {
	c       *Conn
	partial func() bool
	began   time.Time // of the line that is being read
}

func (r *lineDeadline) Read(b []byte) (int, error) {
	o := r.c.server.o
	deadline := time.Now().Add(o.Idle)
	if r.partial() {
		if r.began.IsZero() {
			r.began = time.Now()
		}
		deadline = r.began.Add(o.Line)
	} else {
		r.began = time.Time{}
	}
	r.c.mu.Lock()
	if !r.c.winding {
		r.c.raw.SetReadDeadline(deadline)
	}
	r.c.mu.Unlock()
	return r.c.raw.Read(b)
}

func clip(s string) string {
	if len(s) > 64 {
		return s[:64] + "..."
	}
	return s
}
