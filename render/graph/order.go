package graph

import (
	"cmp"
	"slices"
)

// Order returns the nodes in the order in which they are told: parents before
// children, chains kept together, the chain with the newest member last, ties
// by (createdAt, key). A cycle is broken at its newest edge.
//
// An entry whose parent is not among the nodes counts as a child of that
// parent's nearest ancestors which are, so that leaving out a link does not
// tear a chain apart.
func (g *Graph) Order(nodes []int) []int {
	o := newOrdering(g, nodes)
	o.link()
	o.measure()
	return o.walk()
}

// ordering is the work of one Order. Its slices run over positions in nodes.
type ordering struct {
	g        *Graph
	nodes    []int // oldest first
	at       map[int]int
	parents  [][]int
	children [][]int
	newest   []int64 // of a node and all that follows from it
	chain    []int   // representative of the chain a node belongs to
}

func newOrdering(g *Graph, nodes []int) *ordering {
	o := &ordering{
		g: g, nodes: slices.Clone(nodes), at: make(map[int]int, len(nodes)),
		parents: make([][]int, len(nodes)), children: make([][]int, len(nodes)),
		newest: make([]int64, len(nodes)), chain: make([]int, len(nodes)),
	}
	slices.SortFunc(o.nodes, g.older)
	for i, n := range o.nodes {
		o.at[n] = i
		o.chain[i] = i
	}
	return o
}

// link sets parents and children. Entries are taken from the least recently
// changed on, and an edge that would close a cycle is left out: it is the
// newest of that cycle.
func (o *ordering) link() {
	byChange := make([]int, len(o.nodes))
	for i := range byChange {
		byChange[i] = i
	}
	slices.SortFunc(byChange, func(a, b int) int {
		return cmp.Or(cmp.Compare(o.updated(a), o.updated(b)), cmp.Compare(a, b))
	})
	for _, child := range byChange {
		below := o.below(child)
		for _, parent := range o.shownParents(child) {
			if below[parent] {
				continue
			}
			o.parents[child] = append(o.parents[child], parent)
			o.children[parent] = append(o.children[parent], child)
			o.join(child, parent)
		}
	}
}

func (o *ordering) updated(i int) int64 { return o.g.Facts[o.nodes[i]].UpdatedAt }

// shownParents returns the positions of a node's nearest ancestors among the
// nodes, itself left out.
func (o *ordering) shownParents(child int) []int {
	var found []int
	seen := map[int]bool{o.nodes[child]: true}
	queue := o.g.Parents(o.nodes[child])
	for len(queue) > 0 && len(seen) < maxVisited {
		n := queue[0]
		queue = queue[1:]
		if seen[n] {
			continue
		}
		seen[n] = true
		if i, ok := o.at[n]; ok {
			found = append(found, i)
			continue
		}
		queue = append(queue, o.g.Parents(n)...)
	}
	return found
}

// below returns what follows from a node by the edges set so far.
func (o *ordering) below(node int) map[int]bool {
	if len(o.children[node]) == 0 {
		return nil
	}
	seen := make(map[int]bool)
	stack := slices.Clone(o.children[node])
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !seen[n] {
			seen[n] = true
			stack = append(stack, o.children[n]...)
		}
	}
	return seen
}

// join makes two nodes members of one chain.
func (o *ordering) join(a, b int) {
	a, b = o.root(a), o.root(b)
	if a != b {
		o.chain[max(a, b)] = min(a, b)
	}
}

// root returns the representative of a node's chain.
func (o *ordering) root(n int) int {
	for o.chain[n] != n {
		o.chain[n] = o.chain[o.chain[n]]
		n = o.chain[n]
	}
	return n
}

// measure works out the newest change in each node and all that follows from
// it, children before parents.
func (o *ordering) measure() {
	open := make([]int, len(o.nodes)) // children not measured yet
	var ready []int
	for i := range o.nodes {
		o.newest[i] = o.updated(i)
		if open[i] = len(o.children[i]); open[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		n := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for _, p := range o.parents[n] {
			o.newest[p] = max(o.newest[p], o.newest[n])
			if open[p]--; open[p] == 0 {
				ready = append(ready, p)
			}
		}
	}
}

// walk gives the order: chain by chain, and within a chain branch by branch,
// what changed last at the end.
func (o *ordering) walk() []int {
	last := make([]int64, len(o.nodes)) // newest change of a chain, at its representative
	var roots []int
	for i := range o.nodes {
		last[o.root(i)] = max(last[o.root(i)], o.newest[i])
		if len(o.parents[i]) == 0 {
			roots = append(roots, i)
		}
	}
	slices.SortFunc(roots, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(last[o.root(a)], last[o.root(b)]),
			cmp.Compare(o.root(a), o.root(b)),
			o.byBranch(a, b),
		)
	})
	missing := make([]int, len(o.nodes)) // parents not told yet
	for i := range missing {
		missing[i] = len(o.parents[i])
	}
	out := make([]int, 0, len(o.nodes))
	slices.Reverse(roots)
	stack := roots // the next one is at the end
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		out = append(out, o.nodes[n])
		var next []int
		for _, c := range o.children[n] {
			if missing[c]--; missing[c] == 0 {
				next = append(next, c)
			}
		}
		slices.SortFunc(next, func(a, b int) int { return o.byBranch(b, a) })
		stack = append(stack, next...)
	}
	return out
}

// byBranch orders positions by the newest change of what follows from them,
// then by age: positions run oldest first.
func (o *ordering) byBranch(a, b int) int {
	return cmp.Or(cmp.Compare(o.newest[a], o.newest[b]), cmp.Compare(a, b))
}
