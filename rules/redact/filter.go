package redact

import (
	"slices"
	"strings"
)

// A keyword is a text that a rule hangs on. Letters match in both cases unless
// it is exact. It has at least three bytes, and what a rule finds at it at
// least five.
type keyword struct {
	text  string
	exact bool
	rule  rule
}

// A filter finds keywords. It looks at three bytes at every second place of
// the text: every keyword shows there with its first three bytes or with the
// three after the first.
type filter struct {
	flags   bits                  // a keyword may show here, by hash
	sure    bits                  // the same by another hash: few other bytes pass both
	index   [1 << hashBits]uint16 // which bucket, by hash
	buckets [][]entry
}

type entry struct {
	*keyword
	offset int // where in the keyword the three bytes stand
}

const hashBits = 16

func hash(v uint32) uint32 { return (v << 8) * 0x9E3779B1 >> (32 - hashBits) }

func hash2(v uint32) uint32 { return (v << 8) * 0x85EBCA6B >> (32 - hashBits) }

type bits [1 << hashBits / 64]uint64

func (b *bits) set(h uint32)      { b[h/64] |= 1 << (h % 64) }
func (b *bits) has(h uint32) bool { return b[h/64&(uint32(len(b))-1)]>>(h%64)&1 != 0 }

func load(s string, i int) uint32 {
	_ = s[i+3]
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func newFilter(keywords []keyword) *filter {
	f := &filter{buckets: make([][]entry, 1)}
	for i := range keywords {
		k := &keywords[i]
		f.add(k.text[:3], entry{k, 0})
		if len(k.text) > 3 {
			f.add(k.text[1:4], entry{k, 1})
			continue
		}
		for c := ' '; c < 0x7f; c++ { // a keyword of three: what may follow
			if !k.exact || alnumBytes[c] || strings.ContainsRune("-_/%$[{: '\"", c) {
				f.add(k.text[1:3]+string(c), entry{k, 1})
			}
		}
	}
	return f
}

// add makes three bytes, in all cases where the keyword is not exact, lead to
// a keyword.
func (f *filter) add(text string, e entry) {
	for variant := range 8 {
		three := []byte(text)
		for i := range three {
			if c := three[i] | 0x20; variant>>i&1 == 1 && c >= 'a' && c <= 'z' {
				three[i] ^= 0x20
			}
		}
		v := load(string(three)+"\x00", 0)
		h := hash(v)
		f.flags.set(h)
		f.sure.set(hash2(v))
		if f.index[h] == 0 {
			f.index[h] = uint16(len(f.buckets))
			f.buckets = append(f.buckets, nil)
		}
		if b := &f.buckets[f.index[h]]; !slices.Contains(*b, e) {
			*b = append(*b, e)
		}
		if e.exact {
			break
		}
	}
}

// find returns the first span that a rule finds from the even place i on, and
// the place to go on from, -1 where there is none.
func (f *filter) find(s string, i, done int) (span, int) {
	for ; ; i += 2 {
		if i = f.next(s, i); i < 0 {
			return span{}, -1
		}
		for _, e := range f.buckets[f.index[hash(load(s, i))]] {
			at := i - e.offset
			if at < done || at+len(e.text) > len(s) || !e.at(s[at:at+len(e.text)]) {
				continue
			}
			if sp, ok := e.rule(s, at, done); ok && sp.from >= done && sp.to > at {
				return sp, i
			}
		}
	}
}

// next returns the first even place from i on where a keyword may show, -1
// without one. This loop is what a text without secrets costs.
func (f *filter) next(s string, i int) int {
	for ; i+4 <= len(s); i += 2 {
		if v := load(s, i); f.flags.has(hash(v)) && f.sure.has(hash2(v)) {
			return i
		}
	}
	return -1
}

func (k *keyword) at(s string) bool {
	if s == k.text {
		return true
	}
	return !k.exact && strings.EqualFold(s, k.text)
}
