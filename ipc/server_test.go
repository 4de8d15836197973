//go:build unix

package ipc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serve starts a server on a real socket and stops it at the end of the test.
func serve(t *testing.T, handlers map[string]Handler, o ServerOptions) (path string, s *Server) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "run", "k.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	s = NewServer(handlers, o)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return path, s
}

type echoParams struct {
	Text  string `json:"text"`
	Limit int    `json:"limit"`
}

func testHandlers() map[string]Handler {
	return map[string]Handler{
		"echo":  Method(func(_ context.Context, p echoParams) (echoParams, error) { return p, nil }),
		"panic": Method(func(context.Context, struct{}) (int, error) { panic("boom") }),
		"fail":  Method(func(context.Context, struct{}) (int, error) { return 0, errors.New("no luck") }),
		"typed": Method(func(context.Context, struct{}) (int, error) {
			return 0, fmt.Errorf("wrapped: %w", &Error{Code: -32003, Message: "wrong field", Data: map[string]string{"field": "key"}})
		}),
		"nan": Method(func(context.Context, struct{}) (any, error) { return make(chan int), nil }),
		"slow": Method(func(ctx context.Context, _ struct{}) (string, error) {
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(200 * time.Millisecond):
				return "slept", nil
			}
		}),
	}
}

// raw is a client that writes what it likes.
type raw struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

func dialRaw(t *testing.T, path string) *raw {
	t.Helper()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	return &raw{t, conn, bufio.NewReader(conn)}
}

