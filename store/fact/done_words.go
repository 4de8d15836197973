package fact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold lower-cases a text for the search of words; curly apostrophes become
// straight ones.
func fold(text string) string {
	return strings.ReplaceAll(strings.ToLower(text), "’", "'")
}

// hasAny reports whether a folded text holds one of the phrases.
func hasAny(text string, phrases []string) bool {
	for _, phrase := range phrases {
		if indexPhrase(text, phrase) >= 0 {
			return true
		}
	}
	return false
}

// indexPhrase returns where a phrase begins in a folded text, -1 where it is
// not. It must begin at a word boundary and end at one; a last word of four
// letters and more may take an ending.
func indexPhrase(text, phrase string) int {
	first, rest, _ := strings.Cut(phrase, " ")
	for from := 0; ; {
		at := strings.Index(text[from:], first)
		if at < 0 {
			return -1
		}
		at += from
		if startsWord(text, at) && phraseAt(text[at+len(first):], first, rest) {
			return at
		}
		from = at + len(first)
	}
}

// phraseAt reports whether a text that follows the given word of a phrase goes
// on with the rest of the phrase.
func phraseAt(text, word, rest string) bool {
	for rest != "" {
		after := strings.TrimLeft(text, " \t\r\n-_")
		if len(after) == len(text) {
			return false
		}
		word, rest, _ = strings.Cut(rest, " ")
		if !strings.HasPrefix(after, word) {
			return false
		}
		text = after[len(word):]
	}
	return endsWord(text, len(word) >= 4)
}

// startsWord reports whether no word character stands before s[at:].
func startsWord(s string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:at])
	return !isWord(r)
}

// endsWord reports whether a word may end before the given rest of a text:
// at once, or after an ending of letters.
func endsWord(rest string, endings bool) bool {
	for _, r := range rest {
		if endings && unicode.IsLetter(r) {
			continue
		}
		return !isWord(r)
	}
	return true
}

// isWord reports whether r belongs into a word. The decoder's error rune
// stands for the edge of the text.
func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
