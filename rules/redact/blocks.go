package redact

import "strings"

// private returns the rule for what the user marked as private: everything up
// to the closing tag, or to the end.
func private(closing string) rule {
	return func(s string, at, _ int) (span, bool) {
		for i := at; i+len(closing) <= len(s); i++ {
			if s[i] == closing[0] && strings.EqualFold(s[i:i+len(closing)], closing) {
				return span{at, i + len(closing), "private"}, true
			}
		}
		return span{at, len(s), "private"}, true
	}
}

// keyBlock finds a private key from its first line to its last one, or as far
// as it goes on.
func keyBlock(s string, at, _ int) (span, bool) {
	label := at + len("-----BEGIN")
	n := strings.Index(s[label:min(len(s), label+64)], "-----")
	if n < 0 || !secretLabel(s[label:label+n]) {
		return span{}, false
	}
	body := label + n + len("-----")
	if n := strings.Index(s[body:min(len(s), body+maxBlock)], "-----END"+s[label:label+n]+"-----"); n >= 0 {
		// With its last line in sight it is a key, whatever stands between.
		end := body + n + len("-----END") + body - label
		return span{at, end, "private-key"}, n > 2
	}
	end, letters := keyBody(s, body)
	if letters < 16 {
		return span{}, false
	}
	if strings.HasPrefix(s[end:], "-----END") {
		if n := strings.Index(s[end+len("-----END"):min(len(s), end+80)], "-----"); n >= 0 {
			end += len("-----END") + n + len("-----")
		}
	}
	return span{at, end, "private-key"}, true
}

// maxBlock is how far behind the first line of a key its last one is looked
// for, in bytes.
const maxBlock = 8 << 10

func secretLabel(label string) bool {
	return strings.Contains(label, "PRIVATE KEY") || strings.Contains(label, "PRIVATE%20KEY") || strings.Contains(label, "SECRET KEY")
}

// keyBody returns where the body of a key ends and how many of its bytes are
// those of base64. Line breaks may be escaped, lines quoted and joined, and
// headers may stand before it.
func keyBody(s string, i int) (end, letters int) {
	last := i
	for i < len(s) {
		c := s[i]
		switch {
		case alnumBytes[c] || c == '+' || c == '/' || c == '=':
			word := i
			for i < len(s) && (alnumBytes[s[i]] || strings.IndexByte("+/=", s[i]) >= 0) {
				i++
			}
			if i < len(s) && (s[i] == ':' || s[i] == '-' && !strings.HasPrefix(s[i:], "-----")) {
				line := strings.IndexByte(s[i:], '\n') // Proc-Type: 4,ENCRYPTED
				if line < 0 || line > 100 || letters > 64 {
					return last, letters
				}
				i += line
				continue
			}
			if letters >= 16 && i < len(s) && s[i] == ' ' && i-word < 20 && strings.IndexByte(s[i:min(len(s), i+200)], '\n') != 0 && plainWord(s[word:i]) {
				return last, letters // prose after a key that was cut off
			}
			letters += i - word
			last = i
		case c == '\\' && i+1 < len(s) && strings.IndexByte("nr\\\"", s[i+1]) >= 0:
			i += 2
			if s[i-1] == '\\' && i < len(s) && (s[i] == 'n' || s[i] == 'r') {
				i++
			}
		case strings.HasPrefix(s[i:], "-----END"):
			return i, letters
		case c <= ' ' || strings.IndexByte("\"'>|*#,.%", c) >= 0:
			i++
		default:
			return last, letters
		}
	}
	return last, letters
}

func plainWord(word string) bool {
	return strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz") == "" && strings.ToUpper(word[1:]) != word[1:] && strings.ToLower(word[1:]) == word[1:]
}

// keyBlockEnd finds a private key whose beginning was cut off.
func keyBlockEnd(s string, at, done int) (span, bool) {
	label := at + len("-----END")
	n := strings.Index(s[label:min(len(s), label+64)], "-----")
	if n < 0 || !secretLabel(s[label:label+n]) {
		return span{}, false
	}
	from, i, letters := at, at, 0
	for i > done {
		c := s[i-1]
		switch {
		case alnumBytes[c] || c == '+' || c == '/' || c == '=':
			word := i
			for i > done && (alnumBytes[s[i-1]] || strings.IndexByte("+/=", s[i-1]) >= 0) {
				i--
			}
			if word-i < 40 && letters > 0 {
				if word-i < 16 || strings.IndexByte(s[i:word], '/') < 0 && plainWord(s[i:word]) {
					goto out
				}
			}
			letters += word - i
			from = i
		case c == '\n' || c == '\r' || c == '\t' || c == '\\' || c == ' ' && letters == 0:
			i--
		default:
			goto out
		}
	}
out:
	if letters < 16 {
		return span{}, false
	}
	return span{from, label + n + len("-----"), "private-key"}, true
}
