package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineBreak is what stands in one line for a line break of the stored text.
const lineBreak = " / "

// oneLine returns a text as one line that shows what it says and nothing else:
// lines trimmed and joined with lineBreak, empty ones left out; terminal
// escapes, control characters, direction and zero-width marks dropped, but for
// the joiners inside emoji. The result is valid UTF-8.
func oneLine(s string) string {
	if isPlain(s) {
		return strings.Trim(s, " ")
	}
	c := cleaner{}
	c.out.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if n := escapeLength(r, s[i+size:]); n >= 0 {
			i += size + n
			continue
		}
		i += size
		c.take(r, s[i:])
	}
	return strings.TrimRight(c.out.String(), " ")
}

// isPlain reports whether a text is printable ASCII.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cleaner builds one line.
type cleaner struct {
	out    strings.Builder
	blanks int  // held back until something follows them
	broken bool // a line break stands before what comes next
	last   rune // written last
}

// take adds a rune that is followed by rest.
func (c *cleaner) take(r rune, rest string) {
	switch {
	case isBreak(r):
		c.broken, c.blanks = true, 0
	case r == ' ' || r == '\t':
		c.blanks++
	case r == zeroWidthJoiner:
		if next, _ := utf8.DecodeRuneInString(rest); c.blanks == 0 && !c.broken && endsEmoji(c.last) && isEmoji(next) {
			c.write(r)
		}
	case r == textStyle || r == emojiStyle:
		if c.blanks == 0 && !c.broken && c.last != 0 && c.last != textStyle && c.last != emojiStyle {
			c.write(r)
		}
	case unicode.IsControl(r) || isInvisible(r):
	default:
		c.write(r)
	}
}

// write adds a visible rune, after what was held back.
func (c *cleaner) write(r rune) {
	if c.out.Len() > 0 {
		if c.broken {
			c.out.WriteString(lineBreak)
		} else {
			for range c.blanks {
				c.out.WriteByte(' ')
			}
		}
	}
	c.blanks, c.broken, c.last = 0, false, r
	c.out.WriteRune(r)
}

// isBreak reports whether a rune breaks a line.
func isBreak(r rune) bool {
	switch r {
	case '\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

const (
	zeroWidthJoiner = '\u200d'
	textStyle       = '\ufe0e'
	emojiStyle      = '\ufe0f'
)

// isEmoji reports whether a rune may be joined to an emoji.
func isEmoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || r == 0x3030 || r == 0xA9 || r == 0xAE
}

// endsEmoji reports whether an emoji may end in the rune.
func endsEmoji(r rune) bool { return isEmoji(r) || r == emojiStyle }

// invisible are the runes, beside those of category Cf, that take no room or
// change the direction, and so can hide or forge text.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1},
		{Lo: 0x180B, Hi: 0x180F, Stride: 1},
		{Lo: 0x2065, Hi: 0x2065, Stride: 1},
		{Lo: 0x3164, Hi: 0x3164, Stride: 1},
		{Lo: 0xFE00, Hi: 0xFE0D, Stride: 1}, // variation selectors
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1},
		{Lo: 0xFFF0, Hi: 0xFFF8, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}}, // tags and more selectors
}

// visibleFormat are the runes of category Cf that do show.
var visibleFormat = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0600, Hi: 0x0605, Stride: 1},
		{Lo: 0x06DD, Hi: 0x06DD, Stride: 1},
		{Lo: 0x070F, Hi: 0x070F, Stride: 1},
		{Lo: 0x0890, Hi: 0x0891, Stride: 1},
		{Lo: 0x08E2, Hi: 0x08E2, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x110BD, Hi: 0x110BD, Stride: 1},
		{Lo: 0x110CD, Hi: 0x110CD, Stride: 1},
	},
}

func isInvisible(r rune) bool {
	if r < 0x34F && r != 0xAD || r > 0x3164 && r < 0xD800 {
		return false // most text of most scripts
	}
	return unicode.Is(invisible, r) || unicode.Is(unicode.Cf, r) && !unicode.Is(visibleFormat, r)
}

// escapeLength returns how much of rest belongs to the terminal escape that r
// begins, -1 where r begins none. Of a sequence that does not end only its
// beginning is taken, so that it cannot hide what follows.
func escapeLength(r rune, rest string) int {
	switch r {
	case '\u009b':
		return controlLength(rest)
	case '\u0090', '\u0098', '\u009d', '\u009e', '\u009f':
		return stringLength(rest)
	case '\x1b':
	default:
		return -1
	}
	if rest == "" {
		return 0
	}
	switch rest[0] {
	case '[':
		return 1 + controlLength(rest[1:])
	case ']', 'P', 'X', '^', '_':
		return 1 + stringLength(rest[1:])
	}
	n := 0
	for n < len(rest) && rest[n] >= 0x20 && rest[n] <= 0x2F { // intermediate bytes
		n++
	}
	if n < len(rest) && rest[n] >= 0x30 && rest[n] <= 0x7E {
		n++
	}
	return n
}

// controlLength returns the length of the rest of a control sequence.
func controlLength(rest string) int {
	n := 0
	for n < len(rest) && rest[n] >= 0x20 && rest[n] <= 0x3F { // parameters
		n++
	}
	if n < len(rest) && rest[n] >= 0x40 && rest[n] <= 0x7E {
		n++
	}
	return n
}

// stringLength returns the length of the rest of a command string, its
// terminator included, 0 where there is none.
func stringLength(rest string) int {
	for i := 0; i < len(rest); i++ {
		switch {
		case rest[i] == '\a':
			return i + 1
		case rest[i] == 0x1b && i+1 < len(rest) && rest[i+1] == '\\':
			return i + 2
		case rest[i] == 0xC2 && i+1 < len(rest) && rest[i+1] == 0x9C:
			return i + 2
		case rest[i] == '\n' || rest[i] == 0x1b:
			return 0
		}
	}
	return 0
}

// escaper keeps stored text from closing the block or opening a tag.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escape returns a text without raw markup characters.
func escape(s string) string {
	if !strings.ContainsAny(s, "&<>") {
		return s
	}
	return escaper.Replace(s)
}
