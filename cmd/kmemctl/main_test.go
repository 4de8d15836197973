//go:build unix

package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kmemd/kmemd/ipc"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"kmemctl": main}) }

// TestScripts runs the program, in its own process, against a real socket
// behind which invented memories stand.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			socket := filepath.Join(e.WorkDir, "k.sock")
			l, err := ipc.Listen(socket)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error, 1)
			server := ipc.NewServer(newFake().handlers(), ipc.ServerOptions{})
			go func() { done <- server.Serve(ctx, l) }()
			e.Defer(func() {
				cancel()
				<-done
			})
			e.Setenv("KMEM_SOCKET", socket)
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("TZ", "UTC")
			return nil
		},
	})
}

// A daemon with too many connections is asked again.
func TestBusy(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "k.sock")
	l, err := ipc.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- ipc.NewServer(newFake().handlers(), ipc.ServerOptions{MaxConns: 1}).Serve(ctx, l) }()
	defer func() { cancel(); <-done }()
	status := func() (int, string) {
		var stdout, stderr bytes.Buffer
		none := func(string) string { return "" }
		code := run(ctx, []string{"kmemctl", "--socket", socket, "status"}, streams{strings.NewReader(""), &stdout, &stderr}, none)
		return code, stdout.String() + stderr.String()
	}
	other, err := ipc.Dial(ctx, socket)
	if err != nil {
		t.Fatal(err)
	}
	if code, out := status(); code != exitFailed || out != "kmemctl: the daemon is busy: too many connections; try again\n" {
		t.Errorf("got %d, %q", code, out)
	}
	time.AfterFunc(30*time.Millisecond, func() { other.Close() })
	if code, out := status(); code != exitDone || !strings.Contains(out, "pid 4711") {
		t.Errorf("got %d, %q", code, out)
	}
}
