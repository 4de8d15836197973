//go:build unix

package ipc

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestListenModes(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "kmem")
	path := filepath.Join(dir, "kmemd.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for p, want := range map[string]fs.FileMode{dir: 0o700, path: 0o600, path + ".lock": 0o600} {
		if got := mode(t, p); got != want {
			t.Errorf("%s has mode %04o, want %04o", p, got, want)
		}
	}
}

func TestListenDirectories(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, dir string
		mode      fs.FileMode
		after     fs.FileMode // 0: refused
	}{
		{"of our own", "kmem", 0o755, 0o700},
		{"chosen, readable by others", "chosen", 0o755, 0o755},
		{"chosen, writable by others", "chosen", 0o777, 0},
		{"chosen, sticky", "chosen", 0o777 | fs.ModeSticky, 0},
		{"in the temporary directory", "kmem-1000", 0o755, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), tt.dir)
			if err := errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, tt.mode)); err != nil {
				t.Fatal(err)
			}
			l, err := Listen(filepath.Join(dir, "k.sock"))
			if tt.after == 0 {
				if err == nil || !strings.Contains(err.Error(), dir) {
					t.Errorf("got %v, want a refusal that names the directory", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if got := mode(t, dir); got != tt.after {
				t.Errorf("mode %04o, want %04o", got, tt.after)
			}
		})
	}
}

func TestListenTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Listen(path)
	var running *RunningError
	if !errors.As(err, &running) || running.Pid != os.Getpid() {
		t.Errorf("got %v, want that pid %d is running", err, os.Getpid())
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the first does not answer any more: %v", err)
	}
	conn.Close()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the socket is left behind")
	}
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("second close: %v", err)
	}
	again, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func stale(t *testing.T, path string) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
}

func TestListenStale(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.sock")
	stale(t, path)
	// A pid that a crash left, now another process's, decides nothing.
	if err := os.WriteFile(path+".lock", []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

// A socket that somebody serves without our lock is left alone, too.
func TestListenForeignServer(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.sock")
	other, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, err = Listen(path)
	var running *RunningError
	if !errors.As(err, &running) || running.Pid != os.Getpid() {
		t.Errorf("got %v, want that somebody is running", err)
	}
	if conn, err := net.Dial("unix", path); err != nil {
		t.Error("the other's socket is gone")
	} else {
		conn.Close()
	}
}

func TestListenOtherFiles(t *testing.T) {
	t.Parallel()
	tests := map[string]func(path string) error{
		"file":             func(p string) error { return os.WriteFile(p, []byte("mine"), 0o600) },
		"directory":        func(p string) error { return os.Mkdir(p, 0o700) },
		"symbolic link":    func(p string) error { return os.Symlink("/etc/hostname", p) },
		"dangling link":    func(p string) error { return os.Symlink("nowhere", p) },
		"link to a socket": func(p string) error { return os.Symlink("other.sock", p) },
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "k.sock")
			if err := make(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Lstat(path)
			l, err := Listen(path)
			if err == nil {
				l.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), path+" is in the way") {
				t.Errorf("got %v", err)
			}
			after, err := os.Lstat(path)
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("it was touched: %v", err)
			}
		})
	}
}

// Of many that start at once, one serves; the others know that it does.
func TestListenAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.sock")
	stale(t, path)
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	listeners := make(chan net.Listener, 50)
	for range 50 {
		wg.Go(func() {
			l, err := Listen(path)
			var running *RunningError
			switch {
			case err == nil:
				won.Add(1)
				listeners <- l
			case errors.As(err, &running) && running.Pid == os.Getpid():
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 49 {
		t.Errorf("%d won and %d lost, want 1 and 49", won.Load(), lost.Load())
	}
	close(listeners)
	for l := range listeners {
		l.Close()
	}
}

// A socket that a cleaner deletes comes back, and so does the lock.
func TestListenHeals(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan error, 100)
	go func() {
		for {
			conn, err := l.Accept()
			accepted <- err
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	for _, gone := range [][]string{{path}, {path, path + ".lock"}, {}} {
		for _, p := range gone {
			if err := os.Remove(p); err != nil {
				t.Fatal(err)
			}
		}
		for len(accepted) > 0 {
			<-accepted
		}
		l.(*listener).heal()
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
		if err := <-accepted; err != nil {
			t.Fatal(err)
		}
		var running *RunningError
		if _, err := Listen(path); !errors.As(err, &running) {
			t.Errorf("got %v, want that somebody is running", err)
		}
	}
	l.Close()
	for err = range accepted {
		if err != nil {
			break
		}
	}
	if !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept after close: %v", err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the socket is left behind")
	}
}

// What another process has put at the path since is not removed.
func TestCloseLeavesForeignSocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	l.Close()
	if _, err := os.Lstat(path); err != nil {
		t.Error("the other's socket is gone")
	}
}
