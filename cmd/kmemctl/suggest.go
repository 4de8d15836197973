package main

import (
	"fmt"
	"slices"
	"strings"
)

// didYouMean names the nearest of some words, written with before in front, or
// nothing where none is near.
func didYouMean(word, before string, known []string) string {
	best, distance := "", 3
	slices.Sort(known)
	for _, k := range known {
		d := edits(strings.ToLower(word), k)
		if strings.HasPrefix(k, strings.ToLower(word)) && len(word) > 2 {
			d = min(d, 1)
		}
		if d < distance && d < len(k) {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(". Did you mean %q?", before+best)
}

// edits is how many characters must be added, left out, replaced or swapped
// with their neighbour to make b of a.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > 40 || len(t) > 40 {
		return 40
	}
	var before []int // two rows up, for swaps
	above := make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row := make([]int, len(t)+1)
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(t)]
}
