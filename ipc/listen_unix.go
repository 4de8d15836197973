//go:build unix

package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// healEvery is how often a listener looks whether its socket is still there.
const healEvery = 30 * time.Second

// Listen serves a socket, mode 0600 in a directory of the user's own, which is
// made with mode 0700 where it does not exist. A lock file beside the socket,
// held until the listener is closed, makes check and start one step. A socket
// that nobody answers at is replaced; where somebody does, the error is a
// [*RunningError]. A file of another kind is never removed.
//
// A socket that somebody deletes is made anew within half a minute.
func Listen(path string) (net.Listener, error) {
	if err := ownDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	lock, err := acquire(path)
	if err != nil {
		return nil, err
	}
	if err := clearStale(path); err != nil {
		lock.Close()
		return nil, err
	}
	l := &listener{path: path, lock: lock, stop: make(chan struct{})}
	if l.inner, l.info, err = bind(path); err != nil {
		lock.Close()
		return nil, err
	}
	l.wg.Go(func() { l.watch(healEvery) })
	return l, nil
}

// ownDirectory makes the directory of a socket, or checks it. What is our own
// by name is closed to others; a directory that somebody chose is left as it is, as long
// as others cannot write to it.
func ownDirectory(dir string) error {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("directory of the socket: %w", err)
		}
		info, err = os.Lstat(dir)
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 && ours(info) {
		info, err = os.Stat(dir)
	}
	if err != nil {
		return fmt.Errorf("directory of the socket: %w", err)
	}
	name := filepath.Base(dir)
	if (name == "kmem" || name == ".run") && info.IsDir() && ours(info) && info.Mode().Perm()&0o077 != 0 {
		return os.Chmod(dir, 0o700)
	}
	err = private(dir, info)
	if err != nil && info.IsDir() && ours(info) && info.Mode().Perm()&0o022 == 0 && !strings.HasPrefix(name, "kmem-") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w; put the socket into a directory of your own", err)
	}
	return nil
}

// clearStale removes a socket that nobody answers at. The lock is held.
func clearStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is in the way: it is not a socket; remove it or choose another path with KMEM_SOCKET", path)
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		defer conn.Close()
		return &RunningError{Path: path, Pid: peerPid(conn)}
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("whether somebody serves %s cannot be told: %w", path, err)
	}
	return os.Remove(path)
}

func bind(path string) (*net.UnixListener, fs.FileInfo, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, nil, err
	}
	l.SetUnlinkOnClose(false) // close removes only what is really ours
	err = os.Chmod(path, 0o600)
	var info fs.FileInfo
	if err == nil {
		info, err = os.Lstat(path)
	}
	if err != nil {
		l.Close()
		return nil, nil, err
	}
	return l, info, nil
}

// listener is a socket that heals and cleans up after itself.
type listener struct {
	path string
	stop chan struct{}
	wg   sync.WaitGroup // the watching goroutine

	mu     sync.Mutex // guards the fields below
	lock   *os.File
	inner  *net.UnixListener
	info   fs.FileInfo // of the socket's file
	closed bool
}

func (l *listener) current() *net.UnixListener {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inner
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		inner := l.current()
		conn, err := inner.Accept()
		if err == nil {
			return conn, nil
		}
		if l.current() == inner { // not replaced meanwhile
			return nil, err
		}
	}
}

func (l *listener) Addr() net.Addr { return l.current().Addr() }

// Close stops listening, removes the socket if it is still ours, and lets go of
// the lock.
func (l *listener) Close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return net.ErrClosed
	}
	l.closed = true
	close(l.stop)
	err := l.inner.Close()
	if info, statErr := os.Lstat(l.path); statErr == nil && os.SameFile(info, l.info) {
		os.Remove(l.path)
	}
	l.lock.Close()
	l.mu.Unlock()
	l.wg.Wait()
	return err
}

func (l *listener) watch(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-t.C:
			l.heal()
		}
	}
}

// heal makes the socket anew if something, such as a cleaner of temporary
// directories, has deleted it. Failures are left for the next time.
func (l *listener) heal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	if _, err := os.Lstat(l.path); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err := ownDirectory(filepath.Dir(l.path)); err != nil {
		return
	}
	if !sameFile(l.lock, lockPath(l.path)) { // the lock file went, too
		lock, err := acquire(l.path)
		if err != nil {
			return
		}
		l.lock.Close()
		l.lock = lock
	}
	inner, info, err := bind(l.path)
	if err != nil {
		return
	}
	old := l.inner
	l.inner, l.info = inner, info
	old.Close()
}
