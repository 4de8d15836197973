package render

import (
	"strings"

	"github.com/kmemd/kmemd/render/graph"
	"github.com/kmemd/kmemd/store/fact"
)

// plan is a block in the making. It knows at every step what the block will
// cost at most, so that an entry is taken only where it fits.
type plan struct {
	s   *scene
	now int64 // Unix milliseconds
	max int   // tokens

	lines   []*line         // in the order in which they were taken
	at      map[int]*line   // by node
	made    map[int]*line   // by node, also those that did not fit
	waiting map[int][]*line // by a parent that is not shown
	equals  map[string]*equals
	types   tally
	body    cost // of all lines
	below   []string
	last    int // what happened last, -1 for nothing
}

func newPlan(s *scene, now int64, limit int) *plan {
	return &plan{
		s: s, now: now, max: limit, last: -1,
		at: make(map[int]*line), made: make(map[int]*line), waiting: make(map[int][]*line), equals: make(map[string]*equals),
	}
}

// add takes an entry with the longest of the given limits for its value that
// fits, and reports whether the entry is in the block.
func (p *plan) add(node int, limits ...int) bool {
	if p.at[node] != nil {
		return true
	}
	if p.full() {
		return false
	}
	l := p.prepare(node)
	for i, limit := range limits {
		if i > 0 && limit >= len(l.full) {
			continue // the same as before
		}
		if value, size := l.at(limit); p.fits(l, size) {
			l.limit, l.value, l.size = limit, value, size
			p.take(l)
			return true
		}
	}
	return false
}

// full reports whether not even the shortest line fits.
func (p *plan) full() bool {
	const shortest = 3 // tokens
	return len(p.lines) > 0 && p.total(nil, p.body).tokens()+shortest > p.max
}

// addBest takes an entry with as much of its value as fits.
func (p *plan) addBest(node, limit int) bool {
	l := p.prepare(node)
	if limit > len(l.full) {
		limit = len(l.full)
	}
	value, size := l.at(limit)
	for lo := 0; !p.fits(l, size); {
		if limit <= lo {
			return false
		}
		// The cost grows with the limit: halve the distance to what fits.
		mid := (lo + limit) / 2
		if value, size = l.at(mid); p.fits(l, size) {
			limit, value, size = p.widen(l, mid, limit)
			break
		}
		limit = mid
	}
	l.limit, l.value, l.size = limit, value, size
	p.take(l)
	return true
}

// widen returns the greatest limit from one that fits up to one that does not.
func (p *plan) widen(l *line, fits, not int) (int, string, cost) {
	for not-fits > 1 {
		mid := (fits + not) / 2
		if _, size := l.at(mid); p.fits(l, size) {
			fits = mid
		} else {
			not = mid
		}
	}
	value, size := l.at(fits)
	return fits, value, size
}

// prepare returns the line of an entry, with its parents and its equals.
func (p *plan) prepare(node int) *line {
	l := p.made[node]
	if l == nil {
		l = p.make(node)
		p.made[node] = l
	}
	l.edges = 0
	for _, parent := range l.parents {
		if p.at[parent] != nil {
			l.edges++
		}
	}
	return l
}

// make makes the line of an entry.
func (p *plan) make(node int) *line {
	f := p.fact(node)
	l := newLine(node, f)
	if node == p.s.checkpoint {
		l.full = cut(l.full, longValue-len(cutEnd), false)
	}
	l.parents = p.s.g.Parents(node)
	if text := l.sameText(f); text != "" {
		if p.equals[text] == nil {
			p.equals[text] = &equals{}
		}
		l.group = p.equals[text]
	}
	return l
}

// fits reports whether the block with one more line, whose value has the given
// cost, keeps within the budget.
func (p *plan) fits(l *line, size cost) bool {
	return p.total(l, p.body.plus(p.price(l, size))).tokens() <= p.max
}

// price returns what one more line adds to the body.
func (p *plan) price(l *line, size cost) cost {
	c := l.frame(l.node == p.s.resume)
	if l.group != nil {
		c = c.plus(l.group.with(l, size).cost().minus(l.group.cost()))
	} else {
		c = c.plus(size)
	}
	n := 0
	for _, parent := range l.parents {
		if shown := p.at[parent]; shown != nil {
			c = c.plus(edgeCost(n, shown.key))
			n++
		}
	}
	for _, child := range p.waiting[l.node] {
		c = c.plus(edgeCost(child.edges, l.key))
	}
	return c
}

