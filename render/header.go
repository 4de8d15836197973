package render

import (
	"strconv"
	"strings"
)

const (
	opening = "<memory>\n"
	legend  = `Legend: workflow chain, parents before children. "key [type]: value"; "<- P" = derived from P; ` +
		`"(same as K)" = repeats K's fact; "<== RESUME" = continue here.` + "\n"
	closing = "</memory>"
)

// untyped is what an entry without a type counts as.
const untyped = "note"

// tally counts entries by type, in order of first appearance.
type tally struct {
	types  []string
	counts map[string]int
}

// add counts n more entries of a type.
func (t *tally) add(typ string, n int) {
	if typ == "" {
		typ = untyped
	}
	if t.counts == nil {
		t.counts = make(map[string]int)
	}
	if t.counts[typ] == 0 && n > 0 {
		t.types = append(t.types, typ)
	}
	if t.counts[typ] += n; t.counts[typ] == 0 {
		t.types = t.types[:len(t.types)-1] // only the last addition is ever taken back
	}
}

// mapLine says what a block holds: the counts by type, where to go on or what
// came last, and what is broken. Empty parts are left out.
func mapLine(t *tally, resume, last, failure, age string) string {
	var out strings.Builder
	out.WriteString("map: ")
	for i, typ := range t.types {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(strconv.Itoa(t.counts[typ]))
		out.WriteByte(' ')
		out.WriteString(typ)
	}
	switch {
	case resume != "":
		out.WriteString(" | resume: " + resume + " (" + age + ")")
	case last != "":
		out.WriteString(" | last: " + last + " (" + age + ")")
	}
	if failure != "" {
		out.WriteString(" | error: " + failure)
	}
	out.WriteByte('\n')
	return out.String()
}
