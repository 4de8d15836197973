package lang

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	slugLimit = 30
	slugHash  = 6 // hex digits
)

// Slug makes the part of a key that stands for a text: its letters and digits
// of any script, lower-cased, everything between them as one "_". A slug that
// had to be cut or is empty ends in "_" and six hex digits of the SHA-256 of s;
// with them it has at most thirty bytes.
func Slug(s string) string {
	slug, cut := words(s)
	if !cut && slug != "" {
		return slug
	}
	sum := sha256.Sum256([]byte(s))
	slug = slug[:boundaryBefore(slug, slugLimit-1-slugHash)]
	return strings.TrimRight(slug, "_") + "_" + hex.EncodeToString(sum[:slugHash/2])
}

// words gives the letters and digits of s as a slug without its hash, and
// whether there was more than a slug may hold. Composed and decomposed accents
// give the same; marks stay with the letter they belong to.
func words(s string) (slug string, cut bool) {
	s = valid(s)
	if at := len(s); at > 4096 { // far more than a slug can use
		s = s[:boundaryBefore(s, 4096)]
		cut = true
	}
	if slug, cut, ok := asciiWords(s, cut); ok {
		return slug, cut
	}
	s = norm.NFC.String(s)
	var b strings.Builder
	open := false // a separator is due
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && (open || b.Len() == 0 || !unicode.IsMark(r)) {
			open = b.Len() > 0
			continue
		}
		if open {
			b.WriteByte('_')
			open = false
		}
		b.WriteRune(unicode.ToLower(r))
		if b.Len() > 2*slugLimit {
			break
		}
	}
	slug = b.String()
	return slug, len(slug) > slugLimit || cut && len(slug) > 0
}

// asciiWords is words for a text that is ASCII as far as a slug reaches.
func asciiWords(s string, cut bool) (slug string, more, ok bool) {
	var buf [2*slugLimit + 2]byte
	b := buf[:0]
	open := false // a separator is due
	for i := 0; i < len(s) && len(b) <= 2*slugLimit; i++ {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			return "", false, false
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		default:
			open = len(b) > 0
			continue
		}
		if open {
			b = append(b, '_')
			open = false
		}
		b = append(b, c)
	}
	return string(b), len(b) > slugLimit || cut && len(b) > 0, true
}

// greetings are words that open a prompt without saying what it is about.
var greetings = set(
	"hi", "hello", "hey", "hiya", "heya", "hallo", "hej", "hei", "moin", "servus", "greetings", "howdy", "yo", "dear",
	"bonjour", "salut", "coucou", "bonsoir", "hola", "buenas", "ola", "olá", "oi", "ciao", "buongiorno", "salve",
	"привет", "здравствуй", "здравствуйте", "cześć", "ahoj", "merhaba", "selam", "namaste", "नमस्ते", "مرحبا", "שלום",
	"สวัสดี", "안녕", "안녕하세요", "こんにちは", "こんばんは", "おはよう", "おはようございます", "你好", "您好", "嗨", "哈喽", "大家好",
)

// greetingPairs are greetings of two words.
var greetingPairs = set(
	"good morning", "good afternoon", "good evening", "good day", "guten morgen", "guten tag", "guten abend",
	"grüß gott", "buenos días", "buenos dias", "buenas tardes", "buenas noches", "bom dia", "boa tarde", "boa noite",
	"buon giorno", "добрый день", "доброе утро", "добрый вечер", "xin chào",
)

// greeted are those whom a greeting may name.
var greeted = set(
	"there", "everyone", "team", "folks", "again", "claude", "codex", "gemini", "copilot", "chatgpt", "gpt",
	"assistant", "agent", "buddy", "mate", "friend", "friends", "zusammen", "leute",
)

// PromptSlug is the slug of a prompt: of its words without the greeting it
// opens with. A prompt that is nothing but a greeting keeps it.
func PromptSlug(s string) string {
	rest := s
	for {
		word, after := firstWord(rest)
		if word == "" {
			break
		}
		second, after2 := firstWord(after)
		switch {
		case greetingPairs[word+" "+second]:
			rest = afterGreeting(after2)
		case greetings[word] && second != "world":
			rest = afterGreeting(after)
		default:
			return Slug(strings.TrimSpace(rest))
		}
	}
	return Slug(s)
}

// afterGreeting leaves out whom a greeting names.
func afterGreeting(s string) string {
	for {
		word, after := firstWord(s)
		if !greeted[word] || strings.ContainsAny(s[:len(s)-len(after)-len(word)], ".!?\n") {
			return s
		}
		s = after
	}
}

// firstWord returns the first word of s, lower-cased and without punctuation
// around it, and what follows it.
func firstWord(s string) (word, rest string) {
	start := strings.IndexFunc(s, isWordRune)
	if start < 0 {
		return "", ""
	}
	s = s[start:]
	end := strings.IndexFunc(s, func(r rune) bool { return !isWordRune(r) })
	if end < 0 {
		end = len(s)
	}
	if end > 64 {
		return strings.ToValidUTF8(s[:64], ""), s[end:]
	}
	return strings.ToLower(s[:end]), s[end:]
}

// isWordRune reports whether r belongs into a word.
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
