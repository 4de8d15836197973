package scan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Text returns the decoded string, which is valid UTF-8, cut at a character
// boundary to at most limit bytes; 0 means no limit. It is "" for anything
// that is no string.
func (v Value) Text(limit int) string {
	inner, ok := v.inner()
	if !ok {
		return ""
	}
	if (limit <= 0 || len(inner) <= limit) && plain(inner) {
		return string(inner)
	}
	// The buffer is nobody else's, so it may become the string itself.
	out := appendText(nil, inner, limit)
	return unsafe.String(unsafe.SliceData(out), len(out))
}

// Tail returns the last bytes of the decoded string, at most limit of them,
// beginning at a character. It decodes no more of the string than it needs.
func (v Value) Tail(limit int) string {
	inner, ok := v.inner()
	if !ok || limit <= 0 {
		return ""
	}
	from := len(inner) - 6*limit // an escape has six bytes at most for each of a character
	if from <= 0 {
		from = 0
	} else {
		from = escapeBoundary(inner, from)
	}
	out := appendText(nil, inner[from:], 0)
	if len(out) > limit {
		out = out[len(out)-limit:]
		for len(out) > 0 && !utf8.RuneStart(out[0]) {
			out = out[1:]
		}
	}
	return string(out)
}

// escapeBoundary moves i back to where neither an escape nor a character is cut.
func escapeBoundary(b []byte, i int) int {
	for i > 0 && !utf8.RuneStart(b[i]) {
		i--
	}
	// A cut within \uXXXX: look back for the backslash that opens it.
	for back := 1; back <= 5 && i-back >= 0; back++ {
		if b[i-back] == '\\' {
			i -= back
			break
		}
	}
	for i > 0 && b[i-1] == '\\' {
		i--
	}
	return i
}

func plain(b []byte) bool { return bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b) }

// appendText decodes the inside of a string onto dst, at most limit bytes (0: all).
func appendText(dst, b []byte, limit int) []byte {
	if limit <= 0 {
		limit = int(^uint(0) >> 1)
	}
	if dst == nil {
		dst = make([]byte, 0, min(len(b), limit)+utf8.UTFMax)
	}
	checked, valid := 0, false // b[:checked] was looked at; valid tells of its last window
	for i := 0; i < len(b) && len(dst) < limit; {
		if i >= checked {
			checked = i + window(b[i:])
			valid = utf8.Valid(b[i:checked])
		}
		n := bytes.IndexByte(b[i:checked], '\\')
		if n < 0 {
			n = checked - i
		}
		if valid {
			dst = append(dst, b[i:i+n]...)
		} else {
			dst = appendValid(dst, b[i:i+n])
		}
		switch i += n; {
		case i == checked:
		case i+1 < len(b) && escapes[b[i+1]] != 0:
			dst = append(dst, escapes[b[i+1]])
			i += 2
		default:
			dst, n = appendEscape(dst, b[i:])
			i += n
		}
	}
	return cutAt(dst, limit)
}

// escapes are the escapes of one letter.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// cutAt cuts to at most limit bytes at a character.
func cutAt(b []byte, limit int) []byte {
	if len(b) <= limit {
		return b
	}
	for limit > 0 && !utf8.RuneStart(b[limit]) {
		limit--
	}
	return b[:limit]
}

// windowLength bounds how much is looked at at once, so that a limit far below
// the length of a string is worth something.
const windowLength = 4096

// window is the length of the next part to look at, not cutting a character.
func window(b []byte) int {
	if len(b) <= windowLength {
		return len(b)
	}
	n := windowLength
	for n > windowLength-utf8.UTFMax && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

func appendValid(dst, b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[n:]
	}
	return dst
}

// appendEscape decodes the escape at the beginning of b that is none of one
// letter, and returns its length.
func appendEscape(dst, b []byte) (out []byte, length int) {
	if len(b) < 2 || b[1] != 'u' {
		return utf8.AppendRune(dst, utf8.RuneError), 1
	}
	r, ok := hex4(b)
	if !ok {
		return utf8.AppendRune(dst, utf8.RuneError), 2
	}
	if utf16.IsSurrogate(r) {
		low, ok := hex4(b[6:])
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			return utf8.AppendRune(dst, pair), 12
		}
		r = utf8.RuneError
	}
	return utf8.AppendRune(dst, r), 6
}

// hex4 reads \uXXXX.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}
