package render

import (
	"strings"

	"github.com/rivo/uniseg"
)

const (
	cutEnd    = "..."   // stands at the end of a value that was cut there
	cutMiddle = " […] " // stands where the middle of a value was left out
)

// cut shortens a line to at most limit bytes. A value cut at its end gets
// cutEnd on top of that, one cut in the middle holds cutMiddle within it. No
// cut splits a user-perceived character.
func cut(s string, limit int, middle bool) string {
	if len(s) <= limit {
		return s
	}
	if room := limit - len(cutMiddle); middle && room >= 40 {
		return shortenMiddle(s, room)
	}
	return strings.TrimRight(s[:boundaryBefore(s, limit)], " ") + cutEnd
}

// shortenMiddle keeps up to room bytes of a line's head and end. Where the
// middle is missing already, more is left out in the same place.
func shortenMiddle(s string, room int) string {
	head, end := s, s
	if h, e, ok := strings.Cut(s, cutMiddle); ok {
		head, end = h, e
	}
	headRoom := min(len(head), room*45/100)
	endRoom := min(len(end), room-headRoom)
	if headRoom < len(head) {
		head = head[:boundaryBefore(head, headRoom)]
		if at := strings.LastIndexByte(head, ' '); at > 0 && at > len(head)-longWord {
			head = head[:at]
		}
	}
	if endRoom < len(end) {
		end = end[boundaryAfter(end, len(end)-endRoom):]
		if at := strings.IndexByte(end, ' '); at >= 0 && at < longWord {
			end = end[at:]
		}
	}
	return strings.TrimRight(head, " ") + cutMiddle + strings.TrimLeft(end, " ")
}

// longWord is how much of a value, in bytes, is given up so that it is not cut
// inside a word.
const longWord = 24

// boundaryBefore returns the last boundary between user-perceived characters
// of s that is not after limit.
func boundaryBefore(s string, limit int) int {
	if limit >= len(s) {
		return len(s)
	}
	at := safeBoundary(s, limit)
	for rest, state := s[at:], -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if at+len(cluster) > limit {
			break
		}
		at += len(cluster)
	}
	return at
}

// boundaryAfter returns the first boundary of s that is not before start.
func boundaryAfter(s string, start int) int {
	if start <= 0 {
		return 0
	}
	at := safeBoundary(s, start)
	for rest, state := s[at:], -1; rest != "" && at < start; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		at += len(cluster)
	}
	return at
}

// safeBoundary returns a boundary at or before limit from which the search for
// the others can begin: two ASCII characters of one line never belong
// together.
func safeBoundary(s string, limit int) int {
	for at := limit; at > 0; at-- {
		if at < len(s) && s[at] < 0x80 && s[at-1] < 0x80 {
			return at
		}
	}
	return 0
}
