package lang

import (
	"strings"
	"unicode/utf8"
)

// How an action verb counts.
const (
	actionVerb  = iota + 1
	keptVerb    // the value keeps it: without it the meaning would turn round
	spokenVerb  // counts only after "I" or "we": alone it is advice to the reader
	keptSpoken  // both
	minAction   = 5
	maxAction   = 200
	longestVerb = 12
)

// actionVerbs are the verbs that open an action sentence.
var actionVerbs = map[string]int{
	"added": actionVerb, "fixed": actionVerb, "changed": actionVerb, "updated": actionVerb, "created": actionVerb,
	"configured": actionVerb, "installed": actionVerb, "built": actionVerb, "deployed": actionVerb,
	"refactored": actionVerb, "migrated": actionVerb, "patched": actionVerb, "resolved": actionVerb,
	"implemented": actionVerb, "wrote": actionVerb, "rewrote": actionVerb, "extracted": actionVerb,
	"introduced": actionVerb, "enabled": actionVerb, "upgraded": actionVerb, "bumped": actionVerb,
	"documented": actionVerb, "tested": actionVerb, "verified": actionVerb, "optimized": actionVerb,
	"optimised": actionVerb, "improved": actionVerb, "corrected": actionVerb, "simplified": actionVerb,
	"cleaned": actionVerb, "converted": actionVerb, "exposed": actionVerb, "wired": actionVerb,
	"registered": actionVerb, "released": actionVerb, "published": actionVerb, "edited": actionVerb,
	"modified": actionVerb, "committed": actionVerb, "pushed": actionVerb,

	"removed": keptVerb, "deleted": keptVerb, "reverted": keptVerb, "restored": keptVerb, "disabled": keptVerb,
	"dropped": keptVerb, "downgraded": keptVerb, "renamed": keptVerb, "moved": keptVerb, "replaced": keptVerb,
	"merged": keptVerb, "switched": keptVerb,

	"set": spokenVerb, "cut": spokenVerb, "read": spokenVerb, "put": spokenVerb, "split": keptSpoken,
}

// FirstAction returns what the first sentence of an agent's text that begins
// with a past-tense action verb says was done, "" where there is none: the rest
// of the sentence after the verb, without Markdown, 5 to 200 characters. Code
// blocks, quotes, headings and tables do not count.
func FirstAction(text string) string {
	lines := mdLines{text: text}
	for {
		line, kind, ok := lines.next()
		if !ok {
			return ""
		}
		if kind != proseLine {
			continue
		}
		line = strings.TrimLeft(line, " \t")
		if line == "" || line[0] == '|' || line[0] == '#' {
			continue
		}
		for at := 0; at < len(line); {
			end := sentenceEnd(line, at)
			if action := actionIn(line[at:end], end == len(line)); action != "" {
				return action
			}
			for at = end; at < len(line) && isBlank(line[at]); at++ {
			}
		}
	}
}

// actionIn returns what an action sentence says, "" for any other sentence.
func actionIn(s string, lastOfLine bool) string {
	verb, how, rest, spoken := leadingVerb(s)
	if how == 0 || (how == spokenVerb || how == keptSpoken) && !spoken {
		return ""
	}
	rest = plain(strings.TrimLeft(rest, " \t"))
	if strings.HasSuffix(strings.TrimRight(rest, " \t"), "?") || !spoken && describes(verb, rest) {
		return ""
	}
	label := lastOfLine && strings.HasSuffix(strings.TrimRight(rest, " \t*"), ":")
	// The bold marks that close behind the verb's object were opened before it.
	value := strings.Trim(OneLine(strings.ReplaceAll(rest, "**", "")), ".!:; *_")
	if label && genericLabel(value) || value == "" {
		return ""
	}
	if how == keptVerb || how == keptSpoken || strings.HasPrefix(value, "and ") {
		value = verb + " " + value
	}
	if n := utf8.RuneCountInString(value); n < minAction || n > maxAction {
		return ""
	}
	return value
}

