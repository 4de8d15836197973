package ipc

import (
	"net"

	"golang.org/x/sys/unix"
)

// credentials returns user and process at the other end, as the kernel noted
// them when the connection was made.
func credentials(uc *net.UnixConn) (uid, pid int, err error) {
	err = control(uc, func(fd int) error {
		c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		if err == nil {
			uid, pid = int(c.Uid), int(c.Pid)
		}
		return err
	})
	return uid, pid, err
}
