//go:build unix

package ipc

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// checkPeer refuses a connection whose other end is not a process of this
// user. Connections that are no sockets, as tests make them, have no other
// user.
func checkPeer(conn net.Conn) error {
	uc, ok := conn.(*net.UnixConn)
	if !ok {
		return nil
	}
	uid, _, err := credentials(uc)
	if err != nil {
		return fmt.Errorf("credentials of the peer: %w", err)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("the process at the other end belongs to another user (uid %d)", uid)
	}
	return nil
}

// peerPid returns the pid of the process at the other end, 0 where it is not
// known.
func peerPid(conn net.Conn) int {
	uc, ok := conn.(*net.UnixConn)
	if !ok {
		return 0
	}
	_, pid, err := credentials(uc)
	if err != nil {
		return 0
	}
	return pid
}

// peerGone reports whether the other end has closed the connection, as opposed
// to having ended its sending.
func peerGone(conn net.Conn) bool {
	uc, ok := conn.(*net.UnixConn)
	if !ok {
		return true
	}
	gone := false
	err := control(uc, func(fd int) error {
		fds := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(fds, 0)
		gone = err == nil && n > 0 && fds[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0
		return nil
	})
	return gone || err != nil
}

func control(uc *net.UnixConn, fn func(fd int) error) error {
	raw, err := uc.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := raw.Control(func(fd uintptr) { inner = fn(int(fd)) }); err != nil {
		return err
	}
	return inner
}
