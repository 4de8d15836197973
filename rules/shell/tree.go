package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The parser and the walk are recursive: brackets within brackets and compound
// commands within compound commands are bounded.
const (
	maxNesting  = 200
	maxCompound = 2000
)

// tree takes the source apart as shell and reports whether it is shell.
func (w *walker) tree() bool {
	if nestsDeep(w.src) {
		return false
	}
	file, err := syntax.NewParser().Parse(strings.NewReader(w.src), "")
	if err != nil {
		return false
	}
	w.stmts(file.Stmts, "", false)
	return true
}

// nestsDeep reports whether the source may nest deeper than is parsed.
func nestsDeep(src string) bool {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '(', c == '{', c == '[' && i > 0 && src[i-1] == '$':
			if depth++; depth > maxNesting {
				return true
			}
		case c == ')', c == '}':
			depth = max(0, depth-1)
		}
	}
	if len(src) < maxCompound {
		return false
	}
	n := strings.Count(src, "`")
	for _, word := range [...]string{"if", "while", "until", "for", "case", "time", "coproc", "select"} {
		n += strings.Count(src, word)
	}
	return n > maxCompound
}

// stmts walks a list. op is the operator before its first statement.
func (w *walker) stmts(list []*syntax.Stmt, op string, lost bool) {
	all := len(list) > 1 && passesOn(list[len(list)-1])
	for i, st := range list {
		if i > 0 {
			op = ";"
		}
		w.stmt(st, op, lost || i < len(list)-1 && !w.strict && !all)
	}
}

// passesOn reports whether a statement hands an earlier exit code on: exit $?.
func passesOn(st *syntax.Stmt) bool {
	call, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 2 || call.Args[0].Lit() != "exit" || len(call.Args[1].Parts) != 1 {
		return false
	}
	switch p := call.Args[1].Parts[0].(type) {
	case *syntax.ParamExp:
		return true
	case *syntax.DblQuoted:
		return len(p.Parts) == 1
	}
	return false
}

// fails reports whether a statement ends the line with an error of its own.
func fails(st *syntax.Stmt) bool {
	switch cmd := st.Cmd.(type) {
	case *syntax.CallExpr:
		name := ""
		if len(cmd.Args) > 0 {
			name = cmd.Args[0].Lit()
		}
		return (name == "exit" || name == "return") && (len(cmd.Args) == 1 || cmd.Args[1].Lit() != "0") || name == "false"
	case *syntax.Block:
		return fails(cmd.Stmts[len(cmd.Stmts)-1])
	case *syntax.Subshell:
		return len(cmd.Stmts) > 0 && fails(cmd.Stmts[len(cmd.Stmts)-1])
	}
	return false
}

func (w *walker) stmt(st *syntax.Stmt, op string, lost bool) {
	lost = lost || st.Negated || st.Background
	from := len(w.line.steps)
	switch cmd := st.Cmd.(type) {
	case *syntax.BinaryCmd:
		switch cmd.Op {
		case syntax.AndStmt:
			w.stmt(cmd.X, op, lost)
			w.stmt(cmd.Y, "&&", lost)
		case syntax.OrStmt:
			w.stmt(cmd.X, op, lost || !fails(cmd.Y))
			w.stmt(cmd.Y, "||", lost)
		default:
			w.pipeline(op, w.pipe(st, lost, nil), from)
			return
		}
	case *syntax.Subshell:
		dir, strict, joined := w.dir, w.strict, w.joined
		w.stmts(cmd.Stmts, op, lost)
		w.dir, w.strict, w.joined = dir, strict, joined
	case *syntax.Block:
		w.stmts(cmd.Stmts, op, lost)
	case *syntax.TimeClause:
		if cmd.Stmt != nil {
			w.stmt(cmd.Stmt, op, lost)
		}
	default:
		w.pipeline(op, []stage{w.stage(st, lost, "")}, from)
		return
	}
	c := simple{}
	w.redirects(st, &c)
	if c.writes {
		w.line.steps = append(w.line.steps, step{lost: lost, dir: w.dir})
		w.pipeline(";", []stage{{text: ""}}, len(w.line.steps)-1)
	}
}

// pipe walks the stages of a pipeline, whose tree leans to the left.
func (w *walker) pipe(st *syntax.Stmt, lost bool, into []stage) []stage {
	cmd, ok := st.Cmd.(*syntax.BinaryCmd)
	if !ok || cmd.Op != syntax.Pipe && cmd.Op != syntax.PipeAll {
		out := ""
		if len(into) > 0 {
			out = into[len(into)-1].out
		}
		return append(into, w.stage(st, lost, out))
	}
	into = w.pipe(cmd.X, lost || !w.joined, into)
	return w.pipe(cmd.Y, lost, into)
}

// stage walks one stage of a pipeline. input is what the stage before prints.
func (w *walker) stage(st *syntax.Stmt, lost bool, input string) stage {
	c := simple{stdin: input}
	w.redirects(st, &c)
	call, ok := st.Cmd.(*syntax.CallExpr)
	if ok {
		for _, a := range call.Assigns {
			w.inner(a, lost || len(call.Args) > 0)
		}
		c.args = make([]string, 0, len(call.Args))
		c.at = make([]int, 0, len(call.Args))
		for _, word := range call.Args {
			c.args = append(c.args, w.text(word))
			c.at = append(c.at, int(word.Pos().Offset()))
		}
		c.end = int(call.End().Offset())
		return w.call(&c, lost || st.Negated || st.Background)
	}
	if c.writes {
		w.line.steps = append(w.line.steps, step{lost: lost, dir: w.dir})
	}
	if st.Cmd == nil {
		return w.call(&c, lost)
	}
	outer := w.nested
	w.nested = true
	w.compound(st.Cmd, lost)
	w.nested = outer
	return stage{text: join(w.slice(st.Cmd), c.keep)}
}

// compound walks a command that is neither simple nor a list.
func (w *walker) compound(cmd syntax.Command, lost bool) {
	switch cmd := cmd.(type) {
	case *syntax.Subshell, *syntax.Block, *syntax.BinaryCmd, *syntax.TimeClause:
		dir := w.dir
		w.stmt(&syntax.Stmt{Cmd: cmd}, "", lost)
		w.dir = dir
	case *syntax.IfClause:
		for c := cmd; c != nil; c = c.Else {
			w.stmts(c.Cond, "", true)
			w.stmts(c.Then, "", lost)
		}
	case *syntax.WhileClause:
		w.stmts(cmd.Cond, "", true)
		w.stmts(cmd.Do, "", true)
	case *syntax.ForClause:
		w.inner(cmd.Loop, true)
		w.stmts(cmd.Do, "", true)
	case *syntax.CaseClause:
		w.inner(cmd.Word, true)
		for _, item := range cmd.Items {
			w.stmts(item.Stmts, "", lost)
		}
	case *syntax.FuncDecl:
		if w.funcs == nil {
			w.funcs = map[string]bool{}
		}
		if cmd.Name != nil {
			w.funcs[strings.ToLower(cmd.Name.Value)] = true
		}
		w.stmt(cmd.Body, "", true)
	case *syntax.CoprocClause:
		w.stmt(cmd.Stmt, "", true)
	default: // tests, arithmetic, declarations
		w.inner(cmd, true)
		w.line.steps = append(w.line.steps, step{reads: true, noise: true, lost: lost, dir: w.dir})
	}
}
