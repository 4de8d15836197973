package store

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// flockHolder asks the kernel's list of locks, whose lines look like
//
//	1: FLOCK  ADVISORY  WRITE 4711 08:01:131090 0 EOF
func flockHolder(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(locks)) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], fmt.Sprintf(":%d", stat.Ino)) {
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil && pid > 0 {
			return pid
		}
	}
	return 0
}
