package agents

import "strings"

// scriptCall is a call of a tool that a script makes.
type scriptCall struct {
	tool string
	arg  literal
}

// scriptCallsMax bounds the calls of one script.
const scriptCallsMax = 16

// scriptCalls finds the calls of tools in a script, in the order they stand in it.
func scriptCalls(src string) []scriptCall {
	s := scriptScanner{src: src, vars: map[string]literal{}}
	var calls []scriptCall
	last := byte(0) // the last byte before the present one that means something
	for len(calls) < scriptCallsMax {
		s.blank()
		if s.done() {
			break
		}
		c := s.peek()
		switch {
		case c == '"' || c == '\'':
			s.quoted()
			last = '"'
		case c == '`':
			s.template(false)
			last = '"'
		case c == '/' && beforeRegexp(last):
			s.regexp()
			last = '"'
		case scriptWordByte(c):
			last = 'a'
			if call, ok := s.statement(s.word()); ok {
				calls = append(calls, call)
			}
		default:
			s.at++
			last = c
		}
	}
	return calls
}

// statement looks at what follows a word: a call of a tool, a variable that
// is set.
func (s *scriptScanner) statement(word string) (scriptCall, bool) {
	tool, isTool := strings.CutPrefix(word, "tools.")
	if word == "tools" && s.peek() == '[' {
		s.at++
		name := s.value()
		if s.peek() == ']' {
			s.at++
		}
		tool, isTool = name.text, name.kind == literalText && !name.loose
	}
	start := s.at
	s.blank()
	switch {
	case isTool && s.peek() == '(':
		s.at++
		// The argument may hold calls of its own only in functions; the
		// scanner goes on after it.
		return scriptCall{tool: headOf(tool, 120), arg: s.value()}, true
	case !isTool && s.peek() == '=' && !strings.HasPrefix(s.src[s.at:], "==") && !strings.HasPrefix(s.src[s.at:], "=>"):
		s.at++
		s.assigned(word)
	default:
		s.at = start
	}
	return scriptCall{}, false
}

// assigned remembers a variable that is set to a literal. What else it is set
// to is left to the scanner: it may call tools.
func (s *scriptScanner) assigned(name string) {
	s.blank()
	start := s.at
	switch s.peek() {
	case '"', '\'', '`', '[', '{', '(', 'S':
	default:
		return
	}
	v := s.value()
	if strings.Contains(s.src[start:s.at], "tools.") && v.kind != literalText {
		s.at = start // such as [tools.a(…), tools.b(…)]
		if s.at < len(s.src) {
			s.at++
		}
		return
	}
	if v.kind != literalUnknown && len(s.vars) < 100 {
		s.vars[name] = v
	}
}

func beforeRegexp(last byte) bool {
	return last == 0 || strings.IndexByte("(,=:[!&|?{};+", last) >= 0
}

// regexp skips a regular expression, which ends on its line.
func (s *scriptScanner) regexp() {
	class := false
	for s.at++; !s.done(); s.at++ {
		switch s.src[s.at] {
		case '\\':
			s.at = min(s.at+1, len(s.src)-1)
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return
		case '/':
			if !class {
				s.at++
				return
			}
		}
	}
}