// leadingVerb reads what may stand before an action verb, and the verb.
func leadingVerb(s string) (verb string, how int, rest string, spoken bool) {
	for {
		s = skipMarks(s)
		word, after := asciiWord(s)
		if word == "" {
			return "", 0, "", false
		}
		bare := strings.TrimPrefix(strings.TrimLeft(after, "*"), "__") // bold marks may close behind the verb
		if n := actionVerbs[word]; n != 0 && (bare == "" || isBlank(bare[0]) || bare[0] == ':') {
			return word, n, strings.TrimPrefix(strings.TrimPrefix(bare, ":"), "**"), spoken
		}
		switch word {
		case "i", "we", "i've", "we've":
			spoken = true
		case "have":
			if !spoken {
				return "", 0, "", false
			}
		case "successfully", "also", "now", "then", "just":
			after = strings.TrimPrefix(after, ",")
		default:
			return "", 0, "", false
		}
		if after == "" || !isBlank(after[0]) {
			return "", 0, "", false
		}
		s = after
	}
}

// ticks are signs that agents use as bullets.
var ticks = []string{"✅", "✔️", "✔", "✓", "☑️", "☑", "🎉", "👉", "→", "[x]", "[X]"}

// skipMarks skips blanks, bullets, numbers and bold marks.
func skipMarks(s string) string {
	for {
		s = strings.TrimLeft(s, " \t")
		if n := bulletWidth(s); n > 0 {
			s = s[n:]
			continue
		}
		if s == "" || s[0] < 0x80 && s[0] != '*' && s[0] != '_' && s[0] != '[' {
			return s
		}
		before := len(s)
		s = strings.TrimLeft(s, "*_")
		for _, tick := range ticks {
			s = strings.TrimPrefix(s, tick)
		}
		if len(s) == before {
			return s
		}
	}
}

// asciiWord returns the first word of s in lower case, apostrophes included,
// and what follows it; "" where s begins with anything else or the word is too
// long for a verb.
func asciiWord(s string) (word, rest string) {
	var buf [longestVerb]byte
	n, i := 0, 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z', c == '\'' && i > 0:
		case c == 0xE2 && strings.HasPrefix(s[i:], "’") && i > 0:
			c = '\''
			i += len("’") - 1
		default:
			return intern(buf[:n]), s[i:]
		}
		if n == len(buf) {
			return "", s
		}
		buf[n] = c
		n++
	}
	return intern(buf[:n]), s[i:]
}

// known holds every word that intern may meet, by itself.
var known = func() map[string]string {
	m := make(map[string]string)
	for verb := range actionVerbs {
		m[verb] = verb
	}
	for _, word := range []string{"i", "we", "i've", "we've", "have", "successfully", "also", "now", "then", "just"} {
		m[word] = word
	}
	return m
}()

// intern returns b as a string without allocating, "" where it is neither an
// action verb nor a word that may stand before one.
func intern(b []byte) string { return known[string(b)] }

// finite are verbs that make the words before them a subject: "Updated
// packages are listed below" tells of no action.
var finite = set("is", "are", "was", "were", "can", "will", "should", "must", "may", "might", "could", "would", "cannot",
	"has", "have", "appear", "appears", "remain", "remains", "do", "don't", "does")

// objects are words that begin what an action was done to.
var objects = set("the", "a", "an", "this", "that", "these", "those", "all", "both", "it", "them", "my", "our", "your",
	"its", "their", "every", "each", "no", "two", "three")

// describes reports whether a verb at the beginning of a sentence is an
// adjective of the sentence's subject.
func describes(verb, rest string) bool {
	if verb == "verified" || verb == "tested" {
		return false
	}
	for i := 0; i < 4; i++ {
		word, after := asWord(rest)
		if word == "" || i == 0 && objects[word] {
			return false
		}
		if i > 0 && finite[word] {
			return true
		}
		if after == "" || after[0] != ' ' {
			return false
		}
		rest = strings.TrimLeft(after, " ")
	}
	return false
}

// asWord cuts the first word off s, up to a blank or a punctuation mark.
func asWord(s string) (word, rest string) {
	end := strings.IndexAny(s, " ,;:()")
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

// genericLabel reports whether the words of a heading such as "Modified
// files:" name nothing.
func genericLabel(s string) bool {
	s = strings.TrimPrefix(strings.ToLower(s), "the ")
	switch s {
	case "files", "file", "new files", "following", "following files", "files changed", "changes", "tests", "features",
		"code", "functions", "dependencies", "documentation":
		return true
	}
	return false
}
