package ipc

import (
	"net"

	"golang.org/x/sys/unix"
)

// credentials returns user and process at the other end, as the kernel noted
// them when the connection was made.
func credentials(uc *net.UnixConn) (uid, pid int, err error) {
	err = control(uc, func(fd int) error {
		c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		if err != nil {
			return err
		}
		uid = int(c.Uid)
		if pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID); err != nil {
			pid = 0 // the process may have ended
		}
		return nil
	})
	return uid, pid, err
}
