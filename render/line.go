package render

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kmemd/kmemd/store/fact"
)

// sameValue is the least length, in characters, of captured values that are
// compared with others: shorter ones are equal by chance.
const sameValue = 12

// line is one entry of a block.
type line struct {
	node    int
	key     string // escaped
	typ     string // escaped, may be empty
	full    string // the value as one line, neither cut nor escaped
	limit   int    // bytes of full that are shown
	middle  bool   // it is cut in the middle, since its end tells most
	fixed   bool   // it stays cut where there is room to spare
	value   string // escaped and cut
	size    cost   // of value
	parents []int  // nodes
	edges   int    // parents that are shown
	group   *equals
}

// equals are the lines of a block that say the same. Which of them comes first
// is known only in the end, so each is reckoned with the dearest value and the
// longest key.
type equals struct {
	n     int
	value cost // of the dearest value
	mark  cost // of the dearest mark
}

// cost returns what the lines of the group take up at most.
func (e equals) cost() cost {
	if e.n == 0 {
		return cost{}
	}
	return e.value.plus(e.mark.times(e.n - 1))
}

// with returns the group with one more line.
func (e equals) with(l *line, size cost) equals {
	return equals{e.n + 1, e.value.atLeast(size), e.mark.atLeast(measure(sameAs(l.key)))}
}

// sameAs is what stands in place of a value that an earlier line has shown.
func sameAs(key string) string { return "(same as " + key + ")" }

// newLine prepares the line of a fact.
func newLine(node int, f *fact.Fact) *line {
	l := &line{node: node, key: escape(oneLine(f.Key)), typ: escape(oneLine(string(f.Type)))}
	if len(f.Value) > wholeValue {
		l.full = oneLine(f.Value[:boundaryBefore(f.Value, wholeValue)]) + cutEnd
	} else {
		l.full = oneLine(f.Value)
	}
	if l.key == "" {
		l.key = "?"
	}
	switch f.Row {
	case fact.RowOutcome, fact.RowPrompt, fact.RowOpenTurn:
		l.middle = true
	}
	return l
}

// at returns the value cut to a limit, and its cost.
func (l *line) at(limit int) (string, cost) {
	value := escape(cut(l.full, limit, l.middle))
	return value, measure(value)
}

// frame returns the cost of the line without its value and edges.
func (l *line) frame(resume bool) cost {
	c := measure(l.key).plus(measure(l.typ)).plus(cost{ascii: len(":\n")})
	if l.typ != "" {
		c.ascii += len(" []")
	}
	if l.full != "" {
		c.ascii += len(" ")
	}
	if resume {
		c.ascii += len(resumeFlag)
	}
	return c
}

// sameText returns what values are compared by: case and white space folded.
// Empty means that the value is compared with none. Of a value that is never
// shown whole, what is left out must be equal as it stands.
func (l *line) sameText(f *fact.Fact) string {
	text := strings.ToLower(strings.Join(strings.Fields(l.full), " "))
	switch {
	case f.Captured() && utf8.RuneCountInString(text) < sameValue:
		return ""
	case len(f.Value) > wholeValue:
		return text + "\x00" + f.Value[wholeValue:]
	}
	return text
}

const (
	resumeFlag  = " <== RESUME"
	firstParent = " <- "
	nextParent  = ", "
)

// edgeCost returns what one more parent costs a line that has n of them.
func edgeCost(n int, key string) cost {
	if n == 0 {
		return measure(key).plus(cost{ascii: len(firstParent)})
	}
	return measure(key).plus(cost{ascii: len(nextParent)})
}

// text writes the line. Parents are the keys of the entries that are shown.
func (l *line) text(out *strings.Builder, value string, parents []string, resume bool) {
	out.WriteString(l.key)
	if l.typ != "" {
		out.WriteString(" [")
		out.WriteString(l.typ)
		out.WriteByte(']')
	}
	out.WriteByte(':')
	if value != "" {
		out.WriteByte(' ')
		out.WriteString(value)
	}
	for i, key := range parents {
		if i == 0 {
			out.WriteString(firstParent)
		} else {
			out.WriteString(nextParent)
		}
		out.WriteString(key)
	}
	if resume {
		out.WriteString(resumeFlag)
	}
	out.WriteByte('\n')
}

// downstream returns the line that names the children of the resume entry, up
// to three by key, empty without any.
func downstream(key string, children []string) string {
	if len(children) == 0 {
		return ""
	}
	children = slices.Sorted(slices.Values(children))
	return "downstream of " + key + ": " + strings.Join(children[:min(len(children), 3)], ", ") + "\n"
}
