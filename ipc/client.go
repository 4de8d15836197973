package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"time"
)

// Limits of a client. An answer may be far larger than a request: a page of an
// export, the block, a graph.
const (
	maxRequest = 8 << 20
	maxAnswer  = 256 << 20
)

// Client is one connection to the daemon. It may be shared: calls run
// concurrently.
type Client struct {
	conn net.Conn
	wg   sync.WaitGroup // the reading goroutine

	wmu sync.Mutex // held while writing a line

	mu      sync.Mutex // guards the fields below
	last    int64
	pending map[string]chan incoming // by id
	notify  func(method string, params json.RawMessage)
	err     error // why the connection ended
}

// incoming is an answer or a notification.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Dial connects to the daemon at a socket and makes sure that it is the user's
// own. It waits for the context, two seconds where it has no deadline. The
// error is a [*DialError] unless the context was cancelled.
func Dial(ctx context.Context, path string) (*Client, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
	}
	conn, err := dialRetry(ctx, path)
	if err != nil {
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		return nil, &DialError{Path: path, Err: err}
	}
	if err := checkServer(conn); err != nil {
		conn.Close()
		return nil, &DialError{Path: path, Err: err}
	}
	c := &Client{conn: conn, pending: map[string]chan incoming{}}
	c.wg.Go(c.read)
	return c, nil
}

// dialRetry tries again while the daemon's queue of connections is full.
func dialRetry(ctx context.Context, path string) (net.Conn, error) {
	for {
		conn, err := dial(ctx, path)
		if err == nil || !queueFull(err) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Duration(5+rand.IntN(45)) * time.Millisecond):
		}
	}
}

// OnNotify sets the function that gets the notifications. It is called in the
// order of their arrival by the reading goroutine: while it runs, no answer is
// read, so it must not call and wait. The parameters are valid until it
// returns.
func (c *Client) OnNotify(fn func(method string, params json.RawMessage)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notify = fn
}

// Call sends a request and waits for its answer, which is decoded into result
// unless that is nil. An error that the daemon answered with is an [*Error];
// [ErrClosed] says that the connection has ended; otherwise it is the
// context's. A call that is given up does not end the connection.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	id, answers, err := c.register()
	if err != nil {
		return err
	}
	line, err := encode(outgoing{Version: "2.0", ID: json.RawMessage(id), Method: method, Params: params})
	if err == nil && len(line) > maxRequest {
		err = fmt.Errorf("request %s: %d bytes are more than the %d that a request may have", method, len(line), maxRequest)
	}
	if err == nil {
		err = c.send(ctx, line)
	}
	if err != nil {
		c.forget(id)
		return err
	}
	select {
	case a, ok := <-answers:
		switch {
		case !ok:
			return c.ended()
		case a.Error != nil:
			return a.Error
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(a.Result, result); err != nil {
			return fmt.Errorf("answer to %s: %w", method, err)
		}
		return nil
	case <-ctx.Done():
		c.forget(id)
		return ctx.Err()
	}
}

// Wait returns when the connection has ended, with the reason, or with the
// context.
func (c *Client) Wait(ctx context.Context) error {
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { c.conn.Close() })
	defer stop()
	go func() {
		defer close(done)
		c.wg.Wait()
	}()
	<-done
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return c.ended()
}

// Close ends the connection; calls in progress return [ErrClosed].
func (c *Client) Close() error {
	err := c.conn.Close()
	c.wg.Wait()
	return err
}

func (c *Client) register() (string, chan incoming, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return "", nil, c.err
	}
	c.last++
	id := strconv.FormatInt(c.last, 10)
	answers := make(chan incoming, 1)
	c.pending[id] = answers
	return id, answers, nil
}

func (c *Client) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

func (c *Client) ended() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// send writes a line within the time of the context. Part of a line would
// break the framing, so a failure ends the connection.
func (c *Client) send(ctx context.Context, line []byte) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	deadline, _ := ctx.Deadline()
	c.conn.SetWriteDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { c.conn.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := c.conn.Write(line); err != nil {
		if ctx.Err() != nil {
			c.conn.Close()
			return ctx.Err()
		}
		// The daemon may have said why before it closed: that is the reader's to tell.
		c.conn.SetReadDeadline(time.Now().Add(time.Second))
		c.wg.Wait()
		return c.ended()
	}
	return nil
}

// read takes in answers and notifications until the connection ends.
func (c *Client) read() {
	f := newFrames(c.conn, maxAnswer)
	for {
		line, err := f.next()
		if err != nil {
			c.end(err)
			return
		}
		if len(line) == 0 {
			continue
		}
		var in incoming
		if err := json.Unmarshal(line, &in); err != nil {
			c.end(fmt.Errorf("unreadable answer: %w", err))
			return
		}
		if !c.deliver(in) {
			return
		}
	}
}

// deliver hands a message to who waits for it. It reports whether reading goes
// on: an error without an id is about the whole connection.
func (c *Client) deliver(in incoming) bool {
	if in.Method != "" {
		c.mu.Lock()
		fn := c.notify
		c.mu.Unlock()
		if fn != nil {
			fn(in.Method, in.Params)
		}
		return true
	}
	if in.Error != nil && (in.ID == nil || string(in.ID) == "null") {
		c.end(in.Error)
		return false
	}
	c.mu.Lock()
	answers := c.pending[string(in.ID)]
	delete(c.pending, string(in.ID))
	c.mu.Unlock()
	if answers != nil {
		answers <- in
	}
	return true
}

func (c *Client) end(cause error) {
	var e *Error
	if !errors.As(cause, &e) {
		if errors.Is(cause, io.EOF) || errors.Is(cause, net.ErrClosed) {
			cause = ErrClosed
		} else {
			cause = fmt.Errorf("%w: %v", ErrClosed, cause)
		}
	}
	c.conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = cause
	for id, answers := range c.pending {
		delete(c.pending, id)
		close(answers)
	}
}
