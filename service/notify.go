package service

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Notifier tells systemd what the daemon is doing, by the datagrams of
// sd_notify(3). Without systemd it does nothing. It may be shared.
type Notifier struct {
	watchdog time.Duration // how often systemd wants to hear; 0: never
	ending   sync.Once     // says that the daemon stops

	mu   sync.Mutex // guards the field below
	conn net.Conn   // nil without systemd
}

func newNotifier(o Options) *Notifier {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	n := &Notifier{}
	path := getenv("NOTIFY_SOCKET")
	if path == "" {
		return n
	}
	if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "@") {
		return n // vsock and the like: not for us
	}
	conn, err := net.Dial("unixgram", path) // "@" is an abstract name to net, too
	if err != nil {
		return n // inherited from somewhere, and nobody listens: no reason not to run
	}
	n.conn = conn
	if usec, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil && usec > 0 {
		if pid := getenv("WATCHDOG_PID"); pid == "" || pid == strconv.Itoa(os.Getpid()) {
			n.watchdog = time.Duration(usec) * time.Microsecond
		}
	}
	return n
}

// Ready says that requests are answered.
func (n *Notifier) Ready() { n.send("READY=1") }

// Status sets the line that systemctl status shows.
func (n *Notifier) Status(format string, args ...any) {
	line := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
	n.send("STATUS=" + line)
}

// Extend asks for more time to start or to stop, counted from now.
func (n *Notifier) Extend(d time.Duration) {
	n.send("EXTEND_TIMEOUT_USEC=" + strconv.FormatInt(d.Microseconds(), 10))
}

// Watch keeps systemd's watchdog quiet for as long as the probe succeeds, and
// returns with the context. The probe should go through what may hang; it gets
// as long as systemd waits. Without a watchdog it waits for the context only.
func (n *Notifier) Watch(ctx context.Context, probe func(context.Context) error) {
	if n.watchdog == 0 {
		<-ctx.Done()
		return
	}
	t := time.NewTicker(n.watchdog / 3)
	defer t.Stop()
	for {
		inTime, cancel := context.WithTimeout(ctx, n.watchdog)
		err := probe(inTime)
		cancel()
		if err == nil {
			n.send("WATCHDOG=1")
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func (n *Notifier) stopping() { n.ending.Do(func() { n.send("STOPPING=1") }) }

// reloading says that a reload has begun; Ready says that it is over.
func (n *Notifier) reloading() {
	n.send("RELOADING=1\nMONOTONIC_USEC=" + strconv.FormatInt(monotonic(), 10))
}

// send never fails a daemon: systemd may have gone, or its queue be full.
func (n *Notifier) send(state string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn == nil {
		return
	}
	n.conn.SetWriteDeadline(time.Now().Add(time.Second))
	n.conn.Write([]byte(state))
}

func (n *Notifier) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn != nil {
		n.conn.Close()
		n.conn = nil
	}
}
