package render

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxWords  = 64   // words of a prompt that are looked for
	maxPrompt = 8192 // bytes of a prompt that are read
	maxValue  = 2048 // bytes of a value that are searched
)

// common are words that say nothing about what a prompt is about.
var common = wordSet(`
	the and for are was were has have had not but you your yours our ours its his her him she they them their this that these
	those with from into onto over under out off than then there here where when what which who whom why how does did
	done can could should would will shall may might must just now let lets make made get got please about also any all
	some each more most much many very too again still yet only same other such own one two use using used want need
	like look see try add new don okay yes
	der die das und ist nicht ein eine mit für auf den dem von les des une est pas que qui pour dans avec los las una por para con del`)

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}

// search holds the words of a prompt, ready to be looked for in many texts.
type search struct {
	words []string          // lower-cased; of scripts without blanks, pairs of characters
	first [256]uint64       // words by the first byte of either case, as a set of bits
	pairs [1 << 16 / 8]byte // which two first bytes, of any case, some word has
}

// newSearch reads the words of a prompt: of three letters and more, no common
// ones, each once.
func newSearch(prompt string) *search {
	s := &search{}
	seen := make(map[string]bool)
	for _, word := range promptWords(prompt[:min(len(prompt), maxPrompt)]) {
		if seen[word] || len(s.words) == maxWords {
			continue
		}
		seen[word] = true
		bit := uint64(1) << len(s.words)
		s.words = append(s.words, word)
		for _, a := range cases(word[0]) {
			s.first[a] |= bit
			for _, b := range cases(word[1]) {
				s.pairs[pairOf(a, b)/8] |= 1 << (b % 8)
			}
		}
	}
	return s
}

// cases returns the byte in both cases.
func cases(b byte) []byte {
	if b >= 'a' && b <= 'z' {
		return []byte{b, b - 'a' + 'A'}
	}
	return []byte{b}
}

// pairOf numbers a pair of bytes.
func pairOf(a, b byte) int { return int(a)<<8 | int(b) }

// mayStart reports whether some word may begin at i.
func (s *search) mayStart(text string, i int) bool {
	if i+1 >= len(text) {
		return false // words have two bytes and more
	}
	b := text[i+1]
	return b >= utf8.RuneSelf || s.pairs[pairOf(text[i], b)/8]&(1<<(b%8)) != 0
}

// promptWords splits a prompt into the words that are looked for.
func promptWords(prompt string) []string {
	var words []string
	var run []rune // of one script
	unspaced := false
	flush := func() {
		switch {
		case unspaced:
			for i := 0; i+1 < len(run); i++ {
				words = append(words, string(run[i:i+2]))
			}
		case len(run) >= 3:
			words = append(words, string(run))
		}
		run = run[:0]
	}
	for _, r := range prompt {
		if r == '\'' || r == '’' {
			if len(run) > 0 && !unspaced {
				run = append(run, '\'')
			}
			continue
		}
		if !isLetter(r) {
			flush()
			continue
		}
		if u := isUnspaced(r); u != unspaced {
			flush()
			unspaced = u
		}
		run = append(run, unicode.ToLower(r))
	}
	flush()
	for i, word := range words { // a word's own apostrophe is no part of what is sought
		words[i], _, _ = strings.Cut(word, "'")
	}
	return deleteShort(words)
}

// deleteShort removes words that an apostrophe has left too short or common.
func deleteShort(words []string) []string {
	kept := words[:0]
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if isUnspaced(first) || utf8.RuneCountInString(word) >= 3 && !common[word] {
			kept = append(kept, word)
		}
	}
	return kept
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return classes[r] != other
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isUnspaced reports whether a rune belongs to a script that sets no blanks
// between words, or whose words carry so many endings that pairs serve better.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && (r == prolonged || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Hangul))
}

// prolonged is the mark of a long vowel in Japanese, which belongs to no script.
const prolonged = 'ー'

// score says how well an entry matches: two points for each word that its key
// holds, one for each that only its value holds.
func (s *search) score(key, value string) int {
	inKey := s.find(key)
	inValue := s.find(value[:min(len(value), maxValue)])
	return 2*bits.OnesCount64(inKey) + bits.OnesCount64(inValue&^inKey)
}

// The classes of bytes.
const (
	other = iota
	lower // and digits
	upper
	wide // part of a character that is not ASCII
)

var classes = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
			c[b] = lower
		case b >= 'A' && b <= 'Z':
			c[b] = upper
		case b >= utf8.RuneSelf:
			c[b] = wide
		}
	}
	return c
}()

// find returns which words begin some word of a text, as a set of bits.
func (s *search) find(text string) (found uint64) {
	before := uint8(other)
	for i := 0; i < len(text); {
		class := classes[text[i]]
		if class == wide {
			r, size := utf8.DecodeRuneInString(text[i:])
			free := isUnspaced(r)
			if isLetter(r) && (free || before == other) {
				found |= s.at(text[i:], s.startingWith(r)&^found)
			}
			before = other
			if isLetter(r) && !free {
				before = lower
			}
			i += size
			continue
		}
		if class != other && (before == other || class == upper && before == lower) && s.mayStart(text, i) {
			if set := s.first[text[i]] &^ found; set != 0 {
				found |= s.at(text[i:], set)
			}
		}
		before = class
		i++
		if class == lower {
			for i < len(text) && classes[text[i]] == lower {
				i++
			}
		}
	}
	return found
}

// startingWith returns the words that begin with the first byte of a rune in
// lower case.
func (s *search) startingWith(r rune) uint64 {
	var buf [utf8.UTFMax]byte
	utf8.EncodeRune(buf[:], unicode.ToLower(r))
	return s.first[buf[0]]
}

// at returns which of a set of words begin a text.
func (s *search) at(text string, set uint64) (found uint64) {
	for ; set != 0; set &= set - 1 {
		n := bits.TrailingZeros64(set)
		if hasFoldedPrefix(text, s.words[n]) {
			found |= 1 << n
		}
	}
	return found
}

// hasFoldedPrefix reports whether a text begins with a lower-case word, in
// any case.
func hasFoldedPrefix(text, word string) bool {
	for len(word) > 0 {
		if w := word[0]; w < utf8.RuneSelf && len(text) > 0 && text[0] < utf8.RuneSelf {
			if t := text[0]; t != w && (classes[t] != upper || t+'a'-'A' != w) {
				return false
			}
			word, text = word[1:], text[1:]
			continue
		}
		w, n := utf8.DecodeRuneInString(word)
		t, m := utf8.DecodeRuneInString(text)
		if m == 0 || t != w && unicode.ToLower(t) != w {
			return false
		}
		word, text = word[n:], text[m:]
	}
	return true
}
