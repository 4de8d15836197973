package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func searchCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "search", Usage: "find entries by a text in key or value", ArgsUsage: "QUERY", Category: groupMemory,
		Flags: []cli.Flag{
			limitFlag(20), typeFlag(),
			&cli.BoolFlag{Name: "rank", Usage: "order by relevance; takes whole questions"},
			&cli.BoolFlag{Name: "turns", Usage: "look into the conversations, too"},
			&cli.BoolFlag{Name: "all", Usage: "in every project"},
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			n, err := limit(c)
			if err != nil {
				return err
			}
			params := api.SearchParams{
				Cwd: k.cwd, Query: c.Args().First(), Limit: min(n, api.MaxLimit), Type: c.String("type"),
				Rank: c.Bool("rank"), Turns: c.Bool("turns"), All: c.Bool("all"),
			}
			r, raw, err := ask[api.SearchResult](k, api.MethodSearch, params)
			switch {
			case err != nil:
				return err
			case k.out.json:
				k.out.document(raw)
				if len(r.Hits) == 0 {
					return &codedError{code: exitNo}
				}
			case len(r.Hits) == 0:
				return nof("nothing matches %q", params.Query)
			default:
				printHits(k, r, params)
			}
			return nil
		},
	}
}

func printHits(k *ctl, r api.SearchResult, params api.SearchParams) {
	if r.Inexact {
		k.out.note("nothing holds %q; closest", params.Query)
	}
	words := []string{params.Query}
	if r.Inexact || params.Rank {
		words = strings.Fields(params.Query)
	}
	for i := range r.Hits {
		h := &r.Hits[i]
		e := &h.Entry
		head := []any{highlight(oneLine(e.Key), words, bold), " [", styled{string(e.Type), typeStyle(e.Type)}, "] ", styled{age(e.UpdatedAt), faint}}
		if params.All {
			head = append(head, " ", styled{oneLine(home(h.Project)), faint})
		}
		k.out.line(head...)
		k.out.line("  ", highlight(around(oneLine(e.Value), words), words, plain))
	}
	if n := len(r.Hits); n > 0 && r.Total > n {
		k.out.note("%d of %d; see --limit", n, r.Total)
	}
}

// around cuts a long value to the part with the first match.
func around(value string, words []string) string {
	if len(value) <= preview {
		return value
	}
	first := len(value)
	for _, w := range words {
		if at, _ := foldIndex(value, w); at >= 0 {
			first = min(first, at)
		}
	}
	if first < preview/2 || first == len(value) {
		return cut(value, preview)
	}
	start := first - preview/3
	for !utf8.RuneStart(value[start]) {
		start++
	}
	return "..." + cut(value[start:], preview)
}

// highlight marks every match of one of some words.
func highlight(s string, words []string, rest style) []styled {
	var parts []styled
	for s != "" {
		at, length := -1, 0
		for _, w := range words {
			if i, n := foldIndex(s, w); i >= 0 && (at < 0 || i < at || i == at && n > length) {
				at, length = i, n
			}
		}
		if at < 0 {
			break
		}
		if at > 0 {
			parts = append(parts, styled{s[:at], rest})
		}
		parts = append(parts, styled{s[at : at+length], mark})
		s = s[at+length:]
	}
	if s != "" {
		parts = append(parts, styled{s, rest})
	}
	return parts
}

// foldIndex returns where the first match of word begins and how long it is,
// -1 without one. Case does not matter, so the match may be longer or shorter
// than the word.
func foldIndex(s, word string) (at, length int) {
	if word == "" {
		return -1, 0
	}
	for i := range s {
		if n := foldPrefix(s[i:], word); n > 0 {
			return i, n
		}
	}
	return -1, 0
}

// foldPrefix returns how much of s the word matches at its beginning, 0: none.
func foldPrefix(s, word string) int {
	n := 0
	for _, w := range word {
		r, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || !sameFold(r, w) {
			return 0
		}
		n += size
	}
	return n
}

func sameFold(a, b rune) bool {
	if a == b {
		return true
	}
	for r := unicode.SimpleFold(a); r != a; r = unicode.SimpleFold(r) {
		if r == b {
			return true
		}
	}
	return false
}
