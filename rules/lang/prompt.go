package lang

import (
	"strings"
	"unicode"
)

const (
	shortWords      = 4 // words that make a prompt worth an entry
	shortCharacters = 8 // the same in scripts that set no blanks between words
)

// unspaced are the scripts that set no blanks between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// Short reports whether a prompt is too short to say by itself what it asks:
// fewer than four words with no URL, path or number among them, or fewer than
// eight characters in scripts that set no blanks between words.
func Short(text string) bool {
	fields := strings.Fields(text)
	words, letters := 0, 0
	runs := false // some script without blanks is there
	for _, field := range fields {
		if tellsMuch(field, len(fields)) {
			return false
		}
		word := false
		for _, r := range field {
			if r < 0x80 && !wordByte(byte(r)) || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				continue
			}
			word = true
			letters++
			runs = runs || r >= 0xE00 && unicode.In(r, unspaced...)
		}
		if word {
			words++
		}
		if words >= shortWords || runs && letters >= shortCharacters {
			return false
		}
	}
	return true
}

// tellsMuch reports whether a word of a prompt of n words is a URL, a path or
// holds a number. A lone "/command" says no more than a word.
func tellsMuch(word string, n int) bool {
	if strings.ContainsAny(word, "0123456789") || strings.Contains(word, "://") || strings.HasPrefix(word, "www.") {
		return true
	}
	bare := strings.Trim(word, ".,;:!?\"'`()[]<>“”*")
	switch {
	case bare == "":
		return false
	case strings.HasPrefix(bare, "@"):
		return len(bare) > 2 && strings.ContainsAny(bare, "./")
	case strings.HasPrefix(bare, "/") && strings.Count(bare, "/") == 1 && !hasEnding(bare):
		return n > 1
	}
	return isPath(bare, false) || isRooted(bare) && len(bare) > 2 ||
		strings.ContainsFunc(word, unicode.IsDigit) || strings.Count(bare, "/") > 1
}
