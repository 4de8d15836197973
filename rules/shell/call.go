package shell

import (
	"path"
	"strings"
)

// A simple is one simple command as it stands in the source.
type simple struct {
	args   []string // its words without their quotes
	at     []int    // where each word begins in the source
	end    int      // where the last one ends
	keep   string   // redirects that belong to its text
	stdin  string   // here-document or what is piped in, as far as it is known
	writes bool     // redirected into a file
}

// A stage is what remains of a simple command in the text of its pipeline.
type stage struct {
	name string
	text string
	out  string // what it prints, as far as that stands in the command
}

// A walker takes one source apart. What it meets goes into line, which the
// walkers of command strings within it share.
type walker struct {
	src     string
	line    *line
	dir     string // where the next command runs
	strict  bool   // set -e
	joined  bool   // set -o pipefail
	depth   int    // command strings around this one
	nested  bool   // below a function, loop or substitution: no parts
	scratch bool   // only looks at words: substitutions are left alone
	funcs   map[string]bool
}

// maxDepth bounds command strings within command strings.
const maxDepth = 4

// call takes one simple command in. lost says that its exit code does not
// reach the end of the line.
func (w *walker) call(c *simple, lost bool) stage {
	st := step{lost: lost, dir: w.dir, reads: !c.writes, noise: !c.writes}
	if len(c.args) == 0 {
		w.line.steps = append(w.line.steps, st)
		return stage{text: c.keep}
	}
	u := unwrap(c.args)
	if u.script == "" && c.stdin != "" && shells[commandName(c.args[u.from])] && len(c.args) == u.from+1 {
		u.script = c.stdin
	}
	if u.script != "" && w.depth < maxDepth {
		return w.script(u.script, c, st)
	}
	args := c.args[u.from:]
	name := commandName(args[0])
	switch {
	case u.set && !cmdlet(args[0]) && !strings.Contains(name, "-") && len(args) == 1: // a plain value
	case w.funcs[name]:
	case w.state(name, args):
		st.reads = st.reads && !(name == "source" || name == ".") || sourced(args) && st.reads
	default:
		w.judge(&st, name, args, u.runner, c)
		st.whole = st.whole && !u.fed
	}
	w.line.steps = append(w.line.steps, st)
	return stage{name: name, text: w.textOf(c, u.shown, name), out: printed(name, args, c)}
}

// judge fills in what a command does that is neither a function of the line
// nor one that changes only the shell's own state.
func (w *walker) judge(st *step, name string, args []string, runner string, c *simple) {
	st.kind, st.dir = classify(name, args, runner)
	st.dir = joinDir(w.dir, st.dir)
	if st.git == "commit" || st.git == "pr" {
		st.title = title(args, c.stdin)
	}
	lookup := st.class == "" && reads(name, args, runner)
	st.reads = st.reads && lookup
	st.noise = st.noise && lookup && (noises[name] || len(args) == 1 && name == "date")
}

// script takes in a command string (`bash -c '…'`) in place of the command
// that runs it.
func (w *walker) script(src string, c *simple, st step) stage {
	if c.writes {
		st.reads, st.noise = false, false
		w.line.steps = append(w.line.steps, st)
	}
	sub := walker{src: src, line: &line{}, dir: w.dir, depth: w.depth + 1}
	if !sub.plain() && !sub.tree() {
		sub = walker{src: src, line: &line{}, dir: w.dir, depth: w.depth + 1}
		sub.words()
	}
	for _, s := range sub.line.steps {
		s.lost = s.lost || st.lost
		w.line.steps = append(w.line.steps, s)
	}
	text := sub.line.text(sub.line.verdict("").Class, src)
	return stage{text: join(text, c.keep)}
}

