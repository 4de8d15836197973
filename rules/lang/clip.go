package lang

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

const (
	ellipsis = "..."
	gap      = " […] "
	// middleSlack is what a text may be longer than head and tail together
	// and still stay whole: leaving out less is not worth the gap.
	middleSlack = 20
)

// Clip cuts s at limit bytes or before, never inside a user-perceived
// character, and marks the cut with "..." on top of the limit. A text that
// fits is returned as it is.
func Clip(s string, limit int) string {
	s = valid(s)
	limit = max(limit, 0)
	if len(s) <= limit {
		return s
	}
	return s[:boundaryBefore(s, limit)] + ellipsis
}

// ClipMiddle keeps head bytes of the beginning and tail bytes of the end of s,
// or less so that no user-perceived character is cut, with " […] " between. A
// text that is longer than both by no more than twenty bytes stays whole.
func ClipMiddle(s string, head, tail int) string {
	s = valid(s)
	head, tail = max(head, 0), max(tail, 0)
	if len(s) <= head+tail+middleSlack {
		return s
	}
	return s[:boundaryBefore(s, head)] + gap + s[boundaryAfter(s, len(s)-tail):]
}

// boundaryBefore returns the greatest boundary between user-perceived
// characters of s that is not greater than limit.
func boundaryBefore(s string, limit int) int {
	if limit >= len(s) {
		return len(s)
	}
	at := safeBefore(s, limit)
	for at < limit {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s[at:], -1)
		if at+len(cluster) > limit {
			break
		}
		at += len(cluster)
	}
	return at
}

// boundaryAfter returns the least boundary of s that is not less than from.
func boundaryAfter(s string, from int) int {
	if from <= 0 {
		return 0
	}
	at := safeBefore(s, min(from, len(s)))
	for at < from && at < len(s) {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(s[at:], -1)
		at += len(cluster)
	}
	return at
}

// safeBefore returns a position not after limit that is a boundary for certain
// because of the two runes around it, so that the slow search of boundaries
// need not begin at the start of the text. In most texts it is limit itself.
func safeBefore(s string, limit int) int {
	at := limit
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	next := rune(' ')
	if at < len(s) {
		next, _ = utf8.DecodeRuneInString(s[at:])
	}
	for at > 0 {
		before, size := utf8.DecodeLastRuneInString(s[:at])
		if standsAlone(before) && standsAlone(next) {
			return at
		}
		at -= size
		next = before
	}
	return 0
}

// standsAlone reports whether a rune is one of those that join with no other
// rune of the same sort: a user-perceived character ends between two of them.
func standsAlone(r rune) bool {
	switch {
	case r < 0x80:
		return r >= ' ' && r != 0x7F
	case r < 0x300:
		return r >= 0xC0
	case r < 0x3041:
		return r >= 0x400 && r <= 0x481
	case r <= 0x3096:
		return true
	case r < 0xAC00:
		return r >= 0x30A1 && r <= 0x30FA || r >= 0x4E00 && r <= 0x9FFF
	}
	return false
}
