package main

import (
	"strings"
	"unicode"
)

// table prints rows in columns. The last column takes the rest of the
// terminal's width and is cut there; elsewhere nothing is cut.
type table struct {
	out  *out
	rows [][]styled
}

// head sets the titles of the columns.
func (t *table) head(titles ...string) {
	row := make([]styled, len(titles))
	for i, title := range titles {
		row[i] = styled{title, faint}
	}
	t.rows = append(t.rows, row)
}

// add adds a row of strings and styled text.
func (t *table) add(cells ...any) {
	row := make([]styled, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case styled:
			row[i] = styled{oneLine(c.text), c.style}
		case string:
			row[i] = styled{oneLine(c), plain}
		}
	}
	t.rows = append(t.rows, row)
}

// print prints the rows that were added.
func (t *table) print() {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(c.text))
		}
	}
	for _, row := range t.rows {
		var parts []any
		used := 0
		for i, c := range row {
			if i == len(row)-1 {
				if t.out.width > 0 {
					c.text = fit(c.text, max(t.out.width-used, 10))
				}
				parts = append(parts, c)
				break
			}
			pad := widths[i] - width(c.text) + 2
			parts = append(parts, c, strings.Repeat(" ", pad))
			used += widths[i] + 2
		}
		t.out.line(parts...)
	}
}

// width is how many columns of a terminal a text takes, nearly.
func width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	default:
		return 1
	}
}

// fit cuts a text to a number of columns. What is cut ends in "...".
func fit(s string, columns int) string {
	if width(s) <= columns {
		return s
	}
	n := 0
	for i, r := range s {
		if n += runeWidth(r); n > columns-3 {
			return s[:i] + "..."
		}
	}
	return s
}
