package lang

import "strings"

// lineKind says what a line of Markdown is part of.
type lineKind uint8

const (
	proseLine lineKind = iota
	blankLine
	fenceLine  // opens or closes a fenced code block
	codeLine   // inside a fenced code block
	indentLine // an indented code block
	quoteLine  // a block quote
)

// mdLines walks over the lines of a Markdown text and says what each one is.
// The zero value with text set is ready.
type mdLines struct {
	text string
	pos  int

	start  int // where the present line begins
	fence  fence
	quoted fence // a fence inside a block quote
	list   int   // column where the content of the open list item begins, 0 outside
	before lineKind
	begun  bool
}

// fence is an open code fence; the zero value is none.
type fence struct {
	mark byte
	size int
}

// next returns the next line without its line break.
func (m *mdLines) next() (line string, kind lineKind, ok bool) {
	if m.pos >= len(m.text) {
		return "", 0, false
	}
	m.start = m.pos
	line = m.text[m.pos:]
	if at := strings.IndexByte(line, '\n'); at >= 0 {
		line = line[:at]
		m.pos++
	}
	m.pos += len(line)
	line = strings.TrimSuffix(line, "\r")
	kind = m.kind(line)
	m.before, m.begun = kind, true
	return line, kind, true
}

func (m *mdLines) kind(line string) lineKind {
	column, at := indent(line)
	rest := line[at:]
	if m.fence.size > 0 {
		if m.fence.closes(rest) {
			m.fence = fence{}
			return fenceLine
		}
		return codeLine
	}
	if rest == "" {
		m.quoted = fence{}
		return blankLine
	}
	if rest[0] == '>' && column < m.list+4 {
		return m.quote(rest)
	}
	m.quoted = fence{}
	loose := !m.begun || m.before == blankLine || m.before == indentLine
	if column >= m.list+4 && (loose || m.list == 0) {
		return indentLine
	}
	if f, ok := opensFence(rest); ok {
		m.fence = f
		return fenceLine
	}
	if width := bulletWidth(rest); width > 0 {
		m.list = column + width
	} else if loose && column < m.list {
		m.list = 0
	}
	return proseLine
}

// quote looks into a block quote for code.
func (m *mdLines) quote(rest string) lineKind {
	inner := strings.TrimLeft(rest, "> ")
	if m.quoted.size > 0 {
		if m.quoted.closes(inner) {
			m.quoted = fence{}
		}
		return codeLine
	}
	if f, ok := opensFence(inner); ok {
		m.quoted = f
		return codeLine
	}
	return quoteLine
}

// opensFence reports whether a line, without its indentation, opens a fenced
// code block.
func opensFence(s string) (fence, bool) {
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return fence{}, false
	}
	n := run(s, s[0])
	if n < 3 || s[0] == '`' && strings.IndexByte(s[n:], '`') >= 0 {
		return fence{}, false
	}
	return fence{s[0], n}, true
}

// closes reports whether a line, without its indentation, closes the fence.
func (f fence) closes(s string) bool {
	n := run(s, f.mark)
	return n >= f.size && strings.TrimSpace(s[n:]) == ""
}

// run counts how often c stands at the beginning of s.
func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// indent returns the column and the position of the first character of a line
// that is no blank.
func indent(line string) (column, at int) {
	for at < len(line) {
		switch line[at] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column, at
		}
		at++
	}
	return column, at
}

// bulletWidth returns the width of the list marker that a line, without its
// indentation, begins with, blanks after it included; 0 where there is none.
func bulletWidth(s string) int {
	n := 0
	switch {
	case s == "":
		return 0
	case s[0] == '-' || s[0] == '*' || s[0] == '+':
		n = 1
	case strings.HasPrefix(s, "•"), strings.HasPrefix(s, "–"):
		n = len("•")
	default:
		for n < len(s) && '0' <= s[n] && s[n] <= '9' {
			n++
		}
		if n == 0 || n > 3 || n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	}
	if n == len(s) {
		return n
	}
	if s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}

// isRule reports whether a line draws a line: a thematic break, the underline
// of a heading, the separator of a table, or box drawing.
func isRule(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" {
		return false
	}
	marks := 0
	for _, r := range line {
		switch r {
		case '-', '*', '_', '=', '~', '─', '━', '═', '┄', '—', '#', '│', '┌', '┐', '└', '┘', '├', '┤', '┬', '┴', '┼', '+':
			marks++
		case '|', ':', ' ', '\t':
		default:
			return false
		}
	}
	return marks >= 3 || line[0] == '|' && marks > 0
}

// headingText returns the text of a Markdown heading line and its level.
func headingText(line string) (text string, level int) {
	if line == "" || line[0] != '#' {
		return "", 0
	}
	level = run(line, '#')
	if level > 6 || level == len(line) || line[level] != ' ' && line[level] != '\t' {
		return "", 0
	}
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(line[level:]), "#")), level
}
