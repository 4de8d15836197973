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

func dialClient(t *testing.T, path string) *Client {
	t.Helper()
	c, err := Dial(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestClient(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	c := dialClient(t, path)
	var out echoParams
	if err := c.Call(context.Background(), "echo", echoParams{Text: "hi"}, &out); err != nil || out.Text != "hi" {
		t.Errorf("got %v, %v", out, err)
	}
	if err := c.Call(context.Background(), "echo", nil, nil); err != nil {
		t.Error(err)
	}
	err := c.Call(context.Background(), "typed", nil, nil)
	var e *Error
	var data struct{ Field string }
	if !errors.As(err, &e) || e.Code != -32003 || e.Error() != "wrong field" || e.DecodeData(&data) != nil || data.Field != "key" {
		t.Errorf("got %v, data %v", err, data)
	}
	if err := c.Call(context.Background(), "echo", echoParams{Text: strings.Repeat("x", maxRequest)}, nil); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("got %v, want a refusal", err)
	}
	if err := c.Call(context.Background(), "echo", nil, new(int)); err == nil || !strings.Contains(err.Error(), "answer to echo") {
		t.Errorf("got %v, want a complaint about the answer", err)
	}
}

func TestClientTimeout(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	c := dialClient(t, path)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := c.Call(ctx, "slow", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want a timeout", err)
	}
	// The connection lives, and the late answer is nobody's.
	var out string
	if err := c.Call(context.Background(), "slow", nil, &out); err != nil || out != "slept" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestClientClosed(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	c := dialClient(t, path)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := c.Call(context.Background(), "slow", nil, nil); !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want %v", err, ErrClosed)
		}
	})
	time.Sleep(20 * time.Millisecond)
	c.Close()
	wg.Wait()
	if err := c.Call(context.Background(), "echo", nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("got %v, want %v", err, ErrClosed)
	}
}

func TestDialNobody(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/k.sock"
	for _, prepare := range []func(){
		func() {},
		func() { // a socket that a crash left
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			l.SetUnlinkOnClose(false)
			l.Close()
		},
	} {
		prepare()
		start := time.Now()
		_, err := Dial(context.Background(), path)
		var e *DialError
		if !errors.As(err, &e) || e.Path != path {
			t.Errorf("got %v, want a DialError", err)
		}
		if time.Since(start) > time.Second {
			t.Error("it took too long")
		}
	}
}

// answers runs a server that answers whatever it is told to.
func answers(t *testing.T, lines ...string) string {
	t.Helper()
	path := t.TempDir() + "/k.sock"
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		conn.Read(make([]byte, 4096))
		for _, line := range lines {
			conn.Write([]byte(line + "\n"))
		}
	})
	t.Cleanup(func() { l.Close(); wg.Wait() })
	return path
}

func TestClientStrangeServers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, want string
		lines      []string
	}{
		{"nothing", "connection closed", nil},
		{"garbage", "unreadable answer", []string{"hello"}},
		{"busy", "try again later", []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"try again later"}}`}},
		{"a foreign id", "connection closed", []string{"", `{"jsonrpc":"2.0","id":99,"result":1}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := dialClient(t, answers(t, tt.lines...))
			err := c.Call(context.Background(), "x", nil, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestClientNotifications(t *testing.T) {
	t.Parallel()
	h, path := serveHub(t)
	c := dialClient(t, path)
	got := make(chan string, 10)
	c.OnNotify(func(method string, params json.RawMessage) { got <- method + " " + string(params) })
	if err := c.Call(context.Background(), "watch", nil, nil); err != nil {
		t.Fatal(err)
	}
	h.send(7, "")
	for _, want := range []string{`captured {"n":-1}`, `captured {"n":7,"pad":""}`} {
		if s := <-got; s != want {
			t.Errorf("got %s, want %s", s, want)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := c.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's end", err)
	}
}
