package scan

import (
	"bytes"
	"slices"
)

// A Scanner checks lines one after another. What Parse learns of where long
// values end, it keeps, so that walking the value skips them without looking
// at them again. The values of one line are good until the next one is parsed.
// A Scanner must not be shared; the zero value is ready. The functions Parse
// and ParseObject do the same without remembering.
type Scanner struct{ long []Span }

// longEnough is the length from which on a value is worth remembering.
const longEnough = 256

// check verifies the value that begins at b[i] and returns the position after it.
func (s *Scanner) check(b []byte, i, depth int) (int, error) {
	if i >= len(b) {
		return 0, ErrSyntax
	}
	switch b[i] {
	case '"':
		return s.checkString(b, i)
	case '{':
		return s.checkMembers(b, i, depth, nil)
	case '[':
		return s.checkArray(b, i, depth)
	case 't':
		return checked(skipWord(b, i, "true"))
	case 'f':
		return checked(skipWord(b, i, "false"))
	case 'n':
		return checked(skipWord(b, i, "null"))
	}
	return checked(skipNumber(b, i))
}

func checked(end int) (int, error) {
	if end < 0 {
		return 0, ErrSyntax
	}
	return end, nil
}

// checkMembers verifies an object and calls fn, if there is one, for its members.
func (s *Scanner) checkMembers(b []byte, i, depth int, fn func(key []byte, val Value)) (int, error) {
	if depth == maxDepth {
		return 0, ErrDepth
	}
	mark := s.begin(i)
	i = skipBlank(b, i+1)
	if i < len(b) && b[i] == '}' {
		s.end(mark, i+1)
		return i + 1, nil
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return 0, ErrSyntax
		}
		key := i + 1
		if i = skipString(b, i); i < 0 {
			return 0, ErrSyntax
		}
		keyEnd := i - 1
		i = skipBlank(b, i)
		if i >= len(b) || b[i] != ':' {
			return 0, ErrSyntax
		}
		start := skipBlank(b, i+1)
		var err error
		if i, err = s.check(b, start, depth+1); err != nil {
			return 0, err
		}
		if fn != nil {
			fn(plainKey(b[key:keyEnd]), Value{raw: b[start:i], scanner: s, at: start})
		}
		var more bool
		if i, more, err = separator(b, i, '}'); !more {
			s.end(mark, i)
			return i, err
		}
	}
}

func (s *Scanner) checkString(b []byte, i int) (int, error) {
	end := skipString(b, i)
	if end < 0 {
		return 0, ErrSyntax
	}
	if s != nil && end-i >= longEnough {
		s.long = append(s.long, Span{i, end})
	}
	return end, nil
}

// begin notes that an object or array begins; the result is for end.
func (s *Scanner) begin(i int) int {
	if s == nil {
		return 0
	}
	s.long = append(s.long, Span{From: i})
	return len(s.long) - 1
}

// end notes where it ends. A short one is forgotten, and nothing in it is long.
func (s *Scanner) end(n, i int) {
	switch {
	case s == nil:
	case i-s.long[n].From >= longEnough:
		s.long[n].To = i
	default:
		s.long = s.long[:n]
	}
}

// find returns where the long value that begins at i ends.
func (s *Scanner) find(i int) (int, bool) {
	if s == nil {
		return 0, false
	}
	n, ok := slices.BinarySearchFunc(s.long, i, func(e Span, i int) int { return e.From - i })
	if !ok {
		return 0, false
	}
	return s.long[n].To, true
}

func (s *Scanner) checkArray(b []byte, i, depth int) (int, error) {
	if depth == maxDepth {
		return 0, ErrDepth
	}
	mark := s.begin(i)
	i = skipBlank(b, i+1)
	if i < len(b) && b[i] == ']' {
		s.end(mark, i+1)
		return i + 1, nil
	}
	for {
		var err error
		if i, err = s.check(b, i, depth+1); err != nil {
			return 0, err
		}
		var more bool
		if i, more, err = separator(b, i, ']'); !more {
			s.end(mark, i)
			return i, err
		}
	}
}

// separator reads the comma or the closing bracket after an element. With more
// set, i is where the next element begins.
func separator(b []byte, i int, closing byte) (next int, more bool, err error) {
	i = skipBlank(b, i)
	switch {
	case i >= len(b):
		return 0, false, ErrSyntax
	case b[i] == ',':
		return skipBlank(b, i+1), true, nil
	case b[i] == closing:
		return i + 1, false, nil
	}
	return 0, false, ErrSyntax
}

// skipString returns the position after the string that begins at b[i], or -1.
func skipString(b []byte, i int) int {
	start := i + 1
	for i = start; ; i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		// The quote ends the string unless an odd number of backslashes precedes it.
		back := i
		for back > start && b[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i + 1
		}
	}
}

func skipWord(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func skipNumber(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && b[i] >= '1' && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return -1
	}
	if i < len(b) && b[i] == '.' {
		next := skipDigits(b, i+1)
		if next == i+1 {
			return -1
		}
		i = next
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		next := skipDigits(b, i)
		if next == i {
			return -1
		}
		i = next
	}
	return i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

// skip returns the position after the value that begins at raw[i], trusting
// that brackets balance, or -1. It is what walking a checked value needs: no
// recursion, no look at commas and colons.
func (v Value) skip(i int) int {
	b := v.raw
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		short := b[i+1 : min(len(b), i+1+longEnough)]
		if n := bytes.IndexByte(short, '"'); n == 0 || n > 0 && short[n-1] != '\\' {
			return i + n + 2
		}
		if end, ok := v.scanner.find(v.at + i); ok {
			return end - v.at
		}
		return skipString(b, i)
	case '{', '[':
		if end, ok := v.scanner.find(v.at + i); ok {
			return end - v.at
		}
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && !delimits[b[i]] {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// delimits holds the bytes that end a number or a literal.
var delimits = [256]bool{',': true, ':': true, '}': true, ']': true, '{': true, '[': true, '"': true, ' ': true, '\t': true, '\r': true, '\n': true}

func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}
