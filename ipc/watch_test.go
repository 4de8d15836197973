//go:build unix

package ipc

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// hub is what the daemon does for watch: it hands each event to every
// subscriber.
type hub struct {
	mu    sync.Mutex // guards the field below
	conns map[*Conn]bool
}

func (h *hub) watch(_ context.Context, _ struct{}, conn *Conn) (map[string]bool, error) {
	h.mu.Lock()
	h.conns[conn] = true
	h.mu.Unlock()
	conn.Subscribe(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.conns, conn)
	})
	conn.Notify("captured", map[string]int{"n": -1}) // at once: still after the answer
	return map[string]bool{"watching": true}, nil
}

func (h *hub) send(n int, pad string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for conn := range h.conns {
		conn.Notify("captured", map[string]any{"n": n, "pad": pad})
	}
}

func (h *hub) size() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.conns)
}

func serveHub(t *testing.T) (*hub, string) {
	t.Helper()
	h := &hub{conns: map[*Conn]bool{}}
	handlers := testHandlers()
	handlers["watch"] = MethodConn(h.watch)
	path, _ := serve(t, handlers, ServerOptions{Idle: 20 * time.Millisecond, Write: 200 * time.Millisecond})
	return h, path
}

func TestWatch(t *testing.T) {
	t.Parallel()
	h, path := serveHub(t)
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"watch"}` + "\n")
	if got, want := c.line(), `{"jsonrpc":"2.0","id":1,"result":{"watching":true}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := c.line(), `{"jsonrpc":"2.0","method":"captured","params":{"n":-1}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	time.Sleep(60 * time.Millisecond) // longer than Idle
	h.send(1, "")
	if got, want := c.line(), `{"jsonrpc":"2.0","method":"captured","params":{"n":1,"pad":""}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c.Close()
	eventually(t, func() bool { return h.size() == 0 })
}

// What nc does with a watch: its sending ends, its reading goes on.
func TestWatchByHand(t *testing.T) {
	t.Parallel()
	h, path := serveHub(t)
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"watch"}` + "\n")
	c.Conn.(*net.UnixConn).CloseWrite()
	c.line()
	c.line()
	time.Sleep(60 * time.Millisecond)
	h.send(1, "")
	if got := c.line(); !strings.Contains(got, `"n":1`) {
		t.Errorf("got %s", got)
	}
	c.Close()
	eventually(t, func() bool { return h.size() == 0 })
}

// A watcher that stops reading is told how many it missed, at the place where
// they are missing, and slows nobody.
func TestSlowWatcher(t *testing.T) {
	t.Parallel()
	h, path := serveHub(t)
	slow, quick := dialRaw(t, path), dialRaw(t, path)
	for _, c := range []*raw{slow, quick} {
		c.send(`{"jsonrpc":"2.0","id":1,"method":"watch"}` + "\n")
		c.line()
		c.line()
	}
	const total = 3000
	pad := strings.Repeat("x", 2000)
	for n := range total {
		h.send(n, pad)
		if !strings.Contains(quick.line(), "captured") {
			t.Fatal("the quick watcher missed something")
		}
	}
	next, missed := 0, 0
	for next < total {
		var in struct {
			Method string
			Params struct{ N, Count int }
		}
		if err := json.Unmarshal([]byte(slow.line()), &in); err != nil {
			t.Fatal(err)
		}
		if in.Method == MethodMissed {
			next += in.Params.Count
			missed += in.Params.Count
			continue
		}
		if in.Params.N != next {
			t.Fatalf("got %d, want %d", in.Params.N, next)
		}
		next++
	}
	if missed == 0 {
		t.Error("nothing was missed: the test tests nothing")
	}
}

func TestSubscribeAfterTheEnd(t *testing.T) {
	t.Parallel()
	called := make(chan struct{})
	handlers := map[string]Handler{"late": MethodConn(func(ctx context.Context, _ struct{}, conn *Conn) (int, error) {
		<-conn.Done()
		time.Sleep(50 * time.Millisecond)
		conn.Subscribe(func() { close(called) })
		return 0, nil
	})}
	path, _ := serve(t, handlers, ServerOptions{})
	c := dialRaw(t, path)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"late"}` + "\n")
	time.Sleep(20 * time.Millisecond)
	c.Close()
	select {
	case <-called:
	case <-time.After(5 * time.Second):
		t.Error("the subscription was not cancelled")
	}
}

func TestShutdown(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/k.sock"
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	h := &hub{conns: map[*Conn]bool{}}
	handlers := testHandlers()
	handlers["watch"] = MethodConn(h.watch)
	handlers["never"] = Method(func(ctx context.Context, _ struct{}) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- NewServer(handlers, ServerOptions{Grace: 400 * time.Millisecond}).Serve(ctx, l) }()
	idle, watcher, slow, never := dialRaw(t, path), dialRaw(t, path), dialRaw(t, path), dialRaw(t, path)
	watcher.send(`{"jsonrpc":"2.0","id":1,"method":"watch"}` + "\n")
	watcher.line()
	watcher.line()
	slow.send(`{"jsonrpc":"2.0","id":1,"method":"slow"}` + "\n")
	never.send(`{"jsonrpc":"2.0","id":1,"method":"never"}` + "\n")
	time.Sleep(50 * time.Millisecond)
	start := time.Now()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("the end took %s", took)
	}
	if got := slow.line(); !strings.Contains(got, "slept") {
		t.Errorf("a request in progress got %s", got)
	}
	if got := never.line(); !strings.Contains(got, "-32005") {
		t.Errorf("a request that does not end got %s", got)
	}
	for _, c := range []*raw{idle, watcher, slow, never} {
		c.closed()
	}
	if _, err := net.Dial("unix", path); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Error("the socket is still there")
	}
}
