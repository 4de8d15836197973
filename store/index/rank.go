package index

import (
	"math"

	"github.com/kmemd/kmemd/store/fact"
)

// The parameters of BM25, and how much more a word in a key weighs.
const (
	k1        = 1.2
	b         = 0.75
	keyWeight = 2
)

// posting says how often a word stands in an entry, weighted.
type posting struct {
	entry int32
	count float32
}

type postings struct {
	of      map[string][]posting
	lengths []float32
	average float64
}

func newPostings(v *fact.View) *postings {
	p := &postings{of: map[string][]posting{}, lengths: make([]float32, len(v.Facts))}
	var total float64
	counts := map[string]float32{}
	for i := range v.Facts {
		clear(counts)
		for _, w := range Words(v.Facts[i].Key) {
			counts[w] += keyWeight
		}
		for _, w := range Words(v.Facts[i].Value) {
			counts[w]++
		}
		var n float32
		for w, c := range counts {
			p.of[w] = append(p.of[w], posting{int32(i), c})
			n += c
		}
		p.lengths[i] = n
		total += float64(n)
	}
	if len(v.Facts) > 0 {
		p.average = max(total/float64(len(v.Facts)), 1)
	}
	return p
}

// score adds what a word is worth to each entry that holds it.
func (p *postings) score(word string, scores map[int32]float64) {
	list := p.of[word]
	if len(list) == 0 {
		return
	}
	n := float64(len(p.lengths))
	idf := math.Log(1 + (n-float64(len(list))+0.5)/(float64(len(list))+0.5))
	for _, e := range list {
		f := float64(e.count)
		length := float64(p.lengths[e.entry])
		scores[e.entry] += idf * f * (k1 + 1) / (f + k1*(1-b+b*length/p.average))
	}
}
