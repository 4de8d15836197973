// Package redact replaces secrets in text by [redacted:KIND] before anything
// else sees it.
//
// It knows the formats of well-known keys (formats.go), the places where
// secrets stand (headers, URLs, key blocks, commands) and assignments to names
// that sound secret (names.go), and it knows what only looks like a secret:
// variables, calls, types, placeholders, hashes and prose (plausible.go).
// Every rule hangs on a keyword. One pass over the text looks for all keywords
// at once (filter.go), and a rule looks only at what stands around its own, so
// text without secrets costs next to nothing and is returned as it is.
//
// It is no guarantee: a password without a name beside it is a word like any
// other.
package redact

import (
	"fmt"
	"regexp"
	"strings"
)

// Redactor finds secrets. It is immutable and may be shared.
type Redactor struct {
	filter *filter
	allow  []*regexp.Regexp
}

// A span is one secret in a text.
type span struct {
	from, to int
	kind     string // empty: no secret, but nothing up to here may be taken for one
}

// A rule looks at the keyword that stands at byte at of s. What lies before
// done is no longer its business.
type rule func(s string, at, done int) (span, bool)

// New returns a redactor that leaves alone every secret in which one of the
// RE2 patterns finds something. The error names the pattern that does not
// compile.
func New(allow []string) (*Redactor, error) {
	r := &Redactor{}
	for _, p := range allow {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("redact: allow pattern %q: %v", p, err)
		}
		r.allow = append(r.allow, re)
	}
	r.filter = newFilter(r.keywords())
	return r, nil
}

// maxPasses bounds how often a text is looked at again: what stands beside a
// secret may show as one only when that is gone.
const maxPasses = 8

// Text returns s with every secret replaced by [redacted:KIND] and how many
// were. It returns s itself when it found none. Valid UTF-8 stays valid, and
// its result is left as it is by another call.
func (r *Redactor) Text(s string) (string, int) {
	total := 0
	for range maxPasses {
		out, n := r.pass(s)
		if n == 0 {
			break
		}
		s, total = out, total+n
	}
	return s, total
}

func (r *Redactor) pass(s string) (string, int) {
	var b strings.Builder
	copied, done, n := 0, 0, 0
	for i := 0; ; {
		sp, at := r.filter.find(s, i, done)
		if at < 0 {
			break
		}
		if sp.kind != "" && !r.allowed(s[sp.from:sp.to]) {
			b.WriteString(s[copied:sp.from])
			b.WriteString(opening)
			b.WriteString(sp.kind)
			b.WriteByte(']')
			copied = sp.to
			n++
		}
		done = sp.to
		i = max(at, sp.to&^1)
	}
	if n == 0 {
		return s, 0
	}
	b.WriteString(s[copied:])
	return b.String(), n
}

// opening begins what stands in place of a secret.
const opening = "[redacted:"

func (r *Redactor) allowed(secret string) bool {
	for _, re := range r.allow {
		if re.MatchString(secret) {
			return true
		}
	}
	return false
}
