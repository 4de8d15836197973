package agents

import "strings"

// value reads an expression as far as literals go: strings joined with +,
// templates, lists (and their .join), objects, known variables. Whatever else
// comes is skipped up to where the expression ends.
func (s *scriptScanner) value() literal {
	if s.depth++; s.depth > scriptDepth {
		s.depth--
		s.skipTo(",)]};")
		return literal{}
	}
	defer func() { s.depth-- }()
	v := s.operand()
	for !s.done() {
		s.blank()
		if s.peek() != '+' || strings.HasPrefix(s.src[s.at:], "++") {
			break
		}
		s.at++
		w := s.operand()
		if v.kind != literalText && v.kind != literalUnknown {
			v = literal{}
		}
		v.text = s.take(&v) + s.take(&w)
		v.loose = v.loose || w.loose || w.kind != literalText || v.kind != literalText
		if w.kind == literalText {
			v.kind = literalText
		}
	}
	if s.blank(); !scriptEnds(s.peek()) {
		s.skipTo(",)]};")
		v.loose = true
	}
	return v
}

func scriptEnds(c byte) bool {
	return c == 0 || c == ',' || c == ')' || c == ']' || c == '}' || c == ';'
}

func (s *scriptScanner) operand() literal {
	s.blank()
	switch c := s.peek(); {
	case c == '"' || c == '\'':
		return s.suffix(literal{kind: literalText, text: s.quoted()})
	case c == '`':
		return s.suffix(s.template(false))
	case c == '[':
		return s.suffix(s.array())
	case c == '{':
		return s.object()
	case c == '(':
		s.at++
		v := s.value()
		if s.peek() == ')' {
			s.at++
		}
		return s.suffix(v)
	case scriptWordByte(c):
		return s.named()
	}
	return literal{}
}

// named reads what an identifier stands for.
func (s *scriptScanner) named() literal {
	name := s.word()
	switch name {
	case "await":
		return s.operand()
	case "String.raw":
		if s.peek() == '`' {
			return s.suffix(s.template(true))
		}
	}
	if base, method, ok := strings.Cut(name, "."); ok && (method == "join" || method == "trim") {
		if v, known := s.vars[base]; known {
			return s.applied(v, method)
		}
	}
	if v, ok := s.vars[name]; ok {
		return s.suffix(v)
	}
	return literal{text: name, loose: true}
}

// suffix applies .join(…) and .trim() to a value.
func (s *scriptScanner) suffix(v literal) literal {
	start := s.at
	s.blank()
	if s.peek() != '.' {
		return v
	}
	s.at++
	method := s.word()
	if method != "join" && method != "trim" {
		s.at = start
		return v
	}
	return s.applied(v, method)
}

func (s *scriptScanner) applied(v literal, method string) literal {
	if s.blank(); s.peek() != '(' {
		return v
	}
	s.at++
	separator := s.value()
	if s.peek() == ')' {
		s.at++
	}
	if method == "trim" {
		v.text = strings.TrimSpace(v.text)
		return v
	}
	if v.kind != literalList {
		return literal{}
	}
	out := literal{kind: literalText, loose: v.loose || separator.loose}
	if separator.kind != literalText {
		separator.text = ","
	}
	var parts []string
	for _, e := range v.list {
		parts = append(parts, s.take(&e))
		out.loose = out.loose || e.loose || e.kind != literalText
	}
	if s.copied += len(parts) * len(separator.text); s.copied > scriptCopied {
		return literal{loose: true}
	}
	out.text = strings.Join(parts, separator.text)
	return out
}

func (s *scriptScanner) array() literal {
	v := literal{kind: literalList}
	for s.at++; !s.done(); {
		s.blank()
		switch s.peek() {
		case ']':
			s.at++
			return v
		case ',':
			s.at++
			continue
		}
		before := s.at
		v.list = append(v.list, s.value())
		if s.at == before {
			s.step()
		}
	}
	return v
}

func (s *scriptScanner) object() literal {
	v := literal{kind: literalObject, fields: map[string]literal{}}
	for s.at++; !s.done(); {
		s.blank()
		c := s.peek()
		switch {
		case c == '}':
			s.at++
			return v
		case c == ',':
			s.at++
			continue
		}
		var name string
		switch {
		case c == '"' || c == '\'':
			name = s.quoted()
		case scriptWordByte(c):
			name = s.word()
		default: // a spread, a computed name
			before := s.at
			if s.skipTo(",}"); s.at == before {
				s.step()
			}
			continue
		}
		if s.blank(); s.peek() == ':' {
			s.at++
			v.fields[name] = s.value()
		} else {
			v.fields[name] = s.vars[name]
			s.skipTo(",}")
		}
	}
	return v
}

// skipTo goes to the next of the bytes in ends, outside of strings and brackets.
func (s *scriptScanner) skipTo(ends string) {
	open := 0
	for !s.done() {
		s.blank()
		c := s.peek()
		if s.at >= len(s.src) || open == 0 && strings.IndexByte(ends, c) >= 0 {
			return
		}
		switch c {
		case '"', '\'':
			s.quoted()
			continue
		case '`':
			if s.depth++; s.depth < scriptDepth {
				s.template(false)
				s.depth--
				continue
			}
			s.depth--
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		}
		s.at++
	}
}
