package lang

import (
	"strings"
	"unicode/utf8"
)

// prefixes is a list of phrases that a text may begin with, by their first
// byte, so that a text that begins with none of them is told at once.
type prefixes [256][]string

// prefixList makes prefixes of a list. Of several that match, the first of the
// list counts.
func prefixList(list ...string) *prefixes {
	p := new(prefixes)
	for _, phrase := range list {
		p[phrase[0]] = append(p[phrase[0]], phrase)
	}
	return p
}

// cut returns what follows the phrase that s begins with.
func (p *prefixes) cut(s string) (rest string, ok bool) {
	if s == "" {
		return s, false
	}
	for _, phrase := range p[s[0]] {
		if strings.HasPrefix(s, phrase) {
			return s[len(phrase):], true
		}
	}
	return s, false
}

// start reports whether s begins with one of the phrases.
func (p *prefixes) start(s string) bool {
	_, ok := p.cut(s)
	return ok
}

// phrases is a list of phrases that a text may hold anywhere. One pass over the
// text looks for all of them: at most places already the two bytes there tell
// that none begins.
type phrases struct {
	pairs [1 << 12]bool
	*prefixes
}

// phraseList makes phrases of a list. Each has at least two bytes.
func phraseList(list ...string) *phrases {
	p := &phrases{prefixes: prefixList(list...)}
	for _, phrase := range list {
		p.pairs[pair(phrase[0], phrase[1])] = true
	}
	return p
}

func pair(a, b byte) int { return (int(a)<<5 ^ int(b)) & (1<<12 - 1) }

// in reports whether one of the phrases is in s.
func (p *phrases) in(s string) bool {
	for i := 1; i < len(s); i++ {
		if p.pairs[pair(s[i-1], s[i])] && p.start(s[i-1:]) {
			return true
		}
	}
	return false
}

// set makes a set of words.
func set(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, word := range list {
		m[word] = true
	}
	return m
}

// phraseSet makes a set of the phrases of a list; "_" stands for a blank.
func phraseSet(list string) map[string]bool {
	m := make(map[string]bool)
	for _, phrase := range strings.Fields(list) {
		m[strings.ReplaceAll(phrase, "_", " ")] = true
	}
	return m
}

// holdsAny reports whether one of the phrases is in s.
func holdsAny(s string, phrases []string) bool { return indexAny(s, phrases) >= 0 }

// indexAny returns the position of the first phrase of the list that is in s,
// -1 where none is.
func indexAny(s string, phrases []string) int {
	for _, phrase := range phrases {
		if at := strings.Index(s, phrase); at >= 0 {
			return at
		}
	}
	return -1
}

// endsIn reports whether s ends in one of the suffixes.
func endsIn(s string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// OneLine joins the words of s with single blanks.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isOneLine reports whether the words of s are joined with single blanks for
// certain; it does not look closely at the characters that white space beyond
// ASCII may begin.
func isOneLine(s string) bool {
	before := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == ' ' && before == ' ' || c == 0xC2 || c >= 0xE1 && c <= 0xE3 {
			return false
		}
		before = c
	}
	return before != ' ' || s == ""
}

// fold lower-cases a text for the search of words; curly apostrophes become
// straight ones.
func fold(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "’", "'")
}

// valid returns s as valid UTF-8.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
