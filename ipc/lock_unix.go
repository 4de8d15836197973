//go:build unix

package ipc

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func lockPath(socket string) string { return socket + ".lock" }

// acquire takes the lock of a socket and writes our pid into its file. The
// lock ends with the process, however it ends; the file stays, for removing it
// would let two hold "the" lock. Where another process holds it, the error is
// a [*RunningError].
func acquire(socket string) (*os.File, error) {
	path := lockPath(socket)
	for range 3 {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, fmt.Errorf("lock of the socket: %w", err)
		}
		err = flock(f)
		if errors.Is(err, unix.EWOULDBLOCK) {
			f.Close()
			return nil, &RunningError{Path: socket, Pid: holder(socket)}
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if !sameFile(f, path) { // deleted between opening and locking
			f.Close()
			continue
		}
		if err := f.Truncate(0); err == nil {
			f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		}
		return f, nil
	}
	return nil, fmt.Errorf("lock %s: the file keeps disappearing", path)
}

func flock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func sameFile(f *os.File, path string) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(held, named)
}

// holder returns the pid of the process that holds the lock: the one at the
// socket, else the one in the file, which a starting daemon may not have
// written yet. 0: not known.
func holder(socket string) int {
	for range 20 {
		if conn, err := net.DialTimeout("unix", socket, time.Second); err == nil {
			defer conn.Close()
			return peerPid(conn)
		}
		b, err := os.ReadFile(lockPath(socket))
		pid, convErr := strconv.Atoi(strings.TrimSpace(string(b)))
		if err == nil && convErr == nil && pid > 0 {
			return pid
		}
		time.Sleep(25 * time.Millisecond)
	}
	return 0
}

// ours reports whether a file belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}
