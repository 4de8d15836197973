package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/store/fact"
)

// keys returns the keys of nodes, blank-separated.
func keys(g *Graph, nodes []int) string {
	var out []string
	for _, n := range nodes {
		out = append(out, g.Facts[n].Key)
	}
	return strings.Join(out, " ")
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		facts []fact.Fact
		want  string
	}{
		{"nothing", nil, ""},
		{"by age", []fact.Fact{saved("z", "", 1), saved("a", "", 3), saved("m", "", 2)}, "z m a"},
		{"ties by key", []fact.Fact{saved("b", "", 1), saved("a", "", 1)}, "a b"},
		{"parents first", []fact.Fact{saved("kid", "", 1, refs("old")), saved("old", "", 2)}, "old kid"},
		{"two parents", []fact.Fact{saved("kid", "", 9, refs("p2", "p1")), saved("p1", "", 2), saved("p2", "", 1)}, "p2 p1 kid"},
		{"the chain with the newest member last", []fact.Fact{
			saved("a1", "", 1), saved("a2", "", 9, refs("a1")), saved("b1", "", 2), saved("b2", "", 8, refs("b1")),
		}, "b1 b2 a1 a2"},
		{"branches together, the newest last", []fact.Fact{
			saved("root", "", 1), saved("x1", "", 2, refs("root")), saved("y1", "", 3, refs("root")),
			saved("x2", "", 9, refs("x1")), saved("y2", "", 5, refs("y1")),
		}, "root y1 y2 x1 x2"},
		{"a cycle breaks at its newest edge", []fact.Fact{
			saved("a", "", 1, refs("c")), saved("b", "", 2, refs("a")), saved("c", "", 3, refs("b")),
		}, "c a b"},
		{"a cycle of changed entries", []fact.Fact{
			saved("a", "", 1, refs("c"), changed(9)), saved("b", "", 2, refs("a")), saved("c", "", 3, refs("b")),
		}, "a b c"},
		{"no entry is its own parent", []fact.Fact{saved("a", "", 1, refs("a")), saved("b", "", 2, refs("a", "b"))}, "a b"},
		{"what does not exist is no parent", []fact.Fact{saved("a", "", 1, refs("gone")), saved("b", "", 2)}, "a b"},
		{"namespaces first look at home", []fact.Fact{
			saved("p", "", 1, namespaced("n")), saved("p", "", 9), saved("k", "", 5, refs("p"), namespaced("n")),
		}, "p k p"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := New(view(nil, test.facts...))
			nodes := make([]int, len(g.Facts))
			for i := range nodes {
				nodes[i] = i
			}
			if got := keys(g, g.Order(nodes)); got != test.want {
				t.Errorf("order %q, want %q", got, test.want)
			}
			slices.Reverse(nodes)
			if got := keys(g, g.Order(nodes)); got != test.want {
				t.Errorf("order of the reversed nodes %q, want %q", got, test.want)
			}
		})
	}
}

// TestOrderGap holds that leaving out a link does not tear a chain apart.
func TestOrderGap(t *testing.T) {
	t.Parallel()
	g := New(view(nil,
		saved("ask", "", 1), saved("step", "", 2, refs("ask")), saved("answer", "", 9, refs("step")), saved("other", "", 5)))
	ask, _ := g.Find("", "ask")
	answer, _ := g.Find("", "answer")
	other, _ := g.Find("", "other")
	if got, want := keys(g, g.Order([]int{answer, ask, other})), "other ask answer"; got != want {
		t.Errorf("order %q, want %q", got, want)
	}
}

func TestOrderProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "facts")
		var facts []fact.Fact
		for i := range n {
			var parents []string
			for range rapid.IntRange(0, 3).Draw(t, "parents") {
				parents = append(parents, fmt.Sprintf("k%02d", rapid.IntRange(0, n-1).Draw(t, "parent")))
			}
			at := rapid.Int64Range(0, 5).Draw(t, "created")
			facts = append(facts, saved(fmt.Sprintf("k%02d", i), "", at, refs(parents...), changed(at+rapid.Int64Range(0, 5).Draw(t, "changed"))))
		}
		g := New(view(nil, facts...))
		nodes := rapid.Permutation(upTo(n)).Draw(t, "nodes")
		order := g.Order(nodes)
		if diff := cmp.Diff(upTo(n), slices.Sorted(slices.Values(order))); diff != "" {
			t.Fatalf("nodes told (-want +got):\n%s", diff)
		}
		at := make([]int, n)
		for i, node := range order {
			at[node] = i
		}
		for node := range n {
			for _, parent := range g.Parents(node) {
				if at[parent] > at[node] && !slices.Contains(g.Ancestors(parent, n, nil), node) {
					t.Errorf("%s stands before its parent %s", g.Facts[node].Key, g.Facts[parent].Key)
				}
			}
		}
	})
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestAncestorsAndChildren(t *testing.T) {
	t.Parallel()
	g := New(view(nil,
		saved("prompt:a", "", 1), saved("progress:a", "", 2, refs("prompt:a")), saved("tool:a", "", 3, refs("progress:a", "x")),
		saved("result:a", "", 4, refs("tool:a")), saved("x", "", 3, refs("result:a"))))
	node, ok := g.Find("", "result:a")
	if !ok {
		t.Fatal("result:a is not found")
	}
	if got, want := keys(g, g.Ancestors(node, 9, nil)), "tool:a progress:a x prompt:a"; got != want {
		t.Errorf("ancestors %q, want %q", got, want)
	}
	if got, want := keys(g, g.Ancestors(node, 2, nil)), "tool:a progress:a"; got != want {
		t.Errorf("two ancestors %q, want %q", got, want)
	}
	isPrompt := func(n int) bool { return g.Facts[n].Type == fact.Prompt }
	if got, want := keys(g, g.Ancestors(node, 9, isPrompt)), "prompt:a"; got != want {
		t.Errorf("prompts above %q, want %q", got, want)
	}
	if got, want := keys(g, g.Children(node)), "x"; got != want {
		t.Errorf("children %q, want %q", got, want)
	}
	if _, ok := g.Find("", "nope"); ok {
		t.Error("found what does not exist")
	}
}
