package render

import (
	"slices"
	"strings"

	"github.com/kmemd/kmemd/render/graph"
	"github.com/kmemd/kmemd/store/fact"
)

// The limits of values, in bytes. A value is shown up to the first of them and
// is cut further where that does not fit.
const (
	wholeValue   = 8192 // no more is shown of any value
	longValue    = 1100 // also the most that a checkpoint may take
	shortValue   = 500
	outcomeValue = 240 // of older outcomes and their prompts
	leastValue   = 160
)

const (
	chainLength = 8  // entries of a chain that are kept for the sake of one of them
	bestMatches = 5  // entries that match the prompt
	patience    = 64 // entries that do not fit before a group is given up
)

// fill takes entries in the order in which they are worth their room. Where
// there is a place to go on and not even its line fits, nothing is taken.
func (p *plan) fill(prompt string) {
	s := p.s
	if s.resume >= 0 {
		if !p.addBest(s.resume, longValue) {
			return
		}
		p.ancestors(s.resume)
	}
	if s.failure >= 0 && p.keep(s.failure) {
		p.ancestors(s.failure)
	}
	for _, node := range p.matches(prompt) {
		if p.keep(node) {
			p.ancestors(node)
		}
	}
	for t := range s.turns {
		for part := range s.turns[t] {
			p.drain(&s.turns[t][part])
		}
	}
	p.drain(&s.written)
	p.newest(&s.decisions, 6)
	p.newest(&s.preference, 5)
	p.newest(&s.context, 5)
	p.newest(&s.tasks, 5)
	p.newest(&s.checks, 5)
	p.newest(&s.vcs, 5)
	p.drain(&s.files)
	if s.checkpoint >= 0 {
		p.keep(s.checkpoint)
	}
	p.outcomes()
	p.lastActions()
	p.drain(&s.all)
	if len(p.lines) == 0 && s.newest >= 0 {
		p.addBest(s.newest, shortValue) // better a little of one than nothing
	}
	p.spread()
}

// keep takes an entry, with its value cut as far as it must be.
func (p *plan) keep(node int) bool {
	return p.add(node, longValue, shortValue, outcomeValue, leastValue)
}

// ancestors takes the nearest ancestors of an entry.
func (p *plan) ancestors(node int) {
	for _, n := range p.s.g.Ancestors(node, chainLength-1, p.s.plain) {
		p.keep(n)
	}
}

// drain takes all of a group that fits, newest first.
func (p *plan) drain(q *queue) {
	for misses := 0; misses < patience && !p.full(); {
		node, ok := q.pop(p.s.g)
		if !ok {
			return
		}
		if !p.keep(node) {
			misses++
		}
	}
}

// newest takes the newest n of a group.
func (p *plan) newest(q *queue, n int) {
	for range n {
		node, ok := q.pop(p.s.g)
		if !ok {
			return
		}
		p.keep(node)
	}
}

// outcomes takes the outcomes of older turns with their prompts, first all
// that fit with longer values, then with shorter ones.
func (p *plan) outcomes() {
	var tried []int
	for misses := 0; misses < patience && !p.full(); {
		node, ok := p.s.outcomes.pop(p.s.g)
		if !ok {
			break
		}
		tried = append(tried, node)
		if !p.pair(node, outcomeValue) {
			misses++
		}
	}
	for _, node := range tried {
		p.pair(node, leastValue)
	}
}

// pair takes an outcome and the prompt it answers, and reports whether the
// outcome is in the block.
func (p *plan) pair(outcome, limit int) bool {
	if !p.brief(outcome, limit) {
		return false
	}
	if prompt, ok := p.promptOf(outcome); ok {
		p.brief(prompt, limit)
	}
	return true
}

// brief takes an entry with no more of its value than the limit.
func (p *plan) brief(node, limit int) bool {
	before := p.at[node]
	if !p.add(node, limit) {
		return false
	}
	if before == nil {
		p.at[node].fixed = true
	}
	return true
}

// promptOf returns the prompt that an outcome answers.
func (p *plan) promptOf(outcome int) (int, bool) {
	isPrompt := func(n int) bool { return p.fact(n).Type == fact.Prompt && p.s.plain(n) }
	f := p.fact(outcome)
	if slug, ok := strings.CutPrefix(f.Key, "result:"); ok {
		if n, ok := p.s.g.Find(f.Namespace, "prompt:"+slug); ok && isPrompt(n) {
			return n, true
		}
	}
	if up := p.s.g.Ancestors(outcome, 1, isPrompt); len(up) == 1 {
		return up[0], true
	}
	return 0, false
}

// lastActions takes captured last actions where the outcome of their turn is
// not shown.
func (p *plan) lastActions() {
	for _, node := range p.s.actions {
		if !p.showsOutcome(p.fact(node).Turn) {
			p.s.visible++
			p.keep(node)
		}
	}
}

// showsOutcome reports whether the outcome of a turn is in the block.
func (p *plan) showsOutcome(turn string) bool {
	for _, l := range p.lines {
		if f := p.fact(l.node); f.Captured() && f.Row == fact.RowOutcome && f.Turn == turn && turn != "" {
			return true
		}
	}
	return false
}

// matches returns the entries that match the prompt best, best first. The
// newest turn's own prompt is none of them: it is kept anyway.
func (p *plan) matches(prompt string) []int {
	words := newSearch(prompt)
	if len(words.words) == 0 {
		return nil
	}
	var best []match
	for _, q := range p.s.all.items {
		f := p.fact(q.node)
		score := words.score(f.Key, f.Value)
		if score == 0 || p.s.turn(f) == 0 && (f.Row == fact.RowPrompt || f.Row == fact.RowOpenTurn) {
			continue
		}
		if !f.Type.Low() {
			score++
		}
		best = insertMatch(best, match{q.node, score}, p.s.g)
	}
	nodes := make([]int, len(best))
	for i, m := range best {
		nodes[i] = m.node
	}
	return nodes
}

// match is an entry that matches the prompt.
type match struct{ node, score int }

// insertMatch adds a match to the list of the best.
func insertMatch(best []match, m match, g *graph.Graph) []match {
	at := len(best)
	for at > 0 && (best[at-1].score < m.score || best[at-1].score == m.score && g.Newer(m.node, best[at-1].node) < 0) {
		at--
	}
	if at == bestMatches {
		return best
	}
	best = slices.Insert(best, at, m)
	return best[:min(len(best), bestMatches)]
}
