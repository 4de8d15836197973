package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxKey is the longest key, in bytes.
const MaxKey = 200

// cleanKey makes a captured text a legal key: trimmed, without control
// characters, at most MaxKey bytes of valid UTF-8. Empty means: no key.
func cleanKey(key string) string {
	ok := len(key) <= MaxKey && utf8.ValidString(key)
	if ok {
		for _, r := range key {
			if unicode.IsControl(r) {
				ok = false
				break
			}
		}
	}
	if !ok {
		key = strings.ToValidUTF8(key, "\uFFFD")
		key = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, key)
		for len(key) > MaxKey {
			_, size := utf8.DecodeLastRuneInString(key)
			key = key[:len(key)-size]
		}
	}
	return strings.TrimSpace(key)
}
