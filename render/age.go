package render

import "strconv"

const (
	minute = 60_000 // in milliseconds
	hour   = 60 * minute
	day    = 24 * hour
)

// age says how long ago a time was, both in Unix milliseconds.
func age(now, then int64) string {
	ms := now - then
	switch {
	case ms < minute:
		return "just now"
	case ms < hour:
		return strconv.FormatInt(ms/minute, 10) + "m ago"
	case ms < day:
		return strconv.FormatInt(ms/hour, 10) + "h ago"
	}
	return strconv.FormatInt(ms/day, 10) + "d ago"
}
