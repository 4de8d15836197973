package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentenceEnd returns the position after the sentence of s that begins at
// from, its closing marks included; len(s) where nothing ends it earlier. A dot
// inside a name ends nothing, nor does anything inside inline code.
func sentenceEnd(s string, from int) int {
	for i := from; i < len(s); {
		c := s[i]
		if !ending[c] {
			i++
			continue
		}
		switch {
		case c == '`':
			if _, size := codeSpan(s[i:], true); size > 0 {
				i += size
				continue
			}
		case c == '.' || c == '!' || c == '?':
			end := i + 1
			for end < len(s) && (s[end] == '.' || s[end] == '!' || s[end] == '?') {
				end++
			}
			end += closers(s[end:])
			if end >= len(s) || isBlank(s[end]) && !goesOn(s, i, end) {
				return end
			}
			i = end
			continue
		case c == 0xE3 || c == 0xEF:
			if r, size := utf8.DecodeRuneInString(s[i:]); strings.ContainsRune("。！？｡", r) {
				end := i + size
				return end + closers(s[end:])
			}
		}
		i++
	}
	return len(s)
}

// ending holds the bytes that sentenceEnd must look at.
var ending = [256]bool{'`': true, '.': true, '!': true, '?': true, 0xE3: true, 0xEF: true}

// closers counts the bytes of quotes, brackets and emphasis that close a
// sentence after its full stop.
func closers(s string) int {
	n := 0
	for n < len(s) && !isBlank(s[n]) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !strings.ContainsRune(`"')]*_”’»」』）`, r) {
			break
		}
		n += size
	}
	return n
}

// goesOn reports whether the full stop at dot, followed by a blank at end,
// ends an abbreviation and not the sentence.
func goesOn(s string, dot, end int) bool {
	if s[dot] != '.' {
		return false
	}
	start := dot
	for start > 0 && !isBlank(s[start-1]) && s[start-1] != '(' && dot-start < 8 {
		start--
	}
	switch strings.ToLower(s[start:dot]) {
	case "e.g", "i.e", "vs", "cf", "approx", "resp", "incl", "mr", "mrs", "dr", "z.b", "d.h", "bzw", "p.ex":
		return true
	case "etc", "no", "nr", "usw", "", "..":
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[end:], " \t"))
		return unicode.IsLower(next)
	}
	return false
}

// firstSentence splits s after its first sentence.
func firstSentence(s string) (sentence, rest string) {
	end := sentenceEnd(s, 0)
	return s[:end], strings.TrimLeft(s[end:], " \t")
}
