package lang

import "strings"

// plainOptions say what appendPlain leaves of a line's Markdown.
type plainOptions struct {
	ticks bool // the back-ticks of inline code stay
}

// special holds the bytes that may begin something that is not plain text.
var special = [256]bool{'*': true, '_': true, '`': true, '[': true, '!': true, '<': true, '~': true, '\\': true}

// plain returns a line without Markdown: emphasis, links, images, tags and
// back-ticks.
func plain(line string) string {
	for i := 0; i < len(line); i++ {
		if special[line[i]] {
			return string(appendPlain(make([]byte, 0, len(line)), line, plainOptions{}))
		}
	}
	return line
}

const (
	maxOpen = 8    // kinds of emphasis that may be open at a time
	maxSpan = 1024 // bytes that a construct may span, so that no line costs the square of its length
)

// appendPlain appends a line to dst without its inline Markdown.
func appendPlain(dst []byte, line string, o plainOptions) []byte {
	var open [maxOpen]string // delimiters of the emphasis that is open
	depth, from := 0, 0
	for i := 0; i < len(line); {
		if !special[line[i]] {
			i++
			continue
		}
		text, size := "", 0 // what the construct leaves, and its length
		switch c := line[i]; c {
		case '\\':
			if i+1 < len(line) && strings.IndexByte("*_`[]<>~|#", line[i+1]) >= 0 {
				text, size = line[i+1:i+2], 2
			}
		case '`':
			text, size = codeSpan(line[i:], o.ticks)
		case '[', '!':
			if label, n := link(line[i:]); n > 0 {
				dst = append(dst, line[from:i]...)
				dst = appendPlain(dst, label, o)
				i += n
				from = i
				continue
			}
		case '<':
			text, size = tag(line[i:])
		default:
			n := run(line[i:], c)
			delimiter := line[i : i+n]
			switch {
			case depth > 0 && open[depth-1] == delimiter && closes(line, i, n):
				depth--
				size = n
			case depth < maxOpen && opens(line, i, n):
				open[depth] = delimiter
				depth++
				size = n
			default:
				i += n
				continue
			}
		}
		if size == 0 {
			i++
			continue
		}
		dst = append(append(dst, line[from:i]...), text...)
		i += size
		from = i
	}
	return append(dst, line[from:]...)
}

// codeSpan returns what a code span that begins s leaves, and its length; 0
// where none begins.
func codeSpan(s string, ticks bool) (text string, size int) {
	n := run(s, '`')
	at := closingRun(s[n:min(len(s), n+maxSpan)], n)
	if at < 0 {
		return "", 0
	}
	size = n + at + n
	if ticks {
		return s[:size], size
	}
	return strings.TrimSpace(s[n : n+at]), size
}

// closingRun finds a run of exactly n back-ticks.
func closingRun(s string, n int) int {
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			return -1
		}
		i += at
		m := run(s[i:], '`')
		if m == n {
			return i
		}
		i += m
	}
	return -1
}

// link returns the text of the link or image that begins s, and the length of
// the whole; 0 where none begins.
func link(s string) (label string, size int) {
	at := 0
	if s[0] == '!' {
		at = 1
	}
	if at >= len(s) || s[at] != '[' {
		return "", 0
	}
	end := closing(s[at:], '[', ']')
	if end < 0 || at+end+1 >= len(s) {
		return "", 0
	}
	label = s[at+1 : at+end]
	size = at + end + 1
	var n int
	switch s[size] {
	case '(':
		n = closing(s[size:], '(', ')')
	case '[':
		n = closing(s[size:], '[', ']')
		if strings.TrimSpace(label) == "x" {
			return "", 0
		}
	default:
		return "", 0
	}
	if n < 0 {
		return "", 0
	}
	if strings.TrimSpace(label) == "" {
		label = strings.TrimSpace(s[size+1 : size+n])
	}
	return label, size + n + 1
}

// target returns the target of the link that begins s, "" where none does.
func target(s string) string {
	if _, size := link(s); size > 0 && s[size-1] == ')' {
		return s[closing(s, '[', ']')+2 : size-1]
	}
	return ""
}

// closing returns the position of the bracket that closes the one s begins
// with, -1 where there is none.
func closing(s string, left, right byte) int {
	s = s[:min(len(s), maxSpan)]
	if strings.IndexByte(s, right) < 0 {
		return -1
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// formatting are HTML tags that only shape a text.
var formatting = set("b", "i", "u", "s", "em", "strong", "sub", "sup", "code", "kbd", "span", "div", "p", "details",
	"summary", "center", "br", "hr", "del", "ins", "small", "ul", "ol", "li", "img", "a", "h1", "h2", "h3")

// tag returns what a tag, a comment or an address in angle brackets that
// begins s leaves, and its length; 0 where none begins.
func tag(s string) (text string, size int) {
	if strings.HasPrefix(s, "<!--") {
		if end := strings.Index(s[:min(len(s), maxSpan)], "-->"); end > 0 {
			return "", end + 3
		}
		return "", 0
	}
	end := strings.IndexByte(s[:min(len(s), maxSpan)], '>')
	if end < 2 {
		return "", 0
	}
	inner := s[1:end]
	if strings.HasPrefix(inner, "http://") || strings.HasPrefix(inner, "https://") {
		return inner, end + 1
	}
	name := strings.TrimPrefix(inner, "/")
	if at := strings.IndexAny(name, " /"); at >= 0 {
		name = name[:at]
	}
	if len(name) > 8 || !formatting[strings.ToLower(name)] {
		return "", 0
	}
	if strings.EqualFold(name, "br") {
		return " ", end + 1
	}
	return "", end + 1
}

// opens reports whether the run of n bytes at i begins emphasis that is closed
// later in the line.
func opens(line string, i, n int) bool {
	c := line[i]
	if n > 3 || c == '~' && n != 2 || i+n >= len(line) || isBlank(line[i+n]) {
		return false
	}
	if i > 0 && wordByte(line[i-1]) && (c == '_' || n == 1) {
		return false
	}
	line = line[:min(len(line), i+maxSpan)]
	for at := i + n; at < len(line); {
		next := strings.IndexByte(line[at:], c)
		if next < 0 {
			return false
		}
		at += next
		m := run(line[at:], c)
		if m == n && closes(line, at, n) {
			return true
		}
		at += m
	}
	return false
}

// closes reports whether the run of n bytes at i can end emphasis.
func closes(line string, i, n int) bool {
	if i == 0 || isBlank(line[i-1]) {
		return false
	}
	after := i + n
	return after >= len(line) || !wordByte(line[after]) || line[i] == '*' && n > 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// wordByte reports whether c is a byte of a word; every byte of a character
// outside ASCII counts as one.
func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}
