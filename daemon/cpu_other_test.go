//go:build !unix

package daemon_test

import (
	"testing"
	"time"
)

// processorTime gives the time that a function takes; this system does not tell
// processor time cheaply.
func processorTime(_ testing.TB, f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
