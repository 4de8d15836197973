package lang

import (
	"strings"
	"unicode/utf8"
)

const (
	escape = 0x1B
	// maxEscape bounds an escape sequence that has an end mark, in bytes: one
	// that is not closed by then hides no more text than its first two bytes.
	maxEscape = 2048
)

// Clean returns s as valid UTF-8 without terminal escape sequences, direction
// marks and control characters other than line breaks and tabs. A carriage
// return inside a line starts it over, as progress bars mean it; a backspace
// takes the character before it away.
func Clean(s string) string {
	at := firstUnclean(s)
	if at < 0 {
		return s
	}
	c := cleaner{out: make([]byte, at, len(s))}
	copy(c.out, s)
	c.line = strings.LastIndexByte(s[:at], '\n') + 1
	c.run(s[at:])
	return string(c.out)
}

// firstUnclean returns the position of the first byte that must be looked at
// closely, -1 where there is none.
func firstUnclean(s string) int {
	for i := 0; i < len(s); {
		if cleanByte[s[i]] {
			i++
			continue
		}
		if s[i] < utf8.RuneSelf {
			return i
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || dropped(r) {
			return i
		}
		i += size
	}
	return -1
}

// cleanByte holds the ASCII bytes that a clean text may have.
var cleanByte = func() (t [256]bool) {
	for c := ' '; c < 0x7F; c++ {
		t[c] = true
	}
	t['\n'], t['\t'] = true, true
	return t
}()

// cleaner writes a clean text.
type cleaner struct {
	out  []byte
	line int // where the present line begins
}

func (c *cleaner) run(s string) {
	for i := 0; i < len(s); {
		b := s[i]
		switch {
		case b == escape:
			i += escapeSize(s[i:])
			continue
		case b == '\n':
			c.out = append(c.out, b)
			c.line = len(c.out)
		case b == '\r':
			n := run(s[i:], '\r')
			if i+n < len(s) && s[i+n] != '\n' {
				c.out = c.out[:c.line]
			}
			i += n
			continue
		case b == '\b':
			if len(c.out) > c.line {
				_, size := utf8.DecodeLastRune(c.out)
				c.out = c.out[:len(c.out)-size]
			}
		case b == '\t' || b >= ' ' && b < 0x7F:
			c.out = append(c.out, b)
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == 0x9B: // the one-character form of escape and bracket
				size += csiSize(s[i+size:])
			case !dropped(r):
				c.out = utf8.AppendRune(c.out, r)
			}
			i += size
			continue
		}
		i++
	}
}

// dropped reports whether a character outside ASCII is left out: a control
// character or a mark that changes the direction of the text.
func dropped(r rune) bool {
	switch {
	case r < 0xA0:
		return r >= 0x80
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == 0x061C || r == 0x200E || r == 0x200F || r == 0xFEFF
}

// escapeSize returns the length of the escape sequence that begins s.
func escapeSize(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch c := s[1]; {
	case c == '[':
		return 2 + csiSize(s[2:])
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return stringSize(s)
	case c >= ' ' && c <= '/': // intermediate bytes, then one more
		n := 1
		for n < len(s) && s[n] >= ' ' && s[n] <= '/' {
			n++
		}
		return min(n+1, len(s))
	case c > '/' && c < 0x7F:
		return 2
	}
	return 1
}

// csiSize returns the length of a control sequence's parameters and final byte.
func csiSize(s string) int {
	n := 0
	for n < len(s) && n < maxEscape && s[n] >= ' ' && s[n] <= '?' {
		n++
	}
	if n < len(s) && s[n] >= '@' && s[n] <= '~' {
		n++
	}
	return n
}

// stringSize returns the length of a sequence that carries a text, such as a
// window's title or a link's target, with its end mark.
func stringSize(s string) int {
	for i := 2; i < len(s) && i < maxEscape; i++ {
		switch s[i] {
		case 0x07:
			return i + 1
		case escape:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return i
		case '\n':
			return 2
		}
	}
	return 2
}
