package fact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// named lists the types that a key's own prefix names: order 0 of the table.
var named = []Type{
	Prompt, Purpose, Progress, Status, Decision, Preference,
	Error, FileType, Context, Result, Action, Note,
}

// class is one row of the table of types: it matches a key that holds one of
// the words, or its plural in -s, or a word that begins with one of the stems.
type class struct {
	typ   Type
	words []string
	stems []string
}

// classes is the table of types from order 5 on; the first row that matches
// counts. What no row takes is a note.
var classes = []class{
	{Prompt, []string{"goal", "task"}, []string{"prompt"}},
	{Purpose, []string{"why"}, []string{"purpose", "reason"}},
	{Progress, []string{"wip"}, []string{"progress"}},
	{Status, []string{"state"}, []string{"status"}},
	{Decision, nil, []string{"decision", "decided"}},
	{Preference, []string{"like"}, []string{"prefer"}},
	{Error, []string{"bug", "bugfix"}, []string{"error", "fail"}},
	{FileType, []string{"file", "path", "dir", "filename", "filepath", "directory", "directories"}, nil},
	{Context, []string{"env", "environment"}, []string{"context", "config"}},
	{Result, []string{"done"}, []string{"result", "output"}},
}

// TypeOf returns the type that a key has by its words. It never gives
// FactType: that one is only ever named by a caller.
func TypeOf(key string) Type {
	if head, _, ok := strings.Cut(key, ":"); ok {
		for _, t := range named {
			if head == string(t) {
				return t
			}
		}
		switch head {
		case "tool":
			return ToolResult
		case "thinking":
			return Thinking
		}
	}
	switch key {
	case "last_action":
		return Action
	case "last_files":
		return FileType
	}
	words := KeyWords(key)
	for i := range classes {
		if classes[i].matches(key, words) {
			return classes[i].typ
		}
	}
	return Note
}

// matches reports whether one of the words of the key belongs to the class.
func (c *class) matches(key string, words []string) bool {
	if c.typ == Progress && strings.Contains(key, "in_progress") {
		return true
	}
	for _, word := range words {
		for _, w := range c.words {
			if word == w || len(word) == len(w)+1 && word[len(w)] == 's' && word[:len(w)] == w {
				return true
			}
		}
		for _, stem := range c.stems {
			if strings.HasPrefix(word, stem) {
				return true
			}
		}
	}
	return false
}

// KeyWords splits a key into its words, lower-cased: at every character that
// is no letter or digit, where a lower-case letter meets an upper-case one,
// and before the last of several upper-case letters that a lower-case one
// follows, so that HTTPStatus gives http and status.
func KeyWords(key string) []string {
	var words []string
	start := -1 // of the word that is open
	var before rune
	for i, r := range key {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			words = appendWord(words, key, start, i)
			start, before = -1, 0
			continue
		}
		if start >= 0 && unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && lowerAfter(key, i, r)) {
			words = appendWord(words, key, start, i)
			start = i
		}
		if start < 0 {
			start = i
		}
		before = r
	}
	return appendWord(words, key, start, len(key))
}

// lowerAfter reports whether a lower-case letter follows the rune r at i.
func lowerAfter(s string, i int, r rune) bool {
	next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
	return unicode.IsLower(next)
}

// appendWord adds the lower-cased word s[start:end], where one is open.
func appendWord(words []string, s string, start, end int) []string {
	if start < 0 {
		return words
	}
	return append(words, strings.ToLower(s[start:end]))
}
