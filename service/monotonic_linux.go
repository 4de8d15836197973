package service

import "golang.org/x/sys/unix"

// monotonic is the clock that systemd compares a reload by, in microseconds.
func monotonic() int64 {
	var ts unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
		return 0
	}
	return ts.Nano() / 1000
}
