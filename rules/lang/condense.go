package lang

import (
	"bytes"
	"strings"
)

// headShare is how much of the room the first paragraph of a text that is too
// long may take, in percent.
const headShare = 45

// Condense brings an agent's closing text to at most limit bytes: code blocks,
// rules and emphasis go, a table row becomes "- cell: cell", links keep their
// text, filler goes. What is still too long keeps its first paragraph and its
// end with " […] " between: what was done, what is left, what is asked.
func Condense(text string, limit int) string {
	body, first := flatten(valid(text))
	body, first = dropFiller(body, first)
	if len(body) <= limit {
		return body
	}
	room := limit - len(gap)
	if room < 40 {
		return strings.TrimSpace(body[:boundaryBefore(body, max(limit, 0))])
	}
	head := leadOf(body, first, room*headShare/100)
	tail := tailOf(body[len(head):], room-len(head))
	if head == "" {
		return tail
	}
	return head + gap + tail
}

// A first paragraph of less than thinLead bytes ("Done.", a heading) only
// announces what comes after it, so that is told as well, up to fullLead bytes
// where a sentence or a line ends there.
const (
	thinLead = 40
	fullLead = 100
)

// leadOf returns the beginning of a text whose first paragraph ends at first:
// that paragraph, with what it announces where it says nothing itself.
func leadOf(body string, first, limit int) string {
	if head := headOf(body[:first], limit); len(head) >= thinLead || first >= len(body) || limit < fullLead {
		return head
	}
	end := first
	for end < fullLead {
		next := nextStart(body, end)
		if len(strings.TrimRight(body[:min(next, len(body))], " \t\n")) > limit {
			break
		}
		end = next
	}
	if end == first {
		end = wordBefore(body, limit)
	}
	return strings.TrimRight(body[:end], " \t\n")
}

// flatten turns Markdown into lines of plain text without blank ones, and says
// where the first paragraph ends.
func flatten(text string) (body string, first int) {
	f := flattener{dst: make([]byte, 0, min(len(text), 4096)+64), first: -1}
	lines := mdLines{text: text}
	for {
		line, kind, ok := lines.next()
		if !ok {
			break
		}
		line = strings.Trim(line, " \t")
		switch kind {
		case quoteLine:
			line = strings.TrimLeft(line, "> \t")
		case fenceLine, codeLine, indentLine:
			line = ""
		}
		if line == "" {
			f.pause()
		} else {
			f.line(line)
		}
	}
	if f.first < 0 {
		f.first = len(f.dst)
	}
	return string(f.dst), min(f.first, len(f.dst))
}

// flattener collects the lines of flatten.
type flattener struct {
	dst    []byte
	first  int  // where the first paragraph ends, -1 as long as it goes on
	table  bool // the line before is a row of a table
	opened bool // a paragraph has begun that a blank line ends
}

// pause takes a blank line.
func (f *flattener) pause() {
	if f.opened && f.first < 0 && len(f.dst) > 0 {
		f.first = len(f.dst)
	}
	f.table = false
}

// line takes a line that holds something.
func (f *flattener) line(line string) {
	row := line[0] == '|'
	if isRule(line) {
		if f.table && row {
			f.dst = f.dst[:lastLine(f.dst)] // the names of the columns
		}
		return
	}
	heading, level := headingText(line)
	if level > 0 {
		if line = heading; genericHeading(line) {
			return
		}
	}
	if line == "" || lonelyTag(line) {
		return
	}
	before := len(f.dst)
	if before > 0 {
		f.dst = append(f.dst, '\n')
	}
	start := len(f.dst)
	if row {
		f.dst = appendRow(f.dst, line)
	} else {
		f.dst = appendLine(f.dst, line)
	}
	if len(bytes.TrimSpace(f.dst[start:])) == 0 {
		f.dst = f.dst[:before]
		return
	}
	f.table = row
	f.opened = level == 0 // a heading goes with the paragraph after it
}

// lastLine returns where the last line of b begins, the line break before it
// included.
func lastLine(b []byte) int { return max(bytes.LastIndexByte(b, '\n'), 0) }

