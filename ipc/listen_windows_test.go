package ipc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestPipe(t *testing.T) {
	t.Parallel()
	path := fmt.Sprintf(`%skmemd-test-%d-%d`, pipePrefix, os.Getpid(), time.Now().UnixNano())
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	echo := Method(func(_ context.Context, p map[string]string) (map[string]string, error) { return p, nil })
	go func() { done <- NewServer(map[string]Handler{"echo": echo}, ServerOptions{}).Serve(ctx, l) }()
	var running *RunningError
	if _, err := Listen(path); !errors.As(err, &running) || running.Pid != os.Getpid() {
		t.Errorf("second listen: got %v, want that pid %d is running", err, os.Getpid())
	}
	c, err := Dial(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]string
	if err := c.Call(ctx, "echo", map[string]string{"a": "b"}, &out); err != nil || out["a"] != "b" {
		t.Errorf("got %v, %v", out, err)
	}
	c.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := Dial(context.Background(), path); err == nil {
		t.Error("the pipe is still there")
	}
}
