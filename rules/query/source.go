package query

import (
	"sort"

	"github.com/expr-lang/expr/parser/lexer"
)

// source is a query as it was written, and where the text that is compiled
// differs from it.
type source struct {
	text  string
	added []int // characters of the compiled text that were added, ascending
}

// rewrite returns the query with a pair of parentheses around every map
// literal. The language's own parser takes the brace after a comma for the
// beginning of a block, and so refuses map(memory, {key: .key}); parentheses
// change nothing else. Strings and nesting are the lexer's business.
func (s *source) rewrite(tokens []lexer.Token) string {
	partner := partners(tokens)
	insert := make(map[int][]rune) // before a character
	for i, t := range tokens {
		if end, ok := partner[i]; ok && t.Is(lexer.Bracket, "{") && startsMap(tokens, i, partner) {
			insert[t.From] = append(insert[t.From], '(')
			insert[tokens[end].To] = append([]rune{')'}, insert[tokens[end].To]...)
		}
	}
	if len(insert) == 0 {
		return s.text
	}
	in := []rune(s.text)
	out := make([]rune, 0, len(in)+2*len(insert))
	for i := 0; i <= len(in); i++ {
		for _, r := range insert[i] {
			s.added = append(s.added, len(out))
			out = append(out, r)
		}
		if i < len(in) {
			out = append(out, in[i])
		}
	}
	return string(out)
}

// column returns the place in the query, counted in characters from 1, of a
// character of the compiled text.
func (s *source) column(compiled int) int {
	return compiled - sort.SearchInts(s.added, compiled) + 1
}

// partners returns, for each opening bracket that is closed, the token that
// closes it.
func partners(tokens []lexer.Token) map[int]int {
	closes := map[string]string{")": "(", "]": "[", "}": "{"}
	partner := make(map[int]int)
	var open []int
	for i, t := range tokens {
		if t.Kind != lexer.Bracket {
			continue
		}
		opening, ok := closes[t.Value]
		if !ok {
			open = append(open, i)
			continue
		}
		if len(open) == 0 || tokens[open[len(open)-1]].Value != opening {
			return partner // not well formed: the parser will say so
		}
		partner[open[len(open)-1]] = i
		open = open[:len(open)-1]
	}
	return partner
}

// startsMap reports whether the brace at i begins a map literal: it is empty,
// or its first key is followed by a colon.
func startsMap(tokens []lexer.Token, i int, partner map[int]int) bool {
	key := i + 1
	switch t := tokens[key]; {
	case t.Is(lexer.Bracket, "}"):
		return true
	case t.Is(lexer.Bracket, "("):
		end, ok := partner[key]
		if !ok {
			return false
		}
		key = end
	case t.Kind != lexer.Identifier && t.Kind != lexer.String && t.Kind != lexer.Number && t.Kind != lexer.Operator:
		return false
	}
	return tokens[key+1].Is(lexer.Operator, ":")
}