// appendLine appends a line of prose; bullets become "- ".
func appendLine(dst []byte, line string) []byte {
	if line[0] == '*' || line[0] == '+' || line[0] >= 0x80 {
		if n := bulletWidth(line); n > 0 {
			dst = append(dst, "- "...)
			line = line[n:]
		}
	}
	return bytes.TrimRight(appendPlain(dst, line, plainOptions{ticks: true}), " \t")
}

// appendRow appends a row of a table as "- cell: cell".
func appendRow(dst []byte, line string) []byte {
	dst = append(dst, "- "...)
	start := len(dst)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	for line != "" {
		cell := line[:cellEnd(line)]
		line = strings.TrimPrefix(line[len(cell):], "|")
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ": "...)
		}
		dst = appendPlain(dst, cell, plainOptions{ticks: true})
	}
	if len(dst) == start {
		return dst[:start-2]
	}
	return dst
}

// cellEnd returns where the first cell of a row ends: at a "|" that is neither
// escaped nor in inline code.
func cellEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '|':
			return i
		case '`':
			if _, size := codeSpan(s[i:], true); size > 0 {
				i += size - 1
			}
		}
	}
	return len(s)
}

// lonelyTag reports whether a line is nothing but one tag, such as the frame
// that an agent puts around a plan.
func lonelyTag(line string) bool {
	if len(line) < 3 || line[0] != '<' || line[len(line)-1] != '>' || strings.Contains(line, "://") {
		return false
	}
	for _, c := range []byte(strings.TrimPrefix(line[1:len(line)-1], "/")) {
		if !wordByte(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// headOf returns the beginning of a paragraph, at most limit bytes, cut after a
// sentence or a line; where there is none, between words.
func headOf(paragraph string, limit int) string {
	if len(paragraph) <= limit {
		return strings.TrimSpace(paragraph)
	}
	end := 0
	for at := 0; at < limit; {
		next := nextStart(paragraph, at)
		if next > limit && strings.TrimRight(paragraph[:min(next, len(paragraph))], " \n") != paragraph[:min(limit, len(paragraph))] {
			break
		}
		at, end = next, next
	}
	if end == 0 {
		end = wordBefore(paragraph, limit)
	}
	return strings.TrimRight(paragraph[:end], " \t\n")
}

// tailOf returns the end of a text, at most limit bytes, from the start of a
// sentence or a line; where there is none in the first half, from a word.
func tailOf(s string, limit int) string {
	s = strings.TrimSpace(s)
	if len(s) <= limit {
		return s
	}
	from := len(s) - limit
	// Sentences are found from the start of the line that from stands in.
	at := strings.LastIndexByte(s[:from], '\n') + 1
	for at < from {
		at = nextStart(s, at)
	}
	if at > len(s)-limit/3 || at >= len(s) {
		at = wordAfter(s, from)
	}
	return strings.TrimLeft(s[at:], " \t\n")
}

// nextStart returns where the sentence or line after the one at from begins.
func nextStart(s string, from int) int {
	line := len(s)
	if at := strings.IndexByte(s[from:], '\n'); at >= 0 {
		line = from + at
	}
	end := sentenceEnd(s[:line], from)
	for end < len(s) && (isBlank(s[end]) || s[end] == '\n') {
		end++
	}
	return max(end, from+1)
}

// wordBefore returns the end of the last whole word of s[:limit].
func wordBefore(s string, limit int) int {
	end := boundaryBefore(s, limit)
	if end == len(s) || isBlank(s[end]) {
		return end
	}
	if at := strings.LastIndexAny(s[:end], " \n"); at > limit/2 {
		return at
	}
	return end
}

// wordAfter returns the start of the first whole word of s from the position
// on.
func wordAfter(s string, from int) int {
	start := boundaryAfter(s, from)
	if start == 0 || isBlank(s[start-1]) || s[start-1] == '\n' {
		return start
	}
	if at := strings.IndexAny(s[start:], " \n"); at >= 0 && at < (len(s)-start)/2 {
		return start + at + 1
	}
	return start
}
