package index

import (
	"strings"
	"unicode"
)

// stopWords say nothing about what is looked for.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "are": true, "as": true, "at": true, "be": true, "but": true, "by": true,
	"can": true, "did": true, "do": true, "does": true, "for": true, "from": true, "had": true, "has": true,
	"have": true, "how": true, "i": true, "in": true, "is": true, "it": true, "its": true, "me": true, "my": true,
	"of": true, "on": true, "or": true, "our": true, "so": true, "that": true, "the": true, "their": true,
	"then": true, "there": true, "this": true, "to": true, "was": true, "we": true, "were": true, "what": true,
	"when": true, "where": true, "which": true, "who": true, "why": true, "will": true, "with": true, "you": true,
	"your": true,
}

// Words splits text into the words that search compares: letters and digits
// run together, identifiers whole and in their parts (camelCase, snake_case,
// file.ext), and pairs of characters in scripts without spaces.
func Words(text string) []string {
	var out []string
	for _, token := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
	}) {
		out = appendToken(out, token)
	}
	return out
}

func appendToken(out []string, token string) []string {
	if strings.IndexFunc(token, unspaced) >= 0 {
		return appendPairs(out, token)
	}
	parts := split(token)
	for _, p := range parts {
		out = appendWord(out, p)
	}
	if len(parts) > 1 {
		out = appendWord(out, strings.ReplaceAll(token, "_", ""))
	}
	return out
}

func appendWord(out []string, word string) []string {
	word = Fold(word)
	if word == "" || stopWords[word] {
		return out
	}
	return append(out, stem(word))
}

// split cuts an identifier where its words meet.
func split(token string) []string {
	var parts []string
	runes := []rune(token)
	start := 0
	cut := func(end int) {
		if end > start {
			parts = append(parts, string(runes[start:end]))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_':
			cut(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			cut(i)
		case i > 0 && i+1 < len(runes) && unicode.IsUpper(r) && unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i+1]):
			cut(i)
		}
	}
	cut(len(runes))
	return parts
}

// unspaced reports whether a character belongs to a script that writes no
// spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func appendPairs(out []string, token string) []string {
	runes := []rune(Fold(token))
	if len(runes) == 1 {
		return append(out, string(runes))
	}
	for i := 0; i+1 < len(runes); i++ {
		out = append(out, string(runes[i:i+2]))
	}
	return out
}

// stem takes the commonest English endings off a word, so that tests, testing
// and tested meet.
func stem(w string) string {
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if len(w) >= len(ending)+4 && strings.HasSuffix(w, ending) && !strings.HasSuffix(w, "ss") {
			return strings.TrimSuffix(w[:len(w)-len(ending)], "e")
		}
	}
	if len(w) > 4 {
		return strings.TrimSuffix(w, "e")
	}
	if len(w) > 3 && w[len(w)-1] == 's' && w[len(w)-2] != 's' {
		return w[:len(w)-1]
	}
	return w
}
