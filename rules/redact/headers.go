package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// bearer finds the token of `Bearer TOKEN`.
func bearer(s string, at, _ int) (span, bool) {
	i := gap(s, at+len("bearer"))
	if i < 0 {
		return span{}, false
	}
	return credential(s, i, "bearer-token")
}

// gap passes over the blanks after a scheme; -1 without any.
func gap(s string, i int) int {
	j := blanks(s, i)
	for j < len(s) && s[j] == '+' && j == i {
		j++ // a blank in a URL
	}
	if j == i {
		return -1
	}
	return j
}

// credential finds the token that begins at i.
func credential(s string, i int, kind string) (span, bool) {
	end := credentialEnd(s, i, 2*probe)
	v := s[i:end]
	m := measure(v)
	if len(v) < 8 || reference(v) || placeholder(v, "") || !m.mixed() && (len(v) < 20 || m.wordy(v)) || expression(v, m) || m.slug(v) && m.digits < 2 {
		return span{}, false
	}
	if known, ok := knownFormat(v); ok {
		kind = known
	}
	return span{i, credentialEnd(s, i, len(s)), kind}, true
}

// credentialEnd returns where the token ends that begins at i, at most limit
// bytes on.
func credentialEnd(s string, i, limit int) int {
	end := i
	for end < len(s) && end-i < limit && fullBytes[s[end]] {
		end++
	}
	for end > i && strings.IndexByte(".:", s[end-1]) >= 0 {
		end--
	}
	return end
}

// basic finds the user and password of `Basic BASE64`.
func basic(s string, at, _ int) (span, bool) {
	i := gap(s, at+len("basic"))
	if i < 0 {
		return span{}, false
	}
	end := i
	for end < len(s) && end-i < 4096 && base64Bytes[s[end]] {
		end++
	}
	text, ok := decode(s[i:end])
	if !ok || strings.IndexByte(text, ':') < 0 || len(text) < 4 {
		return span{}, false
	}
	return span{i, end, "basic-auth"}, true
}

// decode returns the text that a base64 string holds, if it is text.
func decode(s string) (string, bool) {
	s = strings.TrimRight(s, "=")
	if len(s) < 8 {
		return "", false
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(s, "-_") {
		enc = base64.RawURLEncoding
	}
	b, err := enc.DecodeString(s)
	if err != nil && len(b) < len(s)/2 || !utf8.Valid(b) {
		return "", false
	}
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return "", false
		}
	}
	return string(b), true
}

// schemes are the words that may stand before a token in an Authorization header.
var schemes = [...]string{"token ", "apikey ", "api-key ", "bot ", "ssws ", "key ", "digest ", "splunk ", "genie-key ", "hmac "}

// authorization finds the token of an Authorization header that has neither
// scheme bearer nor basic.
func authorization(s string, at, _ int) (span, bool) {
	i := at + len("authorization")
	for n := 0; n < 8 && i < len(s) && strings.IndexByte("\"'\\]`", s[i]) >= 0; n++ {
		i++
	}
	i = blanks(s, i)
	if i >= len(s) || s[i] != ':' && s[i] != '=' && s[i] != ',' && !strings.HasPrefix(s[i:], "%3A") {
		return span{}, false
	}
	if s[i] == '%' {
		i += 2
	}
	i = blanks(s, i+1)
	for n := 0; n < 8 && i < len(s) && strings.IndexByte("\"'\\`>f[", s[i]) >= 0; n++ {
		i++
	}
	rest := s[i:min(len(s), i+16)]
	for _, scheme := range schemes {
		if len(rest) >= len(scheme) && strings.EqualFold(rest[:len(scheme)], scheme) {
			return credential(s, i+len(scheme), "auth-token")
		}
	}
	if strings.HasPrefix(rest, "AWS4-HMAC") {
		n := strings.Index(s[i:min(len(s), i+600)], "Signature=")
		if n < 0 {
			return span{}, false
		}
		return credential(s, i+n+len("Signature="), "aws-signature")
	}
	if len(rest) > 5 && (strings.EqualFold(rest[:5], "beare") || strings.EqualFold(rest[:5], "basic")) {
		return span{}, false
	}
	return credential(s, i, "auth-token")
}

// cookie finds the values of a Cookie or Set-Cookie header.
func cookie(s string, at, _ int) (span, bool) {
	i := at + len("cookie")
	for n := 0; n < 4 && i < len(s) && strings.IndexByte("\"'\\", s[i]) >= 0; n++ {
		i++
	}
	if i >= len(s) || s[i] != ':' && !strings.HasPrefix(s[i:], "%3A") {
		return span{}, false
	}
	if s[i] == '%' {
		i += 2
	}
	i = blanks(s, i+1)
	for n := 0; n < 4 && i < len(s) && strings.IndexByte("\"'\\", s[i]) >= 0; n++ {
		i++
	}
	end := i
	for end < len(s) && strings.IndexByte("\"'\r\n\\`", s[end]) < 0 {
		if end++; end-i == 2*probe && !cookieValue(s[i:end]) {
			break // not to be read to its end over and over
		}
	}
	v := strings.TrimRight(s[i:end], " ")
	if !cookieValue(v) {
		return span{}, false
	}
	return span{i, i + len(v), "cookie"}, true
}

// cookieValue reports whether a header's value begins like a cookie that is
// none of a program's variables.
func cookieValue(v string) bool {
	v = v[:min(len(v), 2*probe)]
	name, value, ok := strings.Cut(v, "=")
	if !ok || len(value) < 6 || name == "" || strings.ContainsAny(name, " ({[<$") || strings.IndexByte("$<{[", value[0]) >= 0 || strings.Contains(value, "${") {
		return false
	}
	m := measure(value)
	return m.mixed() || m.kinds >= 10
}
