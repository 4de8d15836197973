package daemon

import (
	"fmt"
	"os"
)

// resident gives the resident memory of the process in bytes; 0 where the
// system does not say.
func resident() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(data), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
