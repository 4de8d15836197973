package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// slice returns the source of a node.
func (w *walker) slice(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(w.src) || from > to {
		return ""
	}
	return w.src[from:to]
}

// inner walks the commands substituted anywhere within a node.
func (w *walker) inner(n syntax.Node, lost bool) {
	if w.scratch {
		return
	}
	outer := w.nested
	w.nested = true
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.substituted(n.Stmts, lost)
			return false
		case *syntax.ProcSubst:
			w.substituted(n.Stmts, true)
			return false
		}
		return true
	})
	w.nested = outer
}

func (w *walker) substituted(list []*syntax.Stmt, lost bool) {
	dir, strict, joined := w.dir, w.strict, w.joined
	w.stmts(list, "", lost)
	w.dir, w.strict, w.joined = dir, strict, joined
}

// text returns a word without its quotes. Variables and substitutions stay as
// they stand, but for those that only print a text of the line itself:
// "$(cat <<'EOF' …)".
func (w *walker) text(word *syntax.Word) string {
	if word == nil {
		return ""
	}
	if len(word.Parts) == 1 {
		if lit, ok := word.Parts[0].(*syntax.Lit); ok {
			return unescape(lit.Value, false)
		}
	}
	var b strings.Builder
	w.parts(&b, word.Parts, false)
	return b.String()
}

func (w *walker) parts(b *strings.Builder, parts []syntax.WordPart, quoted bool) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, quoted))
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(strings.ReplaceAll(p.Value, `\n`, "\n"))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			w.parts(b, p.Parts, true)
		case *syntax.CmdSubst:
			w.inner(p, true)
			if out, ok := w.output(p.Stmts); ok && !w.scratch {
				b.WriteString(out)
			} else {
				b.WriteString(w.slice(p))
			}
		default:
			w.inner(p, true)
			b.WriteString(w.slice(p))
		}
	}
}

// output returns what a substitution prints where the line itself says so.
func (w *walker) output(list []*syntax.Stmt) (string, bool) {
	if len(list) != 1 || w.scratch {
		return "", false
	}
	call, ok := list[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Args) > 4 {
		return "", false
	}
	scratch := walker{src: w.src, line: &line{}, nested: true, scratch: true, depth: maxDepth}
	st := scratch.stage(list[0], true, "")
	return st.out, st.out != ""
}

// redirects takes in where a statement reads from and writes to.
func (w *walker) redirects(st *syntax.Stmt, c *simple) {
	for _, r := range st.Redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				w.inner(r.Hdoc, true)
				c.stdin = document(w.slice(r.Hdoc), w.text(r.Word))
			}
			continue
		case syntax.WordHdoc:
			c.stdin = w.text(r.Word)
			c.keep = join(c.keep, w.slice(r))
			continue
		case syntax.RdrIn, syntax.DplIn:
			w.inner(r.Word, true)
			if r.Op == syntax.RdrIn {
				c.keep = join(c.keep, w.slice(r))
			}
			continue
		}
		if target := w.text(r.Word); !silent(target, r.Op == syntax.DplOut) {
			c.writes = true
			c.keep = join(c.keep, w.slice(r))
		}
	}
}

// document returns the text of a here-document without its end mark.
func document(text, mark string) string {
	text = strings.TrimRight(text, " \t\n")
	if rest, ok := strings.CutSuffix(text, "\n"+mark); ok {
		text = rest
	}
	return text + "\n"
}

// silent reports whether what is written to target stays in no file.
func silent(target string, duplicate bool) bool {
	switch strings.ToLower(target) {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "nul", "$null":
		return true
	}
	if duplicate || strings.HasPrefix(target, "&") {
		return strings.Trim(target, "&-0123456789") == ""
	}
	return strings.HasPrefix(target, ">(")
}

// unescape removes the backslashes of the shell. Those of a Windows path stay.
func unescape(s string, quoted bool) string {
	if strings.IndexByte(s, '\\') < 0 || len(s) > 2 && s[1] == ':' && s[2] == '\\' || strings.HasPrefix(s, `.\`) || strings.HasPrefix(s, `..\`) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			next := s[i+1]
			switch {
			case next == '\n':
				i++
				continue
			case !quoted || strings.IndexByte("$`\"\\", next) >= 0:
				i++
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}
