package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// clean takes out of a text what could steer a terminal or hide words: escape
// sequences, control characters but for newline and tab, direction marks, and
// characters without width but for the joiners inside words and emoji.
// Separators of lines become newlines; what is not UTF-8 becomes U+FFFD.
func clean(s string) string {
	if harmless(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 0x1b || r == 0x9b || r == 0x9d || r == 0x90: // ESC, and CSI, OSC, DCS in one character
			i += sequence(s[i:], r, size)
			continue
		case r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case !banned(r):
			b.WriteRune(r) // also U+FFFD for a broken byte
		}
		i += size
	}
	return b.String()
}

// oneLine is clean text without line ends.
func oneLine(s string) string {
	s = clean(s)
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func harmless(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// banned reports characters that are never printed.
func banned(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x206f: // direction
		return true
	case r == 0x200b || r >= 0x2060 && r <= 0x2065 || r == 0xfeff || r == 0x00ad || r == 0x180e: // no width
		return true
	case r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe0fff: // annotations, tags
		return true
	}
	return false
}

// sequence returns the length of the escape sequence that s begins with. One
// that does not end is no sequence: only its beginning is dropped, so that it
// swallows no words.
func sequence(s string, first rune, size int) int {
	i := size
	kind := first
	if first == 0x1b {
		if i == len(s) {
			return i
		}
		kind = map[byte]rune{'[': 0x9b, ']': 0x9d, 'P': 0x90, 'X': 0x90, '^': 0x90, '_': 0x90}[s[i]]
		if kind == 0 { // ESC c, ESC ( B and the like
			for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
				i++
			}
			if i < len(s) && s[i] >= 0x30 && s[i] < 0x7f {
				i++
			}
			return i
		}
		i++
	}
	begin := i
	if kind == 0x9b {
		for i < len(s) && s[i] >= 0x20 && s[i] <= 0x3f {
			i++
		}
		if i < len(s) && s[i] >= 0x40 && s[i] < 0x7f {
			return i + 1
		}
		return begin
	}
	// A string ends with BEL or ST; a line end in between means that it is none.
	for ; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == 0x07:
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		}
	}
	return begin
}

// safeJSON escapes in encoded JSON what clean would drop from text. Such
// characters stand inside strings only, where an escape means the same.
func safeJSON(raw []byte) []byte {
	if bytes.IndexFunc(raw, hidden) < 0 {
		return raw
	}
	var b bytes.Buffer
	for _, r := range string(raw) {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

func hidden(r rune) bool {
	return banned(r) || r == '\u2028' || r == '\u2029' || r == '\u0085'
}
