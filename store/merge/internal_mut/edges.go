package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// edge to the parent of a captured entry: the first key that may be it whose
// winner is of the child's session and not later, else the turn's prompt under
// the same test. winner gives what won a key of the default namespace, nil for
// an absent one.
func parent(child *candidate, prompt string, winner func(key string) *candidate) []string {
	fits := func(key string) bool {
		if key == "" || key == child.key {
			return false
		}
		p := winner(key)
		return p != nil && p.Session == child.Session && !p.later(child)
	}
	for _, key := range child.up {
		if fits(key) {
			return []string{key}
		}
	}
	if fits(prompt) {
		return []string{prompt}
	}
	return nil
}

// chain finds the parents of saved entries that were given none: the newest
// entry of the parent's type at or before them.
type chain map[chainKey][]link

type chainKey struct {
	namespace string
	typ       fact.Type
}

// link is an entry that may be a parent.
type link struct {
	time int64
	key  string
}

func (a link) compare(b link) int {
	return cmp.Or(cmp.Compare(a.time, b.time), strings.Compare(a.key, b.key))
}

// linkable are the types that parents have.
func linkable(t fact.Type) bool {
	switch t {
	case fact.Result, fact.ToolResult, fact.Progress, fact.Purpose, fact.Prompt:
		return true
	}
	return false
}

// add takes an entry in; sort must follow before parent is asked.
func (c chain) add(f *fact.Fact) {
	if linkable(f.Type) {
		k := chainKey{f.Namespace, f.Type}
		c[k] = append(c[k], link{f.UpdatedAt, f.Key})
	}
}

func (c chain) sort() {
	for _, list := range c {
		slices.SortFunc(list, link.compare)
	}
}

// parent returns the edge of a saved entry.
func (c chain) parent(f *fact.Fact) []string {
	for _, typ := range f.Type.Parents() {
		list := c[chainKey{f.Namespace, typ}]
		at, _ := slices.BinarySearchFunc(list, f.UpdatedAt, func(l link, t int64) int {
			if l.time <= t {
				return -1
			}
			return 1
		})
		for at--; at >= 0; at-- {
			if list[at].key != f.Key {
				return []string{list[at].key}
			}
		}
	}
	return nil
}
