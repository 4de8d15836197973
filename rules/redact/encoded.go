package redact

import (
	"encoding/base64"
	"strings"
)

// encodedWords are the ways in which words that tell of secrets look within
// base64.
func encodedWords() []string {
	var words []string
	for _, plain := range [...]string{
		"password", "PASSWORD", "secret", "SECRET", "_token", "_TOKEN", "api_key", "API_KEY", "apikey", "PRIVATE KEY", "ghp_", "sk-ant-", "sk-proj", "AKIA", "xoxb-", "glpat-",
	} {
		for shift := range 3 {
			enc := base64.RawStdEncoding.EncodeToString([]byte("\x00\x00"[:shift] + plain))
			// The first bytes hold bits of what stands before, the last ones of
			// what follows.
			from := []int{0, 2, 3}[shift]
			to := (shift + len(plain)) * 8 / 6
			if to-from >= 4 {
				words = append(words, enc[from:to])
			}
		}
	}
	return words
}

// maxEncoded bounds what is decoded.
const maxEncoded = 2 << 10

// encoded finds a base64 string whose text holds secrets.
func (r *Redactor) encoded(s string, at, done int) (span, bool) {
	from, to := at, at
	for from > done && at-from < maxEncoded && (alnumBytes[s[from-1]] || s[from-1] == '+' || s[from-1] == '/') {
		from--
	}
	for to < len(s) && to-at < maxEncoded && (base64Bytes[s[to]]) {
		to++
	}
	if to-from < 20 || to-from >= maxEncoded {
		return span{}, false
	}
	text, ok := decode(s[from:to])
	if !ok || strings.Contains(text, opening) {
		return span{}, false
	}
	if _, n := r.pass(text); n == 0 {
		return span{}, false
	}
	return span{from, to, "encoded"}, true
}
