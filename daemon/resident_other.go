//go:build !linux

package daemon

// resident gives the resident memory of the process in bytes; 0: this system
// does not say it cheaply.
func resident() int64 { return 0 }
