//go:build unix

package daemon_test

import (
	"syscall"
	"testing"
	"time"
)

// processorTime gives the processor time, of all threads, that a function takes.
func processorTime(t testing.TB, f func()) time.Duration {
	t.Helper()
	before := spent(t)
	f()
	return spent(t) - before
}

func spent(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
