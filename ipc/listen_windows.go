package ipc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// Listen serves a named pipe that only this user can open. A pipe ends with
// its process, so nothing stale is ever left; where another process serves it,
// the error is a [*RunningError].
func Listen(path string) (net.Listener, error) {
	sid, err := userSID()
	if err != nil {
		return nil, err
	}
	l, err := winio.ListenPipe(path, &winio.PipeConfig{
		// Owner and the only one with access: this user. Protected: nothing is inherited.
		SecurityDescriptor: fmt.Sprintf("O:%sD:P(A;;GA;;;%s)", sid, sid),
		InputBufferSize:    64 << 10,
		OutputBufferSize:   64 << 10,
	})
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_PIPE_BUSY) {
		return nil, &RunningError{Path: path, Pid: serverPid(path)}
	}
	return l, err
}

func userSID() (*windows.SID, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, fmt.Errorf("who this user is: %w", err)
	}
	return user.User.Sid, nil
}

// serverPid returns the process that serves a pipe, 0 where it is not known.
func serverPid(path string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	conn, err := dial(ctx, path)
	if err != nil {
		return 0
	}
	defer conn.Close()
	h, ok := handle(conn)
	var pid uint32
	if !ok || windows.GetNamedPipeServerProcessId(h, &pid) != nil {
		return 0
	}
	return int(pid)
}

func handle(conn net.Conn) (windows.Handle, bool) {
	f, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return 0, false
	}
	return windows.Handle(f.Fd()), true
}

func dial(ctx context.Context, path string) (net.Conn, error) {
	return winio.DialPipeContext(ctx, path)
}

// queueFull is false: a busy pipe is waited for by the dialling itself.
func queueFull(error) bool { return false }

// checkPeer has nothing to do: the pipe's security descriptor lets nobody else in.
func checkPeer(net.Conn) error { return nil }

// checkServer refuses a pipe that another user has made: it could hand out
// words that are nobody's memory.
func checkServer(conn net.Conn) error {
	h, ok := handle(conn)
	if !ok {
		return errors.New("the pipe has no handle")
	}
	sd, err := windows.GetSecurityInfo(h, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("owner of the pipe: %w", err)
	}
	owner, _, err := sd.Owner()
	if err != nil {
		return fmt.Errorf("owner of the pipe: %w", err)
	}
	sid, err := userSID()
	if err != nil {
		return err
	}
	if !owner.Equals(sid) {
		return errors.New("the pipe belongs to another user")
	}
	return nil
}

// peerGone is true: a pipe cannot be closed in one direction.
func peerGone(net.Conn) bool { return true }
