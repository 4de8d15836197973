// Package scan reads JSON lazily: it finds the parts of a record that a
// decoder asks for and never touches the rest.
//
// Transcripts are mostly text that nobody wants (file contents, images, whole
// requests). Parse checks the structure of a line in one pass without
// allocating; a [Value] is then a slice of that line, decoded when asked.
//
// The check is one of structure: brackets, commas, colons, literals, numbers,
// terminated strings. What stands inside a string is looked at when it is
// decoded, and always comes out as valid UTF-8: lone surrogates, invalid bytes
// and unknown escapes become U+FFFD. The package does not write JSON and does
// not map values onto Go types.
package scan

import "errors"

// The errors of Parse.
var (
	// ErrTrailing says that a complete value is followed by something else:
	// two records glued onto one line. See [Split].
	ErrTrailing = errors.New("data after the record")
	// ErrSyntax says that the line is no JSON value, or only the beginning of one.
	ErrSyntax = errors.New("not a complete JSON value")
	// ErrDepth says that values are nested deeper than any record has a reason to be.
	ErrDepth = errors.New("nested too deep")
)

// maxDepth bounds recursion; the deepest real records stay under 40.
const maxDepth = 256

// Parse checks that line is exactly one JSON value, blanks around it allowed,
// and returns it. The value refers to line, which must not change while the
// value is used.
func Parse(line []byte) (Value, error) { return (*Scanner)(nil).ParseObject(line, nil) }

// ParseObject is Parse, and calls fn for each member of the object that the
// line holds on the way, so that they need not be looked for again. What fn was
// given counts only if the error is nil. Keys are valid during the call. A
// value that is no object is checked without calls.
func ParseObject(line []byte, fn func(key []byte, val Value)) (Value, error) {
	return (*Scanner)(nil).ParseObject(line, fn)
}

// ParseObject does what the function of that name does.
func (s *Scanner) ParseObject(line []byte, fn func(key []byte, val Value)) (Value, error) {
	start := skipBlank(line, 0)
	if start == len(line) {
		return Value{}, ErrSyntax
	}
	if s != nil {
		s.long = s.long[:0]
	}
	var end int
	var err error
	if line[start] == '{' {
		end, err = s.checkMembers(line, start, 0, fn)
	} else {
		end, err = s.check(line, start, 0)
	}
	if err != nil {
		return Value{}, err
	}
	if skipBlank(line, end) != len(line) {
		return Value{}, ErrTrailing
	}
	return Value{raw: line[start:end], scanner: s, at: start}, nil
}

// Peek returns the first member named key of the object that line begins with,
// without looking at what follows it. It is meant for deciding early whether a
// record is worth parsing; a broken line gives a Missing value or one that
// Parse would refuse.
func Peek(line []byte, key string) Value {
	var found Value
	Value{raw: line[skipBlank(line, 0):]}.Each(func(k []byte, v Value) bool {
		if string(k) != key {
			return true
		}
		found = v
		return false
	})
	return found
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// Members calls fn for every member of the object that line begins with,
// without checking or skipping the value first: rest is the line from the
// value's beginning on. Keys are given as written. Returning false ends it,
// before the value is looked at; so the first members of a record cost
// nothing of the later, larger ones.
func Members(line []byte, fn func(key, rest []byte) bool) {
	i := skipBlank(line, 0)
	if i >= len(line) || line[i] != '{' {
		return
	}
	i = skipBlank(line, i+1)
	for i < len(line) && line[i] == '"' {
		end := skipString(line, i)
		if end < 0 {
			return
		}
		key := line[i+1 : end-1]
		if i = skipBlank(line, end); i >= len(line) || line[i] != ':' {
			return
		}
		i = skipBlank(line, i+1)
		if !fn(key, line[i:]) {
			return
		}
		if i = (Value{raw: line}).skip(i); i < 0 {
			return
		}
		if i = skipBlank(line, i); i >= len(line) || line[i] != ',' {
			return
		}
		i = skipBlank(line, i+1)
	}
}
