//go:build unix

package ipc

import (
	"context"
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

func dial(ctx context.Context, path string) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err // the path is said by DialError
	}
	return conn, err
}

// queueFull reports whether a dial failed because the daemon has not accepted
// earlier ones yet.
func queueFull(err error) bool { return errors.Is(err, unix.EAGAIN) }

// checkServer refuses a socket that another user serves: it could hand out
// words that are nobody's memory.
func checkServer(conn net.Conn) error { return checkPeer(conn) }