func (r *raw) send(lines string) {
	r.t.Helper()
	if _, err := r.Write([]byte(lines)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *raw) line() string {
	r.t.Helper()
	s, err := r.r.ReadString('\n')
	if err != nil {
		r.t.Fatalf("read: %v (after %q)", err, s)
	}
	return strings.TrimSpace(s)
}

// closed checks that the server ends the connection.
func (r *raw) closed() {
	r.t.Helper()
	if s, err := r.r.ReadString('\n'); err == nil || errors.Is(err, context.DeadlineExceeded) {
		r.t.Errorf("the connection is open: %q, %v", s, err)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	tests := []struct{ name, in, want string }{
		{"result", `{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"<a>"}}`, `{"jsonrpc":"2.0","id":1,"result":{"text":"<a>","limit":0}}`},
		{"no params", `{"jsonrpc":"2.0","id":"x","method":"echo"}`, `{"jsonrpc":"2.0","id":"x","result":{"text":"","limit":0}}`},
		{"ids come back as they are", `{"jsonrpc":"2.0","id":-1.50,"method":"echo"}`, `"id":-1.50,`},
		{"a null id is answered", `{"jsonrpc":"2.0","id":null,"method":"echo"}`, `"id":null,"result"`},
		{"blanks around", "  \t" + `{"jsonrpc":"2.0","id":1,"method":"echo"}` + " \r", `"result"`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, `"error":{"code":-32601,"message":"there is no method \"nope\""}`},
		{"wrong type", `{"jsonrpc":"2.0","id":1,"method":"echo","params":{"limit":"ten"}}`, `"code":-32602,"message":"invalid params: \"limit\" must be a number, not string"`},
		{"positional params", `{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}`, `"code":-32602,"message":"invalid params: must be an object, not array"`},
		{"broken JSON", `{"jsonrpc":`, `"id":null,"error":{"code":-32700`},
		{"no JSON", `GET / HTTP/1.1`, `"code":-32700`},
		{"a NUL", "\x00", `"code":-32700`},
		{"not an object", `"hello"`, `"code":-32600`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"echo"}]`, `"code":-32600,"message":"batches`},
		{"no version", `{"id":7,"method":"echo"}`, `"id":7,"error":{"code":-32600`},
		{"no method", `{"jsonrpc":"2.0","id":7}`, `"id":7,"error":{"code":-32600`},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"echo"}`, `"id":null,"error":{"code":-32600`},
		{"an error's code and data", `{"jsonrpc":"2.0","id":1,"method":"typed"}`, `"error":{"code":-32003,"message":"wrong field","data":{"field":"key"}}`},
		{"an ordinary error", `{"jsonrpc":"2.0","id":1,"method":"fail"}`, `"error":{"code":-32603,"message":"no luck"}`},
		{"a panic", `{"jsonrpc":"2.0","id":1,"method":"panic"}`, `"error":{"code":-32603,"message":"internal error `},
		{"a result that is none", `{"jsonrpc":"2.0","id":1,"method":"nan"}`, `"error":{"code":-32603,"message":"the result cannot be encoded`},
		{"deep nesting", strings.Repeat(`{"a":`, 20_000), `"code":-32700`},
	}
	c := dialRaw(t, path) // one connection: none of these ends it
	for _, tt := range tests {
		c.send(tt.in + "\n")
		if got := c.line(); !strings.Contains(got, tt.want) || !json.Valid([]byte(got)) {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestByHand(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	// What nc does: send, end the sending, read until the end. Also without a last newline.
	for _, in := range []string{`{"jsonrpc":"2.0","id":1,"method":"slow"}` + "\n", `{"jsonrpc":"2.0","id":1,"method":"slow"}`} {
		c := dialRaw(t, path)
		c.send(in)
		if err := c.Conn.(*net.UnixConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got, want := c.line(), `{"jsonrpc":"2.0","id":1,"result":"slept"}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		c.closed()
	}
}

func TestConcurrentRequests(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":"slow","method":"slow"}` + "\n" + `{"jsonrpc":"2.0","id":"quick","method":"echo"}` + "\n")
	first, second := c.line(), c.line()
	if !strings.Contains(first, `"quick"`) || !strings.Contains(second, `"slow"`) {
		t.Errorf("answers %s, %s: the quick one must overtake the slow one", first, second)
	}
}

func TestNotificationsAreNotAnswered(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","method":"echo"}` + "\n" + `{"jsonrpc":"2.0","method":"nope"}` + "\n\n" + `{"jsonrpc":"2.0","id":2,"method":"echo"}` + "\n")
	if got := c.line(); !strings.Contains(got, `"id":2`) {
		t.Errorf("got %s, want the answer to 2", got)
	}
}

func TestLongLine(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{MaxLine: 100_000})
	fits := `{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"` + strings.Repeat("x", 90_000) + `"}}`
	c := dialRaw(t, path)
	c.send(fits + "\n")
	c.line()
	// The client writes far more than the limit before it reads.
	go func() {
		for range 64 {
			if _, err := c.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
		c.Conn.(*net.UnixConn).CloseWrite()
	}()
	if got, want := c.line(), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the request line is longer than 100000 bytes"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c.closed()
}

func TestSlowLine(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{Line: 100 * time.Millisecond})
	c := dialRaw(t, path)
	time.Sleep(150 * time.Millisecond) // silence between lines is no fault
	c.send(`{"jsonrpc":"2.0","id":1,"method":"echo"}` + "\n")
	c.line()
	start := time.Now()
	c.send(`{"jsonrpc"`)
	if got := c.line(); !strings.Contains(got, "did not end within 100ms") {
		t.Errorf("got %s", got)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("cut off after %s", took)
	}
}

func TestIdle(t *testing.T) {
	t.Parallel()
	path, s := serve(t, testHandlers(), ServerOptions{Idle: 50 * time.Millisecond})
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"slow"}` + "\n") // longer than Idle
	if got := c.line(); !strings.Contains(got, "slept") {
		t.Errorf("a busy connection is not idle: %s", got)
	}
	c.closed()
	eventually(t, func() bool { return s.Conns() == 0 })
}

// A client that asks for a lot and never reads costs one connection, and not for long.
func TestClientThatNeverReads(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 4<<20)
	handlers := testHandlers()
	handlers["big"] = Method(func(context.Context, struct{}) (string, error) { return big, nil })
	path, s := serve(t, handlers, ServerOptions{Write: 100 * time.Millisecond})
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"big"}` + "\n")
	other := dialRaw(t, path)
	other.send(`{"jsonrpc":"2.0","id":1,"method":"echo"}` + "\n")
	other.line()
	other.Close()
	eventually(t, func() bool { return s.Conns() == 0 })
}

func TestConnectionLimit(t *testing.T) {
	t.Parallel()
	path, s := serve(t, testHandlers(), ServerOptions{MaxConns: 2})
	a, b := dialRaw(t, path), dialRaw(t, path)
	eventually(t, func() bool { return s.Conns() == 2 })
	c := dialRaw(t, path)
	if got := c.line(); !strings.Contains(got, `"id":null,"error":{"code":-32005`) {
		t.Errorf("got %s, want busy", got)
	}
	c.closed()
	a.Close()
	eventually(t, func() bool { return s.Conns() == 1 })
	d := dialRaw(t, path)
	for _, conn := range []*raw{b, d} {
		conn.send(`{"jsonrpc":"2.0","id":1,"method":"echo"}` + "\n")
		conn.line()
	}
}

func TestInFlightLimit(t *testing.T) {
	t.Parallel()
	var now, most atomic.Int32
	handlers := map[string]Handler{"work": Method(func(context.Context, struct{}) (int, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(time.Millisecond)
		return 0, nil
	})}
	path, _ := serve(t, handlers, ServerOptions{MaxInFlight: 3})
	c := dialRaw(t, path)
	go c.Write([]byte(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"work"}`+"\n", 200)))
	for range 200 {
		c.line()
	}
	if most.Load() > 3 {
		t.Errorf("%d requests at a time, want at most 3", most.Load())
	}
}

func TestManyClients(t *testing.T) {
	t.Parallel()
	path, s := serve(t, testHandlers(), ServerOptions{})
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			c, err := Dial(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for j := range 20 {
				in := echoParams{Text: fmt.Sprintf("%d/%d", i, j)}
				var out echoParams
				if err := c.Call(context.Background(), "echo", in, &out); err != nil || in != out {
					t.Errorf("got %v, %v, want %v", out, err, in)
				}
			}
		})
	}
	wg.Wait()
	eventually(t, func() bool { return s.Conns() == 0 })
}

// A client that goes away ends its requests.
func TestClientGoes(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	handlers := map[string]Handler{"wait": Method(func(ctx context.Context, _ struct{}) (int, error) {
		<-ctx.Done()
		close(ended)
		return 0, ctx.Err()
	})}
	path, _ := serve(t, handlers, ServerOptions{})
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"wait"}` + "\n")
	time.Sleep(20 * time.Millisecond)
	c.Close()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("the request goes on")
	}
}

func TestGarbage(t *testing.T) {
	t.Parallel()
	path, s := serve(t, testHandlers(), ServerOptions{MaxLine: 4096})
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			conn, err := net.Dial("unix", path)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			junk := make([]byte, 997*(i%5+1))
			for j := range junk {
				junk[j] = byte(i*31 + j*j*7)
			}
			conn.Write(junk) // the server may have closed already
		})
	}
	wg.Wait()
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"echo"}` + "\n")
	c.line()
	c.Close()
	eventually(t, func() bool { return s.Conns() == 0 })
}

func TestObserve(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	seen := map[string]int{}
	path, _ := serve(t, testHandlers(), ServerOptions{Observe: func(method string, _ time.Duration, code int) {
		mu.Lock()
		defer mu.Unlock()
		seen[fmt.Sprintf("%s %d", method, code)]++
	}})
	c := dialRaw(t, path)
	for _, m := range []string{"echo", "nope", "fail", "nan"} {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"` + m + `"}` + "\n")
		c.line()
	}
	for _, want := range []string{"echo 0", " -32601", "fail -32603", "nan -32603"} {
		eventually(t, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return seen[want] == 1
		})
	}
}

func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("it did not come true in 5 s")
}
