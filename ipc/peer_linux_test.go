package ipc

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// asStranger runs fn in a thread of another user, which ends with it.
func asStranger(t *testing.T, fn func() error) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread must not be used again
		const nobody = 65534
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			done <- errno
			return
		}
		done <- fn()
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// open makes a directory that everybody may use, as no directory of ours is.
func open(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for d := dir; strings.HasPrefix(d, os.TempDir()+"/"); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Even if the socket's file and directory were open, a stranger gets nothing.
func TestStrangerIsRefused(t *testing.T) {
	t.Parallel()
	path, _ := serve(t, testHandlers(), ServerOptions{})
	for d := filepath.Dir(path); strings.HasPrefix(d, os.TempDir()+"/"); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	asStranger(t, func() error {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
			return err
		}
		unix.Write(fd, []byte(`{"jsonrpc":"2.0","id":1,"method":"echo"}`+"\n"))
		b := make([]byte, 100)
		if n, err := unix.Read(fd, b); n > 0 && err == nil {
			return errors.New("got " + string(b[:n]))
		}
		return nil
	})
	c := dialClient(t, path)
	if err := c.Call(context.Background(), "echo", nil, nil); err != nil {
		t.Error(err)
	}
}

// A client takes nothing from a socket that a stranger serves.
func TestStrangersServerIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(open(t), "k.sock")
	var l net.Listener
	asStranger(t, func() (err error) {
		l, err = net.Listen("unix", path)
		return err
	})
	defer l.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_, err := Dial(ctx, path)
	var e *DialError
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "another user (uid 65534)") {
		t.Errorf("got %v, want a refusal", err)
	}
}
