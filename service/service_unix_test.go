//go:build unix

package service

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain runs the test binary as a small daemon when it is told to, so that
// real signals can be sent to it.
func TestMain(m *testing.M) {
	if how := os.Getenv("KMEM_TEST_DAEMON"); how != "" {
		os.Exit(daemon(how))
	}
	goleak.VerifyTestMain(m)
}

func daemon(how string) int {
	say := func(s string) { os.Stdout.WriteString(s + "\n") }
	err := Run(context.Background(), Options{Name: "kmemd", Reload: func() { say("reload") }}, func(ctx context.Context, n *Notifier) error {
		n.Ready()
		say("ready")
		if how == "fail" {
			return errors.New("broken")
		}
		<-ctx.Done()
		say("stopping")
		if how == "hang" {
			select {}
		}
		return ctx.Err()
	})
	if err != nil {
		say("error " + err.Error())
		return 4
	}
	say("done")
	return 0
}

type child struct {
	t   *testing.T
	cmd *exec.Cmd
	out *lineReader
}

type lineReader struct{ lines chan string }

func (r *lineReader) Write(b []byte) (int, error) {
	for line := range strings.Lines(string(b)) {
		r.lines <- strings.TrimSpace(line)
	}
	return len(b), nil
}

func start(t *testing.T, how string, env ...string) *child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{t, exec.Command(self), &lineReader{make(chan string, 20)}}
	c.cmd.Env = append(os.Environ(), append(env, "KMEM_TEST_DAEMON="+how)...)
	c.cmd.Stdout = c.out
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill(); c.cmd.Wait() })
	return c
}

func (c *child) expect(want string) {
	c.t.Helper()
	select {
	case got := <-c.out.lines:
		if got != want {
			c.t.Fatalf("got %q, want %q", got, want)
		}
	case <-time.After(10 * time.Second):
		c.t.Fatalf("nothing came, want %q", want)
	}
}

func (c *child) signal(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

func (c *child) exit(want int) {
	c.t.Helper()
	c.cmd.Wait()
	if got := c.cmd.ProcessState.ExitCode(); got != want {
		c.t.Errorf("exit code %d, want %d", got, want)
	}
}

func TestSignals(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		c := start(t, "wait")
		c.expect("ready")
		c.signal(syscall.SIGHUP)
		c.expect("reload")
		c.signal(s)
		c.expect("stopping")
		c.expect("done")
		c.exit(0)
	}
}

func TestSecondSignal(t *testing.T) {
	t.Parallel()
	c := start(t, "hang")
	c.expect("ready")
	c.signal(syscall.SIGTERM)
	c.expect("stopping")
	c.signal(syscall.SIGTERM)
	c.expect("error " + ErrForced.Error())
	c.exit(4)
}

// A run that fails by itself ends the process.
func TestFailure(t *testing.T) {
	t.Parallel()
	c := start(t, "fail")
	c.expect("ready")
	c.expect("error broken")
	c.exit(4)
}

func notifySocket(t *testing.T) (*net.UnixConn, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "n")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	return conn, path
}

func receive(t *testing.T, conn *net.UnixConn, want string) {
	t.Helper()
	b := make([]byte, 4096)
	n, err := conn.Read(b)
	if err != nil || !strings.HasPrefix(string(b[:n]), want) {
		t.Fatalf("got %q, %v, want %q", b[:n], err, want)
	}
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	conn, path := notifySocket(t)
	c := start(t, "wait", "NOTIFY_SOCKET="+path)
	receive(t, conn, "READY=1")
	c.expect("ready")
	c.signal(syscall.SIGHUP)
	receive(t, conn, "RELOADING=1\nMONOTONIC_USEC=")
	receive(t, conn, "READY=1")
	c.signal(syscall.SIGTERM)
	receive(t, conn, "STOPPING=1")
	c.expect("reload")
	c.expect("stopping")
	c.expect("done")
	c.exit(0)
}

func TestNotifier(t *testing.T) {
	t.Parallel()
	conn, path := notifySocket(t)
	env := map[string]string{"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "30000"}
	probes := 0
	err := Run(t.Context(), Options{Getenv: func(k string) string { return env[k] }}, func(ctx context.Context, n *Notifier) error {
		n.Status("reading %d\nfiles", 3)
		n.Extend(2 * time.Second)
		ctx, cancel := context.WithTimeout(ctx, 150*time.Millisecond)
		defer cancel()
		n.Watch(ctx, func(context.Context) error {
			if probes++; probes > 2 {
				return errors.New("stuck")
			}
			return nil
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"STATUS=reading 3 files", "EXTEND_TIMEOUT_USEC=2000000", "WATCHDOG=1", "WATCHDOG=1"} {
		receive(t, conn, want)
	}
	conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if n, err := conn.Read(make([]byte, 100)); err == nil {
		t.Errorf("%d more bytes came: a stuck daemon must be silent", n)
	}
	if probes < 3 {
		t.Errorf("%d probes", probes)
	}
}

func TestNoSystemd(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	want := errors.New("its own")
	ctx, cancel := context.WithCancel(t.Context())
	err := Run(ctx, Options{Getenv: none}, func(ctx context.Context, n *Notifier) error {
		n.Ready()
		n.Status("x")
		cancel()
		n.Watch(ctx, func(context.Context) error { return nil })
		return want
	})
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
	if err := Run(ctx, Options{Getenv: none}, func(ctx context.Context, _ *Notifier) error { return ctx.Err() }); err != nil {
		t.Errorf("got %v: the end of the context is no failure", err)
	}
	for _, socket := range []string{"vsock:2:1", filepath.Join(t.TempDir(), "nobody")} {
		err := Run(ctx, Options{Getenv: func(string) string { return socket }}, func(_ context.Context, n *Notifier) error {
			n.Ready()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