// total returns the cost of the whole block with the given body, and with one
// more line where it is not nil.
func (p *plan) total(more *line, body cost) cost {
	last, below := p.last, p.below
	if more != nil {
		p.types.add(more.typ, 1)
		defer p.types.add(more.typ, -1)
		last = p.later(last, more.node)
		below = p.belowWith(more)
	}
	resume, lastKey, failure, when := p.names(more, last)
	c := body.plus(frameCost).plus(measure(mapLine(&p.types, resume, lastKey, failure, when)))
	return c.plus(measure(downstream(resume, below)))
}

// frameCost is the cost of what every block holds.
var frameCost = measure(opening + legend + closing)

// names returns the keys that the map line names, and the age of the first of
// them. Only what is shown is named.
func (p *plan) names(more *line, last int) (resume, lastKey, failure, when string) {
	key := func(node int) string {
		switch l := p.at[node]; {
		case node < 0:
			return ""
		case l != nil:
			return l.key
		case more != nil && more.node == node:
			return more.key
		}
		return ""
	}
	resume, failure = key(p.s.resume), key(p.s.failure)
	named := p.s.resume
	if resume == "" {
		lastKey, named = key(last), last
	}
	if named >= 0 {
		when = age(p.now, p.s.g.Facts[named].UpdatedAt)
	}
	return resume, lastKey, failure, when
}

// belowWith returns the children of the resume entry that are shown with one
// more line.
func (p *plan) belowWith(l *line) []string {
	below := p.below[:len(p.below):len(p.below)]
	if l.node == p.s.resume {
		for _, child := range p.waiting[l.node] {
			below = append(below, child.key)
		}
		return below
	}
	for _, parent := range l.parents {
		if parent == p.s.resume && p.at[parent] != nil {
			below = append(below, l.key)
		}
	}
	return below
}

// take adds a line.
func (p *plan) take(l *line) {
	p.body = p.body.plus(p.price(l, l.size))
	p.below = p.belowWith(l)
	p.last = p.later(p.last, l.node)
	p.types.add(l.typ, 1)
	if l.group != nil {
		*l.group = l.group.with(l, l.size)
	}
	for _, parent := range l.parents {
		if p.at[parent] == nil {
			p.waiting[parent] = append(p.waiting[parent], l)
		}
	}
	for _, child := range p.waiting[l.node] {
		child.edges++
	}
	delete(p.waiting, l.node)
	p.lines = append(p.lines, l)
	p.at[l.node] = l
}

// later returns which of two entries tells better what was done last: the
// newer one of those that tell of a state of the work, else the newer one.
func (p *plan) later(a, b int) int {
	if a < 0 {
		return b
	}
	x, y := p.tellsState(a), p.tellsState(b)
	if x != y {
		if x {
			return a
		}
		return b
	}
	if p.s.g.Newer(b, a) < 0 {
		return b
	}
	return a
}

func (p *plan) tellsState(node int) bool {
	f := &p.s.g.Facts[node]
	return f.Type.Resumable() && f.Key != graph.Checkpoint && !p.s.resumer.Own(f)
}

// spread shows more of the values that were cut, where there is room to spare.
func (p *plan) spread() {
	for _, l := range p.lines {
		if l.fixed || l.limit >= len(l.full) || l.group != nil && l.group.n > 1 {
			continue
		}
		for _, limit := range []int{len(l.full), 4 * longValue, longValue, shortValue, outcomeValue} {
			if limit <= l.limit || limit > len(l.full) {
				continue
			}
			value, size := l.at(limit)
			body := p.body.plus(size).minus(l.size)
			if p.total(nil, body).tokens() <= p.max {
				l.limit, l.value, l.size, p.body = limit, value, size, body
				if l.group != nil {
					l.group.value = size
				}
				break
			}
		}
	}
}

// text writes the block.
func (p *plan) text() string {
	nodes := make([]int, len(p.lines))
	for i, l := range p.lines {
		nodes[i] = l.node
	}
	nodes = p.s.g.Order(nodes)
	var types tally
	for _, node := range nodes {
		types.add(p.at[node].typ, 1)
	}
	resume, last, failure, when := p.names(nil, p.last)
	var out strings.Builder
	out.WriteString(opening + legend)
	out.WriteString(mapLine(&types, resume, last, failure, when))
	first := make(map[*equals]string)
	for _, node := range nodes {
		l := p.at[node]
		value := l.value
		if key, ok := first[l.group]; ok && l.group != nil {
			value = sameAs(key)
		} else if l.group != nil {
			first[l.group] = l.key
		}
		var parents []string
		for _, parent := range l.parents {
			if shown := p.at[parent]; shown != nil {
				parents = append(parents, shown.key)
			}
		}
		l.text(&out, value, parents, node == p.s.resume)
	}
	out.WriteString(downstream(resume, p.below))
	out.WriteString(closing)
	return out.String()
}

// fact returns the fact of a node.
func (p *plan) fact(node int) *fact.Fact { return &p.s.g.Facts[node] }
