package store

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The catalog's lock is the single-instance lock. The number of its holder
// stands in a file beside it, for messages only: the lock decides, never the
// number, which may be an old one that another process has got since.

func pidFile(catalog string) string {
	return filepath.Join(filepath.Dir(catalog), "pid")
}

// writePID says who holds the lock. Only the holder may call it.
func writePID(catalog string) error {
	return writeWhole(pidFile(catalog), []byte(strconv.Itoa(os.Getpid())+"\n"))
}

// removePID is called by the holder, before it gives the lock back.
func removePID(catalog string) {
	os.Remove(pidFile(catalog))
}

// holder returns the number of the process that holds a locked file, 0 where
// neither the system nor the file beside it tells.
func holder(path string) int {
	if pid := flockHolder(path); pid != 0 {
		return pid
	}
	pid, err := strconv.Atoi(strings.TrimSpace(firstBytes(pidFile(path))))
	if err != nil || pid <= 0 {
		return 0
	}
	return pid
}
