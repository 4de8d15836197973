package scan

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Kind says what a value is.
type Kind uint8

// The kinds. Missing is the zero value: no such member, no such element.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// Value is one JSON value within a line. The zero Value is Missing; every
// method works on it, so that chains of Get need no checks.
type Value struct {
	raw     []byte
	scanner *Scanner // what it knows of the line, nil: nothing
	at      int      // where raw stands in the line
}

// Kind says what the value is.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return Missing
	}
	switch v.raw[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Raw returns the bytes of the value, which belong to the line it was parsed from.
func (v Value) Raw() []byte { return v.raw }

// Exists reports whether there is a value, null included.
func (v Value) Exists() bool { return len(v.raw) > 0 }

// Get returns the member named key of an object, the last one of equal keys.
func (v Value) Get(key string) Value {
	var found Value
	v.Each(func(k []byte, val Value) bool {
		if string(k) == key {
			found = val
		}
		return true
	})
	return found
}

// Path follows keys through nested objects.
func (v Value) Path(keys ...string) Value {
	for _, key := range keys {
		v = v.Get(key)
	}
	return v
}

// Each calls fn for every member of an object, in order, until it returns
// false. The key is decoded; it is valid only during the call.
func (v Value) Each(fn func(key []byte, val Value) bool) {
	b := v.raw
	if len(b) == 0 || b[0] != '{' {
		return
	}
	i := skipBlank(b, 1)
	for i < len(b) && b[i] == '"' {
		end := skipString(b, i)
		if end < 0 {
			return
		}
		key := b[i+1 : end-1]
		if i = skipBlank(b, end); i >= len(b) || b[i] != ':' {
			return
		}
		i = skipBlank(b, i+1)
		if end = v.skip(i); end < 0 {
			return
		}
		if !fn(plainKey(key), Value{raw: b[i:end], scanner: v.scanner, at: v.at + i}) {
			return
		}
		if i = skipBlank(b, end); i >= len(b) || b[i] != ',' {
			return
		}
		i = skipBlank(b, i+1)
	}
}

// plainKey is a key decoded. Hardly any key has something to decode.
func plainKey(key []byte) []byte {
	for _, c := range key {
		if c == '\\' || c >= utf8.RuneSelf {
			return appendText(nil, key, 0)
		}
	}
	return key
}

// Fields looks for several members of an object in one walk: dst[i] becomes
// the member named keys[i], the last one of equal keys, Missing where there is
// none. Dst must be as long as keys.
func (v Value) Fields(keys []string, dst []Value) {
	clear(dst)
	v.Each(func(key []byte, val Value) bool {
		for i, k := range keys {
			if string(key) == k {
				dst[i] = val
				break
			}
		}
		return true
	})
}

// Elements calls fn for every element of an array, in order, until it returns false.
func (v Value) Elements(fn func(i int, val Value) bool) {
	b := v.raw
	if len(b) == 0 || b[0] != '[' {
		return
	}
	i := skipBlank(b, 1)
	for n := 0; i < len(b) && b[i] != ']'; n++ {
		end := v.skip(i)
		if end < 0 || !fn(n, Value{raw: b[i:end], scanner: v.scanner, at: v.at + i}) {
			return
		}
		if i = skipBlank(b, end); i >= len(b) || b[i] != ',' {
			return
		}
		i = skipBlank(b, i+1)
	}
}

// TextIs reports whether the value is the string s, without allocating.
func (v Value) TextIs(s string) bool {
	inner, ok := v.inner()
	if !ok {
		return false
	}
	if len(inner) > 6*len(s) {
		return false // no escape is longer than six bytes a byte
	}
	if plain(inner) {
		return string(inner) == s
	}
	return v.Text(0) == s
}

// HasPrefix reports whether the value is a string that begins with the plain
// ASCII text prefix, written without escapes. It does not allocate.
func (v Value) HasPrefix(prefix string) bool {
	inner, ok := v.inner()
	return ok && len(inner) >= len(prefix) && string(inner[:len(prefix)]) == prefix
}

// Int returns a number that is a whole one within the range of int64.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v.raw), 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// Bool returns the value of true or false; ok is false for anything else.
func (v Value) Bool() (value, ok bool) {
	return string(v.raw) == "true", v.Kind() == Bool
}

// True reports whether the value is true.
func (v Value) True() bool { return string(v.raw) == "true" }

// inner returns what stands between the quotes of a string.
func (v Value) inner() ([]byte, bool) {
	if len(v.raw) < 2 || v.raw[0] != '"' {
		return nil, false
	}
	return v.raw[1 : len(v.raw)-1], true
}

// IsFalse reports whether the value is false.
func (v Value) IsFalse() bool { return string(v.raw) == "false" }
