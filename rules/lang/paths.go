package lang

import "strings"

// fileVerbs are the verbs after which prose names files.
var fileVerbs = set("edited", "modified", "created", "read", "wrote", "updated", "deleted", "removed", "renamed", "moved",
	"added")

// beforePaths are words that may stand between such a verb and a path.
var beforePaths = set("file", "files", "the", "a", "an", "new", "both", "following", "existing", "this", "these", "from")

// betweenPaths are words that may join two paths.
var betweenPaths = set("and", "to", "as", "&", "->", "→", "=>", "+", "plus", "into", "then")

// negations are words after which a verb tells of nothing done.
var negations = set("not", "never", "be", "without", "cannot")

// maxProsePaths bounds how many paths of one text are returned.
const maxProsePaths = 200

// ProsePaths returns the files that a text says were read or written, in
// order, without repeats; paths below the project's directory relative to it.
func ProsePaths(text, project string) []string {
	p := proseReader{lines: mdLines{text: text}, project: project}
	for len(p.found) < maxProsePaths {
		line, kind, ok := p.next()
		if !ok {
			break
		}
		if kind == proseLine {
			p.line(line)
		}
	}
	return p.found
}

// proseReader reads paths out of prose.
type proseReader struct {
	lines   mdLines
	project string
	found   []string

	peeked     string // a line that was read ahead
	peekedKind lineKind
	hasPeeked  bool
}

func (p *proseReader) next() (line string, kind lineKind, ok bool) {
	if p.hasPeeked {
		p.hasPeeked = false
		return p.peeked, p.peekedKind, true
	}
	return p.lines.next()
}

func (p *proseReader) back(line string, kind lineKind) {
	p.peeked, p.peekedKind, p.hasPeeked = line, kind, true
}

// line looks for verbs in a line and reads the paths after them.
func (p *proseReader) line(line string) {
	before := ""
	for i := 0; i < len(line); {
		if !wordByte(line[i]) {
			i++
			continue
		}
		end := i
		for end < len(line) && wordByte(line[end]) {
			end++
		}
		word := line[i:end]
		if n := len(word); n >= 4 && n <= 8 && isFileVerb(word) && separated(line, i, end) && !negated(before) {
			if p.afterVerb(line[end:]) {
				return
			}
		}
		before = word
		i = end
	}
}

// isFileVerb reports whether a word is one of fileVerbs, in any case.
func isFileVerb(word string) bool {
	switch word[len(word)-1] | 0x20 {
	case 'd', 'e':
		return fileVerbs[strings.ToLower(word)]
	}
	return false
}

// separated reports whether the word at [start, end) stands by itself and not
// in a path or a name.
func separated(line string, start, end int) bool {
	if start > 0 && strings.IndexByte("/.-_`\\@#", line[start-1]) >= 0 {
		return start > 1 && line[start-1] == '_' && !wordByte(line[start-2])
	}
	return end == len(line) || strings.IndexByte("/-_.`=(", line[end]) < 0
}

// negated reports whether the word before a verb says that it was not done.
func negated(before string) bool {
	before = strings.ToLower(before)
	return negations[before] || before == "t" // "didn't"
}

// afterVerb reads the paths that follow a verb and reports whether the list
// went on over the following lines, so that the rest of the line is read.
func (p *proseReader) afterVerb(rest string) bool {
	for {
		trimmed := strings.TrimLeft(rest, " \t*")
		if trimmed == "" || trimmed == ":" || trimmed == ":**" {
			return p.bullets()
		}
		if trimmed[0] == ':' {
			trimmed = strings.TrimLeft(trimmed[1:], " \t*")
		}
		word, after := asWord(trimmed)
		if !beforePaths[strings.ToLower(strings.Trim(word, "*"))] {
			p.list(trimmed)
			return false
		}
		rest = after
	}
}

