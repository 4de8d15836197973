package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func graphCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "graph", Usage: "what follows from what", Category: groupMemory,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "as `FORM`, one of text, dot, mermaid", Value: "text"},
			&cli.StringFlag{Name: "key", Usage: "only what `KEY` comes from and leads to"},
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			draw, ok := map[string]func(*ctl, api.GraphResult){"text": drawText, "dot": drawDOT, "mermaid": drawMermaid}[c.String("format")]
			if !ok {
				return usagef("there is no format %q; there are text, dot and mermaid", c.String("format"))
			}
			return show(k, api.MethodGraph, api.GraphParams{Cwd: k.cwd, Key: c.String("key")}, func(r api.GraphResult) error {
				if len(r.Nodes) == 0 {
					k.out.note("no entries")
					return nil
				}
				draw(k, r)
				return nil
			})
		},
	}
}

// tree prints a graph as an outline. An entry with several parents stands in
// full below the first, and by its key below the others.
type tree struct {
	k        *ctl
	nodes    map[string]api.Node
	children map[string][]string
	shown    map[string]bool
}

func drawText(k *ctl, r api.GraphResult) {
	t := &tree{k, map[string]api.Node{}, map[string][]string{}, map[string]bool{}}
	for _, n := range r.Nodes {
		t.nodes[n.Key] = n
	}
	under := map[string]bool{}
	for _, e := range r.Edges {
		if _, ok := t.nodes[e.Child]; ok && e.Parent != e.Child {
			t.children[e.Parent] = append(t.children[e.Parent], e.Child)
			under[e.Child] = true
		}
	}
	for _, n := range r.Nodes {
		if !under[n.Key] {
			t.print(n.Key, "", "")
		}
	}
	for _, n := range r.Nodes { // what hangs in a cycle hangs on nothing else
		if !t.shown[n.Key] {
			t.print(n.Key, "", "")
		}
	}
}

// print prints an entry and what follows from it. Chains of any length are
// legal, so deep ones stop being indented.
func (t *tree) print(key, first, rest string) {
	n := t.nodes[key]
	parts := []any{styled{first, faint}, styled{oneLine(key), bold}}
	if t.shown[key] {
		t.k.out.line(append(parts, styled{" (above)", faint})...)
		return
	}
	t.shown[key] = true
	parts = append(parts, " [", styled{string(n.Type), typeStyle(n.Type)}, "] ", cut(oneLine(n.Value), 80))
	if n.Resume {
		parts = append(parts, styled{" <== RESUME", mark})
	}
	t.k.out.line(parts...)
	children := t.children[key]
	for i, child := range children {
		branch, below := "├─ ", "│  "
		if i == len(children)-1 {
			branch, below = "└─ ", "   "
		}
		if len(rest) > 120 {
			below = ""
		}
		t.print(child, rest+branch, rest+below)
	}
}

func drawDOT(k *ctl, r api.GraphResult) {
	k.out.line("digraph memory {")
	k.out.line("  rankdir=TB; node [shape=box, fontname=\"sans-serif\"];")
	for _, n := range r.Nodes {
		look := ""
		if n.Resume {
			look = ", style=bold"
		}
		k.out.linef("  %s [label=%s%s];", dotQuote(n.Key), dotQuote(label(n)), look)
	}
	for _, e := range r.Edges {
		k.out.linef("  %s -> %s;", dotQuote(e.Parent), dotQuote(e.Child))
	}
	k.out.line("}")
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(s)) + `"`
}

func drawMermaid(k *ctl, r api.GraphResult) {
	k.out.line("flowchart TB")
	ids := map[string]string{}
	for i, n := range r.Nodes {
		ids[n.Key] = fmt.Sprintf("n%d", i)
		k.out.linef(`  n%d["%s"]`, i, mermaidQuote(label(n)))
	}
	for _, e := range r.Edges {
		if ids[e.Parent] != "" && ids[e.Child] != "" {
			k.out.linef("  %s --> %s", ids[e.Parent], ids[e.Child])
		}
	}
}

func mermaidQuote(s string) string {
	return strings.NewReplacer("&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;").Replace(oneLine(s))
}

func label(n api.Node) string {
	return fmt.Sprintf("%s [%s]: %s", oneLine(n.Key), n.Type, cut(oneLine(n.Value), 60))
}
