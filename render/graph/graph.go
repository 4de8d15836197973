// Package graph answers questions about how the facts of a view hang
// together: parents and children, the order in which they are told, where to
// go on and what is broken.
//
// It holds pure functions over a fact.View. It does not render, and changes
// nothing: two calls with the same view give the same answer, in whatever
// order the view's facts stand.
package graph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// maxParents bounds how many of an entry's references are followed, so that a
// caller's endless list costs no one but the caller.
const maxParents = 64

// Graph is a view as a graph. Its nodes are the indexes of Facts, its edges
// lead from a child to the entries it refers to. It is immutable and may be
// shared.
type Graph struct {
	// Facts are the view's, ordered by namespace and key.
	Facts []fact.Fact
}

// New returns the graph of a view. It keeps the view's facts, so the view must
// not change; facts that stand in another order than a view promises are
// copied and sorted.
func New(v *fact.View) *Graph {
	for i := 1; i < len(v.Facts); i++ {
		if !before(&v.Facts[i-1], &v.Facts[i]) {
			facts := slices.Clone(v.Facts)
			slices.SortFunc(facts, byName)
			return &Graph{Facts: facts}
		}
	}
	return &Graph{Facts: v.Facts}
}

// before reports whether a fact stands before another by namespace and key.
func before(a, b *fact.Fact) bool {
	return a.Key < b.Key && a.Namespace == b.Namespace || a.Namespace < b.Namespace
}

// byName orders facts by namespace and key.
func byName(a, b fact.Fact) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Key, b.Key))
}

// Find returns the node of a key in a namespace.
func (g *Graph) Find(namespace, key string) (int, bool) {
	lo, hi := 0, len(g.Facts)
	for lo < hi {
		mid := (lo + hi) / 2
		f := &g.Facts[mid]
		if f.Namespace < namespace || f.Namespace == namespace && f.Key < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(g.Facts) && g.Facts[lo].Key == key && g.Facts[lo].Namespace == namespace
}

// Parents returns the entries that a node refers to, in the order of its
// references, each once. What does not exist is left out, and no entry is its
// own parent. A key is looked for in the entry's own namespace first.
func (g *Graph) Parents(node int) []int {
	f := &g.Facts[node]
	if len(f.References) == 0 {
		return nil
	}
	parents := make([]int, 0, min(len(f.References), maxParents))
	for _, key := range f.References[:min(len(f.References), maxParents)] {
		p, ok := g.Find(f.Namespace, key)
		if !ok && f.Namespace != "" {
			p, ok = g.Find("", key)
		}
		if ok && p != node && !slices.Contains(parents, p) {
			parents = append(parents, p)
		}
	}
	return parents
}

// Children returns the entries that refer to a node, oldest first.
func (g *Graph) Children(node int) []int {
	key := g.Facts[node].Key
	var children []int
	for i := range g.Facts {
		if slices.Contains(g.Facts[i].References, key) && slices.Contains(g.Parents(i), node) {
			children = append(children, i)
		}
	}
	slices.SortFunc(children, g.older)
	return children
}

// Ancestors returns up to limit ancestors of a node that want accepts, nearest
// first; the way may lead through ancestors that it does not accept. Want may
// be nil for all.
func (g *Graph) Ancestors(node, limit int, want func(int) bool) []int {
	var found []int
	seen := map[int]bool{node: true}
	queue := g.Parents(node)
	for len(queue) > 0 && len(found) < limit && len(seen) < maxVisited {
		n := queue[0]
		queue = queue[1:]
		if seen[n] {
			continue
		}
		seen[n] = true
		if want == nil || want(n) {
			found = append(found, n)
		}
		queue = append(queue, g.Parents(n)...)
	}
	return found
}

// maxVisited bounds the search for ancestors: what is further away is not
// near in any useful sense.
const maxVisited = 256

// older orders nodes by (createdAt, key, namespace).
func (g *Graph) older(a, b int) int {
	x, y := &g.Facts[a], &g.Facts[b]
	return cmp.Or(
		cmp.Compare(x.CreatedAt, y.CreatedAt),
		strings.Compare(x.Key, y.Key),
		strings.Compare(x.Namespace, y.Namespace),
	)
}

// Newer orders nodes by the time of their last change, newest first, then by
// key and namespace.
func (g *Graph) Newer(a, b int) int {
	x, y := &g.Facts[a], &g.Facts[b]
	return cmp.Or(
		cmp.Compare(y.UpdatedAt, x.UpdatedAt),
		strings.Compare(x.Key, y.Key),
		strings.Compare(x.Namespace, y.Namespace),
	)
}
