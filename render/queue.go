package render

import "github.com/kmemd/kmemd/render/graph"

// queue gives facts newest first. It is built in one go and put in order only
// as far as it is emptied, so that a block costs what it shows, not what there
// is.
type queue struct {
	items  []queued
	heaped bool
}

// queued is a fact with its time, which stands beside it so that ordering does
// not go through the facts.
type queued struct {
	time int64
	node int
}

// push adds a fact. It must not follow a pop.
func (q *queue) push(node int, time int64) { q.items = append(q.items, queued{time, node}) }

// pop removes and returns the newest fact.
func (q *queue) pop(g *graph.Graph) (int, bool) {
	if !q.heaped {
		for i := len(q.items)/2 - 1; i >= 0; i-- {
			q.sink(g, i)
		}
		q.heaped = true
	}
	if len(q.items) == 0 {
		return 0, false
	}
	top := q.items[0]
	last := len(q.items) - 1
	q.items[0] = q.items[last]
	q.items = q.items[:last]
	q.sink(g, 0)
	return top.node, true
}

// sink moves the item at i down to its place in the heap.
func (q *queue) sink(g *graph.Graph, i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(q.items); c++ {
			if q.before(g, c, least) {
				least = c
			}
		}
		if least == i {
			return
		}
		q.items[i], q.items[least] = q.items[least], q.items[i]
		i = least
	}
}

// before reports whether the item at a comes before the one at b.
func (q *queue) before(g *graph.Graph, a, b int) bool {
	x, y := q.items[a], q.items[b]
	if x.time != y.time {
		return x.time > y.time
	}
	return g.Newer(x.node, y.node) < 0
}
