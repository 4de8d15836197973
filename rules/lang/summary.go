package lang

import "strings"

// block is one section of a compaction summary: its heading and its lines.
type block struct {
	title title
	lines []string
}

// maxBlocks and maxBlockLines bound what is read of a summary.
const (
	maxBlocks     = 200
	maxBlockLines = 400
)

// summaryBody cuts off a compaction summary what stands around it: the agent's
// preface, its analysis, the tags, the instructions after it.
func summaryBody(s string) string {
	if at := strings.LastIndex(s, "</analysis>"); at >= 0 {
		s = s[at+len("</analysis>"):]
	} else if strings.HasPrefix(strings.TrimSpace(s), "<analysis>") {
		if at := strings.Index(s, "<summary>"); at >= 0 {
			s = s[at:]
		}
	}
	if at := strings.Index(s, "<summary>"); at >= 0 {
		s = s[at+len("<summary>"):]
		if end := strings.LastIndex(s, "</summary>"); end >= 0 {
			s = s[:end]
		}
	} else if at := strings.Index(s, "\nAnalysis:"); at >= 0 {
		if end := strings.Index(s[at:], "\nSummary:"); end >= 0 {
			s = s[at+end+len("\nSummary:"):]
		}
	} else if at := strings.Index(s, "\nSummary:\n"); at >= 0 {
		s = s[at+len("\nSummary:"):]
	}
	for _, end := range []string{"\nIf you need specific details from before compaction", "\nPlease continue the conversation from where",
		"\nContinue the conversation from where"} {
		if at := strings.LastIndex(s, end); at >= 0 {
			s = s[:at]
		}
	}
	return s
}

// reader splits a summary into blocks.
type summaryReader struct {
	blocks []block
	level  int    // of the Markdown heading of the present block, 0 for any other
	number int    // of the last numbered title
	tag    string // XML element that is open and known
}

// summaryBlocks returns the sections of a summary in order. What stands before
// the first heading comes as a block without a title.
func summaryBlocks(summary string) []block {
	r := summaryReader{blocks: []block{{}}}
	lines := mdLines{text: summaryBody(valid(summary))}
	fenced := fence{} // mdLines would take deep lists for code
	for len(r.blocks) < maxBlocks {
		line, _, ok := lines.next()
		if !ok {
			break
		}
		bare := strings.TrimSpace(line)
		if fenced.size > 0 {
			if fenced.closes(bare) {
				fenced = fence{}
			}
			continue
		}
		if f, opens := opensFence(bare); opens {
			fenced = f
			continue
		}
		if !r.heading(line, bare) {
			r.add(line)
		}
	}
	return r.blocks
}

// add appends a line to the present block.
func (r *summaryReader) add(line string) {
	last := &r.blocks[len(r.blocks)-1]
	if len(last.lines) < maxBlockLines && (line != "" || len(last.lines) > 0) {
		last.lines = append(last.lines, line)
	}
}

// open begins a new block; rest is what stands behind its heading.
func (r *summaryReader) open(t title, level int, rest string) {
	r.blocks = append(r.blocks, block{title: t})
	r.level = level
	if rest = strings.TrimSpace(rest); rest != "" {
		r.add(rest)
	}
}

// heading reads a line that may be a heading and reports whether it is.
func (r *summaryReader) heading(line, bare string) bool {
	if bare == "" {
		return false
	}
	if text, level := headingText(bare); level > 0 {
		r.markdown(text, level)
		return true
	}
	switch bare[0] {
	case '<':
		return r.element(bare)
	case '*', '_':
		return r.bold(line, bare)
	}
	column, _ := indent(line)
	if column > 3 {
		return false
	}
	if n := bulletWidth(bare); n > 0 && '0' <= bare[0] && bare[0] <= '9' {
		return r.numbered(bare, n)
	}
	// "Key Decisions:" on a line of its own.
	if t, ok := knownTitle(bare); ok && strings.HasSuffix(bare, ":") {
		r.open(t, 0, "")
		return true
	}
	return false
}

// markdown takes a Markdown heading. An unknown one below a known one belongs
// to its section.
func (r *summaryReader) markdown(text string, level int) {
	t, ok := knownTitle(text)
	if !ok && r.level > 0 && level > r.level {
		return
	}
	r.open(t, level, "")
}

// bold takes a line that is bold as a whole, or begins with a bold title that
// is known and ends in a colon.
func (r *summaryReader) bold(line, bare string) bool {
	if bulletWidth(bare) > 0 {
		return false
	}
	mark := bare[:min(2, len(bare))]
	if mark != "**" && mark != "__" {
		return false
	}
	text, rest, ok := strings.Cut(bare[2:], mark)
	if !ok {
		return false
	}
	rest = strings.TrimSpace(rest)
	colon := strings.HasSuffix(strings.TrimSpace(text), ":") || strings.HasPrefix(rest, ":")
	rest = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	t, isKnown := knownTitle(text)
	switch {
	case isKnown && (rest == "" || colon):
		r.open(t, 0, rest)
	case rest == "" && r.level == 0 && len(line)-len(strings.TrimLeft(line, " ")) < 2 && len(text) <= longestTitle:
		r.open(title{}, 0, "")
	default:
		return false
	}
	return true
}

// numbered takes a title with a number: one that is known, or the next one
// after such a title if it ends in a colon.
func (r *summaryReader) numbered(bare string, width int) bool {
	number := 0
	for i := 0; '0' <= bare[i] && bare[i] <= '9'; i++ {
		number = number*10 + int(bare[i]-'0')
	}
	text, rest := bare[width:], ""
	if mark := "**"; strings.HasPrefix(text, mark) {
		inner, after, ok := strings.Cut(text[2:], mark)
		if ok {
			text, rest = inner, after
		}
	}
	head, after, colon := strings.Cut(text, ":")
	if colon {
		text, rest = head, after+rest
	} else {
		colon = strings.HasPrefix(rest, ":")
	}
	rest = strings.TrimPrefix(strings.TrimSpace(rest), ":")
	t, ok := knownTitle(text)
	if !ok && (r.number == 0 || number != r.number+1 || !colon || strings.TrimSpace(rest) != "") {
		return false
	}
	if ok && !colon && rest != "" {
		return false
	}
	if !ok && r.level > 0 {
		return false
	}
	r.number = number
	r.open(t, 0, rest)
	return true
}

// element takes an XML element whose name is a known title.
func (r *summaryReader) element(bare string) bool {
	end := strings.IndexByte(bare, '>')
	if end < 2 {
		return false
	}
	name := strings.TrimPrefix(bare[1:end], "/")
	if bare[1] == '/' {
		if name == r.tag {
			r.tag = ""
			r.open(title{}, 0, bare[end+1:])
			return true
		}
		return lonelyTag(bare)
	}
	t, ok := knownTitle(name)
	if !ok {
		return lonelyTag(bare)
	}
	rest, closed := strings.CutSuffix(bare[end+1:], "</"+name+">")
	r.open(t, 0, rest)
	if closed {
		r.open(title{}, 0, "")
	} else {
		r.tag = name
	}
	return true
}
