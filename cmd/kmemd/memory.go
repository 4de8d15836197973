package main

import (
	"os"
	"runtime/debug"
)

// How far the heap of a process that reads once may grow before it is
// collected: to a multiple of what is in use, in percent beyond it, but rather
// not beyond the limit, in bytes.
const (
	heapGrowth = 400
	heapLimit  = 48 << 20
)

// collectLess spares the collector. Almost all that reading allocates is gone
// with the chunk it came from, so with the usual growth a backfill collects a
// dozen times what a few times would do. A daemon must not have this: it would
// keep the heap for good. GOGC and GOMEMLIMIT have their way.
func collectLess() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(heapGrowth)
		debug.SetMemoryLimit(heapLimit)
	}
}
