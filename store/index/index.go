// Package index finds entries of a project by their words.
//
// An Index is built from one [fact.View] and is immutable. Exact search is a
// substring scan under Unicode case folding: what contains the text is found,
// however many entries there are. Ranked search orders entries by BM25 over
// words and the parts of identifiers. The package stores nothing and asks
// nobody.
package index

import (
	"sort"
	"strings"
	"sync"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/kmemd/kmemd/store/fact"
)

// Hit is one entry found. Score is 0 for exact hits.
type Hit struct {
	Fact  *fact.Fact
	Score float64
}

// Index answers searches over one view. It may be shared.
type Index struct {
	view   *fact.View
	folded []string // key, then value, case-folded, one an entry
	recent []int    // positions, newest first
	once   sync.Once
	words  *postings
}

// New prepares a view for searching.
func New(v *fact.View) *Index {
	x := &Index{view: v, folded: make([]string, len(v.Facts)), recent: make([]int, len(v.Facts))}
	for i := range v.Facts {
		f := &v.Facts[i]
		x.folded[i] = Fold(f.Key) + "\x00" + Fold(f.Value)
		x.recent[i] = i
	}
	sort.SliceStable(x.recent, func(a, b int) bool {
		return newer(&v.Facts[x.recent[a]], &v.Facts[x.recent[b]])
	})
	return x
}

func newer(a, b *fact.Fact) bool {
	if a.UpdatedAt != b.UpdatedAt {
		return a.UpdatedAt > b.UpdatedAt
	}
	if a.Namespace != b.Namespace {
		return a.Namespace < b.Namespace
	}
	return a.Key < b.Key
}

// Fold makes two texts equal that differ only in case or in how their accents
// are composed.
func Fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	return cases.Fold().String(norm.NFC.String(s))
}

// Recent returns all entries, newest first.
func (x *Index) Recent() []*fact.Fact {
	out := make([]*fact.Fact, len(x.recent))
	for i, p := range x.recent {
		out[i] = &x.view.Facts[p]
	}
	return out
}

// Exact returns the entries whose key or value contains the query, newest
// first; an entry whose key equals the query stands in front.
func (x *Index) Exact(query string) []Hit {
	q := Fold(query)
	if q == "" {
		return nil
	}
	var out []Hit
	for _, p := range x.recent {
		text := x.folded[p]
		if !strings.Contains(text, q) {
			continue
		}
		hit := Hit{Fact: &x.view.Facts[p]}
		if strings.HasPrefix(text, q) && text[len(q)] == 0 {
			out = append([]Hit{hit}, out...)
			continue
		}
		out = append(out, hit)
	}
	return out
}

// Ranked returns the entries that hold words of the query, best first; at equal
// merit the newer one.
func (x *Index) Ranked(query string) []Hit {
	x.once.Do(func() { x.words = newPostings(x.view) })
	terms := uniq(Words(query))
	if len(terms) == 0 {
		return nil
	}
	scores := map[int32]float64{}
	for _, t := range terms {
		x.words.score(t, scores)
	}
	out := make([]Hit, 0, len(scores))
	for p, s := range scores {
		out = append(out, Hit{Fact: &x.view.Facts[p], Score: s})
	}
	sort.Slice(out, func(a, b int) bool {
		if out[a].Score != out[b].Score {
			return out[a].Score > out[b].Score
		}
		return newer(out[a].Fact, out[b].Fact)
	})
	return out
}

func uniq(words []string) []string {
	seen := map[string]bool{}
	out := words[:0]
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// View returns the view that the index was built from.
func (x *Index) View() *fact.View { return x.view }