// state follows commands that change only the state of the shell and reports
// whether name is such a one.
func (w *walker) state(name string, args []string) bool {
	switch name {
	case "cd", "chdir", "pushd", "set-location", "push-location", "sl":
		w.dir = joinDir(w.dir, changed(args))
	case "set":
		for i, a := range args[1:] {
			if strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "e") {
				w.strict = true
			}
			if a == "pipefail" && i > 0 {
				w.joined = true
			}
		}
	default:
		return stateful[name]
	}
	return true
}

// changed returns the directory that a cd goes to, empty where the command
// does not say.
func changed(args []string) string {
	for _, a := range args[1:] {
		if a == "--" || strings.EqualFold(a, "/d") || strings.EqualFold(a, "-Path") || strings.EqualFold(a, "-LiteralPath") {
			continue
		}
		if strings.HasPrefix(a, "-") || strings.ContainsAny(a, "$`*\n") {
			return "?"
		}
		return a
	}
	return "~"
}

// joinDir returns the directory that to means, seen from the directory from.
// "?" stands for one that is not known and gives the empty string.
func joinDir(from, to string) string {
	switch {
	case to == "":
		return from
	case to == "?":
		return ""
	case from == "", absolute(to):
		return strings.TrimSpace(oneLine(to))
	case strings.Contains(from, `\`) && len(from) <= maxDir:
		return strings.TrimRight(from, `\/`) + `\` + to
	}
	if len(from) > maxDir {
		return ""
	}
	return path.Join(from, to)
}

// maxDir is the longest directory that is followed, in bytes.
const maxDir = 1024

func absolute(dir string) bool {
	return dir[0] == '/' || dir[0] == '~' || dir[0] == '\\' || len(dir) > 1 && dir[1] == ':'
}

// sourced reports whether a file that is read into the shell is one that only
// sets it up.
func sourced(args []string) bool {
	if len(args) < 2 {
		return true
	}
	base := strings.ToLower(args[1][strings.LastIndexAny(args[1], `/\`)+1:])
	return strings.HasPrefix(base, "activate") || strings.HasSuffix(base, "rc") || strings.HasSuffix(base, "env") ||
		strings.HasPrefix(base, ".env") || strings.HasSuffix(base, "profile") || base == "nvm.sh"
}

// printed returns what a command prints where it stands in the command itself.
func printed(name string, args []string, c *simple) string {
	switch name {
	case "cat":
		if len(args) == 1 || len(args) == 2 && args[1] == "-" {
			return c.stdin
		}
	case "echo", "printf":
		for len(args) > 1 && strings.HasPrefix(args[1], "-") {
			args = args[1:]
		}
		if name == "echo" {
			return strings.Join(args[1:], " ")
		}
		if len(args) == 3 && strings.HasPrefix(args[1], "%s") {
			return args[2]
		}
		if len(args) > 1 {
			return strings.ReplaceAll(args[1], `\n`, "\n")
		}
	}
	return ""
}

// textOf returns the source of a command from word number shown on, with the
// redirects that belong to it. The text of a here-document stays only where it
// is a program, not the content of a file.
func (w *walker) textOf(c *simple, shown int, name string) string {
	text := w.src[c.at[shown]:c.end]
	if name != "cat" && name != "tee" && !c.writes && strings.Contains(c.stdin, "\n") {
		return join(join(text, c.keep), c.stdin)
	}
	return join(text, c.keep)
}

// join puts a blank between two texts. What is longer than any subject does
// not grow.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	if len(a) > 16*maxSubject {
		return a
	}
	return a + " " + b
}

// pipeline takes the stages of one pipeline in as a part of the line, unless
// the walker is below the outermost list. from is its first step.
func (w *walker) pipeline(op string, stages []stage, from int) {
	if w.nested {
		return
	}
	for n := len(stages); n > 1 && filters[stages[n-1].name]; n-- {
		stages = stages[:n-1]
	}
	text := stages[0].text
	for _, s := range stages[1:] {
		if text += " | " + s.text; len(text) > 4*maxSubject {
			break
		}
	}
	w.line.parts = append(w.line.parts, part{op: op, text: text, from: from, to: len(w.line.steps)})
}
