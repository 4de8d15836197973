package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSubject is the limit of a subject in bytes, the ellipsis included.
const maxSubject = 90

// oneLine collapses white space and control characters to single blanks. It
// looks no further than a subject can reach.
func oneLine(s string) string {
	if end := 16 * maxSubject; len(s) > end {
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && blank(r) }) && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		if blank(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

func blank(r rune) bool {
	return r <= ' ' || r == 0x7f || r > 0x7f && (unicode.IsSpace(r) || unicode.IsControl(r))
}

// clip cuts a subject to its limit, never within a letter and its marks.
func clip(s string) string {
	if len(s) <= maxSubject {
		return s
	}
	const dots = "..."
	end := maxSubject - len(dots)
	for end > 0 && !cuttable(s, end) {
		end--
	}
	return strings.TrimRight(s[:end], " ") + dots
}

// cuttable reports whether s may be cut before byte i: not within a rune, not
// before a mark, a joiner or a variation selector, not after a joiner.
func cuttable(s string, i int) bool {
	if !utf8.RuneStart(s[i]) {
		return false
	}
	const joiner = '\u200d'
	r, _ := utf8.DecodeRuneInString(s[i:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	if r == joiner || before == joiner || unicode.Is(unicode.M, r) {
		return false
	}
	flag := func(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
	skin := r >= 0x1F3FB && r <= 0x1F3FF
	return !skin && !(flag(r) && flag(before))
}
