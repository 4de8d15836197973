package render

import "unicode/utf8"

// Tokens estimates how many tokens a text costs: its ASCII bytes divided by
// four, rounded up, plus one for every other character.
func Tokens(s string) int { return measure(s).tokens() }

// cost is what a text costs, in the parts of the estimate, so that the costs
// of pieces can be added up.
type cost struct {
	ascii int // bytes
	wide  int // other characters
}

func measure(s string) cost {
	var c cost
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			c.ascii++
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		c.wide++
		i += size
	}
	return c
}

func (c cost) tokens() int { return (c.ascii+3)/4 + c.wide }

func (c cost) plus(d cost) cost { return cost{c.ascii + d.ascii, c.wide + d.wide} }

func (c cost) minus(d cost) cost { return cost{c.ascii - d.ascii, c.wide - d.wide} }

func (c cost) times(n int) cost { return cost{c.ascii * n, c.wide * n} }

// atLeast returns a cost that is neither below c nor below d.
func (c cost) atLeast(d cost) cost { return cost{max(c.ascii, d.ascii), max(c.wide, d.wide)} }