// list reads paths joined with commas and words, until something else comes.
func (p *proseReader) list(s string) {
	for range maxProsePaths {
		name, rest, ok := pathAt(s)
		if !ok {
			return
		}
		p.add(name)
		s = strings.TrimLeft(rest, " \t")
		if rest == "" || rest[0] != ' ' && rest[0] != ',' && rest[0] != '\t' {
			return
		}
		joined := false
		if s != "" && s[0] == ',' {
			joined = true
			s = strings.TrimLeft(s[1:], " \t")
		}
		if word, after := asWord(s); betweenPaths[strings.ToLower(word)] {
			joined = true
			s = strings.TrimLeft(after, " \t")
		}
		if !joined {
			return
		}
		if word, after := asWord(s); beforePaths[word] {
			s = strings.TrimLeft(after, " \t")
		}
	}
}

// bullets reads a list of bullets that begin with a path each. It reports true:
// the line with the verb is done.
func (p *proseReader) bullets() bool {
	level := -1
	for len(p.found) < maxProsePaths {
		line, kind, ok := p.next()
		if !ok {
			return true
		}
		if kind == blankLine {
			continue
		}
		column, at := indent(line)
		width := bulletWidth(line[at:])
		if kind == indentLine || kind == proseLine && level >= 0 && column > level {
			continue // what a bullet says of its path
		}
		name, _, isName := pathAt(strings.TrimLeft(line[at+width:], "* "))
		if kind != proseLine || width == 0 && level >= 0 || !isName {
			p.back(line, kind)
			return true
		}
		level = column
		p.add(name)
		if width == 0 {
			p.list(line[at:])
			return true
		}
	}
	return true
}

// add notes a path once.
func (p *proseReader) add(name string) {
	name = Relative(name, p.project)
	for _, known := range p.found {
		if known == name {
			return
		}
	}
	p.found = append(p.found, name)
}

// pathAt reads the path that begins s: bare, in quotes, in back-ticks, bold or
// as a link.
func pathAt(s string) (name, rest string, ok bool) {
	s = strings.TrimLeft(s, "*_")
	if s == "" {
		return "", "", false
	}
	switch s[0] {
	case '[':
		if label, size := link(s); size > 0 {
			name = strings.Trim(label, "`")
			if to := withoutPlace(target(s)); isRooted(to) && isPath(to, false) {
				name = to
			}
			return name, s[size:], isPath(withoutPlace(name), false)
		}
	case '`', '"', '\'':
		end := strings.IndexByte(s[1:], s[0])
		if end < 0 {
			return "", "", false
		}
		name = withoutPlace(s[1 : 1+end])
		return name, strings.TrimLeft(s[end+2:], "*_"), isPath(name, true)
	}
	end := strings.IndexAny(s, " \t,;\"`")
	if end < 0 {
		end = len(s)
	}
	name = strings.TrimRight(s[:end], ".,:;!?*'_")
	if strings.HasSuffix(name, ")") && !strings.Contains(name, "(") {
		name = strings.TrimRight(name, ")")
	}
	rest = s[end:]
	if len(name) < end && strings.ContainsAny(s[len(name):end], ".!?") {
		rest = ""
	}
	name = withoutPlace(name)
	if route(name, rest) {
		return "", "", false
	}
	return name, rest, isPath(name, false)
}

// route reports whether a path is rather an address, by the word behind it.
func route(name, rest string) bool {
	if !strings.HasPrefix(name, "/") || hasEnding(name[strings.LastIndexByte(name, '/')+1:]) {
		return false
	}
	word, _ := asWord(strings.TrimLeft(rest, " "))
	switch strings.TrimRight(strings.ToLower(word), ".s") {
	case "endpoint", "route", "page", "command", "api", "url", "handler", "request", "call", "view", "path":
		return true
	}
	return false
}

// withoutPlace cuts a line number off a path: ":12", ":12:5", ":12-20", "#L9".
func withoutPlace(s string) string {
	if at := strings.LastIndex(s, "#L"); at > 0 {
		s = s[:at]
	}
	for {
		at := strings.LastIndexByte(s, ':')
		if at < 2 || at == len(s)-1 || strings.Trim(s[at+1:], "0123456789-") != "" {
			return s
		}
		s = s[:at]
	}
}
