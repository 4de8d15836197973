package shell

import "strings"

// reserved words and commands begin what only the parser understands.
var reserved = set("if then elif else fi for while until do done case esac in function select time coproc ! [[ ]] let declare local export readonly typeset nameref set")

// plainByte says of every byte whether it may stand outside quotes in a line
// that is taken apart without the parser.
var plainByte = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
	}
	for _, c := range "_-./,:=@%+^~?*" {
		t[c] = true
	}
	return t
}()

// quiet are the redirects of a plain line.
var quiet = [...]string{"2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null", "1>&2", ">&2"}

// A chain is one pipeline of a line that is taken apart without the parser.
type chain struct {
	op     string // "", "&&", "||" or ";"
	stages []simple
	lost   bool // its exit code does not reach the end of the line
}

// plain takes the source apart where it is but words, quotes without
// expansions, the operators && || | ; and the redirects in quiet. It reports
// false, and has done nothing, where there is more to it. Its answer is the
// one that tree would give.
func (w *walker) plain() bool {
	if len(w.src) > 1024 {
		return false
	}
	chains, ok := plainChains(w.src)
	if ok {
		w.run(chains)
	}
	return ok
}

// run takes the chains in.
func (w *walker) run(chains []chain) {
	markLost(chains)
	for i := range chains {
		c := &chains[i]
		from := len(w.line.steps)
		stages := make([]stage, 0, 4)
		for n := range c.stages {
			s := &c.stages[n]
			if n > 0 && s.stdin == "" {
				s.stdin = stages[n-1].out
			}
			stages = append(stages, w.call(s, c.lost || n < len(c.stages)-1))
		}
		w.pipeline(c.op, stages, from)
	}
}

// markLost marks the chains whose exit code does not reach the end of the
// line.
func markLost(chains []chain) {
	lost := false
	for i := len(chains) - 1; i >= 0; i-- {
		chains[i].lost = lost
		lost = lost || chains[i].op == ";" || chains[i].op == "||" && !chains[i].fails()
	}
}

func (c *chain) fails() bool {
	if len(c.stages) != 1 || len(c.stages[0].args) == 0 {
		return false
	}
	args := c.stages[0].args
	return args[0] == "false" || (args[0] == "exit" || args[0] == "return") && (len(args) == 1 || args[1] != "0")
}

// plainChains reads a plain line.
func plainChains(src string) ([]chain, bool) {
	chains := append(make([]chain, 0, 4), chain{stages: make([]simple, 0, 2)})
	cur, set := simple{}, false // set: variable settings stand before the command
	end := func() bool {
		if len(cur.args) == 0 && !set {
			return false
		}
		last := &chains[len(chains)-1]
		last.stages = append(last.stages, cur)
		cur, set = simple{}, false
		return true
	}
	for i := 0; i < len(src); {
		switch src[i] {
		case ' ', '\t':
			i++
			continue
		case ';', '&', '|':
			op := operator(src[i:])
			if op == "" || !end() {
				return nil, false
			}
			i += len(op)
			if op != "|" {
				if op == ";" && strings.TrimSpace(src[i:]) == "" {
					return chains, true
				}
				chains = append(chains, chain{op: op})
			}
			continue
		}
		if n := quietAt(src[i:]); n > 0 {
			i += n
			continue
		}
		word, next := plainWord(src, i)
		switch {
		case next < 0, len(cur.args) == 0 && (reserved[word] || strings.Contains(src[i:next], "+=")):
			return nil, false
		case len(cur.args) == 0 && assignment(src[i:next]):
			set = true
		default:
			if cur.args == nil {
				cur.args, cur.at = make([]string, 0, 8), make([]int, 0, 8)
			}
			cur.args, cur.at, cur.end = append(cur.args, word), append(cur.at, i), next
		}
		i = next
	}
	return chains, end()
}

// operator returns the operator at the beginning of s, empty for those that a
// plain line does not have.
func operator(s string) string {
	switch {
	case strings.HasPrefix(s, "&&"), strings.HasPrefix(s, "||"):
		return s[:2]
	case s[0] == '&', strings.HasPrefix(s, "|&"), strings.HasPrefix(s, ";;"), strings.HasPrefix(s, ";&"):
		return ""
	}
	return s[:1]
}

// quietAt returns the length of the redirect at the beginning of s, 0 without one.
func quietAt(s string) int {
	if s[0] != '>' && (len(s) < 2 || s[1] != '>') {
		return 0
	}
	for _, q := range quiet {
		if strings.HasPrefix(s, q) && (len(s) == len(q) || strings.IndexByte(" \t;|", s[len(q)]) >= 0) {
			return len(q)
		}
	}
	return 0
}

// plainWord reads the word at src[i:]: its text without quotes and where it
// ends, -1 where it is not plain.
func plainWord(src string, i int) (string, int) {
	var b []byte
	begin, from, quoted := i, i, false
	for i < len(src) && strings.IndexByte(" \t;|&", src[i]) < 0 {
		switch c := src[i]; {
		case c == '\'' || c == '"':
			n := strings.IndexByte(src[i+1:], c)
			if n < 0 {
				return "", -1
			}
			inner := src[i+1 : i+1+n]
			if strings.IndexByte(inner, '\n') >= 0 || c == '"' && strings.ContainsAny(inner, "$`\\") {
				return "", -1
			}
			b = append(append(b, src[from:i]...), inner...)
			i += n + 2
			from, quoted = i, true
		case plainByte[c]:
			i++
		default:
			return "", -1
		}
	}
	if !quoted {
		return src[begin:i], i
	}
	return string(append(b, src[from:i]...)), i
}
