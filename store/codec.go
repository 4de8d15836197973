package store

import (
	"encoding/binary"
	"encoding/hex"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kmemd/kmemd/store/fact"
)

// A codec writes or reads the payload of one row. One method a structure
// serves both directions, so that they cannot drift apart; while writing it
// changes nothing, for others may be reading the row. New fields go at the end:
// what an older row does not have reads as zero.
type codec struct {
	names   []string // strings that most rows of a source repeat
	out     []byte   // the payload, while writing
	in      string   // what is left of the payload, while reading
	reading bool
	broken  bool // the payload ended inside a field
}

// encode returns the payload that fn writes, valid until the next use of c.
func (c *codec) encode(fn func(*codec)) []byte {
	c.out, c.reading, c.broken = c.out[:0], false, false
	fn(c)
	return c.out
}

// decode reads a payload with fn. The strings it sets share one copy of it.
func (c *codec) decode(payload []byte, fn func(*codec)) bool {
	c.in, c.reading, c.broken = string(payload), true, false
	fn(c)
	return !c.broken
}

// num is a signed number.
func (c *codec) num(v *int64) {
	if !c.reading {
		c.out = binary.AppendVarint(c.out, *v)
		return
	}
	u := c.uvarint()
	*v = int64(u>>1) ^ -int64(u&1)
}

func (c *codec) count(v *int) {
	n := int64(*v)
	c.num(&n)
	if c.reading {
		*v = int(n)
	}
}

func (c *codec) flag(v *bool) {
	if !c.reading {
		b := byte(0)
		if *v {
			b = 1
		}
		c.out = append(c.out, b)
		return
	}
	*v = c.uvarint() != 0
}

func (c *codec) uvarint() uint64 {
	var v uint64
	for i := 0; i < len(c.in); i++ {
		b := c.in[i]
		if i == binary.MaxVarintLen64 {
			break
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			c.in = c.in[i+1:]
			return v
		}
	}
	c.broken = c.broken || c.in != ""
	c.in = ""
	return 0
}

// A string is a number, length and form, and its bytes.
const (
	formPlain = iota // length is that of the text
	formUUID         // 16 bytes, then length bytes that follow the UUID
	formName         // length is the index into names
	forms
)

// text is a string: most are literal, identifiers take 16 bytes, and what a
// source repeats in every row takes one.
func (c *codec) text(s *string) {
	if c.reading {
		*s = c.readText()
		return
	}
	v := *s
	if len(v) > 5 {
		if i := slices.Index(c.names, v); i >= 0 {
			c.out = binary.AppendUvarint(c.out, uint64(i)*forms+formName)
			return
		}
		if id, ok := uuid(v); ok {
			c.out = binary.AppendUvarint(c.out, uint64(len(v)-36)*forms+formUUID)
			c.out = append(c.out, id[:]...)
			c.out = append(c.out, v[36:]...)
			return
		}
	}
	c.out = binary.AppendUvarint(c.out, uint64(len(v))*forms+formPlain)
	c.out = append(c.out, v...)
}

func (c *codec) readText() string {
	head := c.uvarint()
	n := head / forms
	switch head % forms {
	case formName:
		if n < uint64(len(c.names)) {
			return c.names[n]
		}
		c.broken = true
		return ""
	case formUUID:
		id := c.take(16)
		if c.broken {
			return ""
		}
		return uuidText(id) + c.take(n)
	}
	return c.take(n)
}

func (c *codec) take(n uint64) string {
	if n > uint64(len(c.in)) {
		c.broken, c.in = true, ""
		return ""
	}
	s := c.in[:n]
	c.in = c.in[n:]
	return s
}

func (c *codec) texts(list *[]string) {
	n := int64(len(*list))
	c.num(&n)
	if c.reading {
		*list = nil
		// Every string takes a byte at least: a length beyond that is damage.
		if n < 0 || n > int64(len(c.in)) {
			c.broken = true
			return
		}
		if n > 0 {
			*list = make([]string, n)
		}
	}
	for i := range *list {
		c.text(&(*list)[i])
	}
}

// tag is a string of one of the small vocabularies of package fact.
func tag[T ~string](c *codec, v *T) {
	s := string(*v)
	c.text(&s)
	if c.reading {
		*v = T(s)
	}
}

func (c *codec) stamp(s *fact.Stamp) {
	c.num(&s.Time)
	c.text(&s.Session)
	c.text(&s.File)
	c.num(&s.Pos)
	c.count(&s.Place)
}

// uuid returns the bytes of a string that begins with a UUID in its usual,
// lower-case form.
func uuid(s string) (id [16]byte, ok bool) {
	if len(s) < 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return id, false
	}
	var digits [32]byte
	n := 0
	for i := range 36 {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f':
			digits[n] = c
			n++
		default:
			return id, false
		}
	}
	_, err := hex.Decode(id[:], digits[:])
	return id, err == nil
}

func uuidText(id string) string {
	var digits [32]byte
	hex.Encode(digits[:], []byte(id))
	var out [36]byte
	n := 0
	for i := range out {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			out[i] = '-'
			continue
		}
		out[i] = digits[n]
		n++
	}
	return string(out[:])
}

// commonNames returns the strings that the rows of a source repeat. They are
// derived from its identity and must never change: rows hold their indexes.
func commonNames(agent, file string) []string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	stem := strings.TrimSuffix(base, path.Ext(base))
	tail := stem
	if len(tail) > 36 {
		tail = tail[len(tail)-36:]
	}
	if !utf8.ValidString(tail) {
		tail = ""
	}
	return []string{agent, base, stem, tail}
}
