package shell

import "strings"

// words takes the source apart as well as can be where it is no shell: quotes,
// separators, here-documents and the here-strings of PowerShell are known,
// nothing else.
func (w *walker) words() {
	r := looseReader{src: w.src, chains: []chain{{}}}
	r.read()
	w.run(r.chains)
}

// looseReader splits text into commands.
type looseReader struct {
	src    string
	i      int
	chains []chain
	cur    simple
	marks  []string // here-documents whose text begins at the next line
	target bool     // the next word is the target of a redirect
}

func (r *looseReader) read() {
	for r.i < len(r.src) {
		switch c := r.src[r.i]; c {
		case ' ', '\t', '\r':
			r.i++
		case '\n':
			r.i++
			r.documents()
			r.end(";")
		case '#':
			r.i = lineEnd(r.src, r.i)
		case ';', '{', '}', '(':
			r.i++
			r.end(";")
		case ')':
			r.i++
			r.end(";")
			for r.i < len(r.src) && strings.IndexByte(" \t\r\n;|&)}", r.src[r.i]) < 0 {
				r.i++ // a property of what stood in the brackets
			}
		case '&', '|':
			r.operator()
		case '<', '>':
			r.redirect()
		default:
			r.word()
		}
	}
	r.end(";")
	if last := len(r.chains) - 1; last > 0 && len(r.chains[last].stages) == 0 {
		r.chains = r.chains[:last]
	}
	if len(r.chains[0].stages) == 0 {
		r.chains = nil
	}
}

// end ends a command and, but after "|", its chain.
func (r *looseReader) end(op string) {
	last := &r.chains[len(r.chains)-1]
	if len(r.cur.args) > 0 {
		last.stages = append(last.stages, r.cur)
	}
	r.cur, r.target = simple{}, false
	if op == "|" {
		return
	}
	if len(last.stages) > 0 {
		r.chains = append(r.chains, chain{op: op})
	} else if last.op != "" {
		last.op = op
	}
}

func (r *looseReader) operator() {
	rest := r.src[r.i:]
	switch {
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		r.i += 2
		r.end(rest[:2])
	case rest[0] == '|':
		r.i++
		r.end("|")
	default:
		r.i++
		r.end(";")
	}
}

// redirect takes in `<`, `>`, `2>&1` and the beginning of a here-document.
func (r *looseReader) redirect() {
	rest := r.src[r.i:]
	switch {
	case strings.HasPrefix(rest, "<<") && !strings.HasPrefix(rest, "<<<"):
		mark := strings.TrimLeft(rest[2:], "- \t\\")
		if n := strings.IndexAny(mark, " \t\r\n;|&<>)"); n >= 0 {
			mark = mark[:n]
		}
		r.i += strings.Index(rest, mark) + len(mark)
		if mark = strings.Trim(mark, `'"`); mark != "" {
			r.marks = append(r.marks, mark)
		}
	case strings.HasPrefix(rest, ">&"):
		r.i += 2
		for r.i < len(r.src) && r.src[r.i] >= '0' && r.src[r.i] <= '9' {
			r.i++
		}
	case rest[0] == '>':
		r.i++
		r.target = true
	default:
		r.i++
	}
}

// documents passes over the here-documents that were announced.
func (r *looseReader) documents() {
	for _, mark := range r.marks {
		from := r.i
		for r.i < len(r.src) {
			end := lineEnd(r.src, r.i)
			line := strings.TrimSpace(r.src[r.i:end])
			text := r.src[from:r.i]
			r.i = min(end+1, len(r.src))
			if line == mark {
				r.cur.stdin = text
				break
			}
		}
	}
	r.marks = nil
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// word reads one word.
func (r *looseReader) word() {
	begin := r.i
	var b strings.Builder
	for r.i < len(r.src) && strings.IndexByte(" \t\r\n;|&<>(){}", r.src[r.i]) < 0 {
		c := r.src[r.i]
		if c == '@' && r.i+2 < len(r.src) && (r.src[r.i+1] == '\'' || r.src[r.i+1] == '"') && strings.IndexByte("\r\n", r.src[r.i+2]) >= 0 {
			r.hereString(&b)
			continue
		}
		r.i++
		if c != '\'' && c != '"' {
			b.WriteByte(c)
			continue
		}
		n := closing(r.src[r.i:], c)
		b.WriteString(r.src[r.i : r.i+n])
		r.i = min(r.i+n+1, len(r.src))
	}
	word := b.String()
	if r.i < len(r.src) && r.src[r.i] == '>' && len(word) == 1 && word[0] >= '0' && word[0] <= '9' {
		return // the number of a redirect
	}
	if r.target {
		r.target = false
		r.cur.writes = r.cur.writes || !silent(word, false)
		return
	}
	if len(r.cur.args) == 0 && assignment(r.src[begin:r.i]) {
		return
	}
	r.cur.args, r.cur.at, r.cur.end = append(r.cur.args, word), append(r.cur.at, begin), r.i
}

// closing returns where the quote q ends that begins before s.
func closing(s string, q byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && q == '"' {
			i++
		} else if s[i] == q {
			return i
		}
	}
	return len(s)
}

// hereString reads @' … '@.
func (r *looseReader) hereString(b *strings.Builder) {
	rest := r.src[r.i+2:]
	mark := "\n" + r.src[r.i+1:r.i+2] + "@"
	n := strings.Index(rest, mark)
	if n < 0 {
		n = len(rest)
	}
	b.WriteString(strings.TrimSpace(rest[:n]))
	r.i = min(r.i+2+n+len(mark), len(r.src))
}
