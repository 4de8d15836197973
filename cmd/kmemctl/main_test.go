//go:build unix

package main

import (
	"context"
	"path/filepath"
	"testing"

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
