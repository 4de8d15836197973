package agents

import (
	"strings"
	"unicode/utf8"
)

// literalKind is what a value in a script turned out to be.
type literalKind uint8

const (
	literalUnknown literalKind = iota // anything that only running the script could tell
	literalText
	literalList
	literalObject
)

// literal is a literal of a script, as far as it can be read without running it.
type literal struct {
	kind   literalKind
	text   string
	loose  bool // a part of the text was computed
	list   []literal
	fields map[string]literal
}

// get returns a member of an object.
func (v literal) get(name string) literal { return v.fields[name] }

// scriptScanner reads just enough JavaScript to find calls and literals: strings,
// templates, comments, brackets, simple variables. It takes any input.
type scriptScanner struct {
	src   string
	at    int
	vars  map[string]literal
	depth int
	// The bounds of the work on hostile input.
	steps  int
	copied int // bytes of values put into other values
}

const (
	scriptDepth  = 40
	scriptSteps  = 200_000
	scriptCopied = 1 << 20
)

// take returns a text that is to become a part of another one; "" when a
// script has done so too often: texts that hold each other grow without end.
func (s *scriptScanner) take(v *literal) string {
	if s.copied += len(v.text); s.copied > scriptCopied {
		v.loose = true
		return ""
	}
	return v.text
}

func (s *scriptScanner) done() bool {
	s.steps++
	return s.at >= len(s.src) || s.steps > scriptSteps
}

func (s *scriptScanner) peek() byte {
	if s.at < len(s.src) {
		return s.src[s.at]
	}
	return 0
}

// step goes on by one byte, never past the end.
func (s *scriptScanner) step() {
	if s.at < len(s.src) {
		s.at++
	}
}

// blank skips white space and comments.
func (s *scriptScanner) blank() {
	for !s.done() {
		rest := s.src[s.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			s.at++
		case strings.HasPrefix(rest, "//"):
			s.skipPast("\n")
		case strings.HasPrefix(rest, "/*"):
			s.at += 2
			s.skipPast("*/")
		default:
			return
		}
	}
}

func (s *scriptScanner) skipPast(mark string) {
	if n := strings.Index(s.src[s.at:], mark); n >= 0 {
		s.at += n + len(mark)
	} else {
		s.at = len(s.src)
	}
}

// word reads an identifier with its dots: tools.exec_command.
func (s *scriptScanner) word() string {
	start := s.at
	for s.at < len(s.src) {
		c := s.src[s.at]
		if !scriptWordByte(c) && !(c == '.' && s.at > start && s.at+1 < len(s.src) && scriptWordByte(s.src[s.at+1])) {
			break
		}
		s.at++
	}
	return s.src[start:s.at]
}

func scriptWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// quoted reads a string in ' or ", which the scanner stands on.
func (s *scriptScanner) quoted() string {
	quote := s.src[s.at]
	s.at++
	var b strings.Builder
	for !s.done() {
		switch c := s.src[s.at]; c {
		case quote, '\n':
			s.at++
			return b.String()
		case '\\':
			s.escape(&b)
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return b.String()
}

// template reads a string in backquotes. Parts that are computed keep their
// source, unless they are variables whose value is known.
func (s *scriptScanner) template(raw bool) literal {
	s.at++
	v := literal{kind: literalText}
	var b strings.Builder
	for !s.done() {
		c := s.src[s.at]
		switch {
		case c == '`':
			s.at++
			v.text = b.String()
			return v
		case c == '\\' && raw:
			b.WriteByte(c)
			s.at++
			if s.at < len(s.src) {
				b.WriteByte(s.src[s.at])
				s.at++
			}
		case c == '\\':
			s.escape(&b)
		case strings.HasPrefix(s.src[s.at:], "${"):
			part := s.embedded()
			b.WriteString(s.take(&part))
			v.loose = v.loose || part.loose || part.kind != literalText
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	v.text = b.String()
	return v
}

// embedded reads ${…} in a template.
func (s *scriptScanner) embedded() literal {
	start := s.at
	s.at += 2
	v := s.value()
	s.blank()
	if v.kind == literalText && s.peek() == '}' {
		s.at++
		return v
	}
	s.skipTo("}")
	if s.at < len(s.src) {
		s.at++
	}
	return literal{text: s.src[start:min(s.at, len(s.src))]}
}

// escape reads one escape of a string.
func (s *scriptScanner) escape(b *strings.Builder) {
	if s.at+1 >= len(s.src) {
		s.at = len(s.src)
		return
	}
	c := s.src[s.at+1]
	s.at += 2
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b', 'f', 'v', '0':
	case '\n':
	case 'x':
		s.code(b, 2)
	case 'u':
		if s.peek() == '{' {
			s.at++
			s.code(b, 0)
			if s.peek() == '}' {
				s.at++
			}
			return
		}
		s.code(b, 4)
	default:
		b.WriteByte(c)
	}
}

// code reads a character's number in hexadecimal, of n digits or as many as there are.
func (s *scriptScanner) code(b *strings.Builder, n int) {
	var r rune
	for i := 0; (n == 0 && i < 6 || i < n) && s.at < len(s.src); i++ {
		c := s.src[s.at] | 0x20
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			b.WriteRune(r)
			return
		}
		s.at++
	}
	b.WriteRune(r)
}
