package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func typeFlag() cli.Flag { return &cli.StringFlag{Name: "type", Usage: "the `TYPE` of entries"} }

func limitFlag(value int) cli.Flag {
	return &cli.IntFlag{Name: "limit", Usage: "at most `N`", Value: value}
}

// limit is the --limit of a command.
func limit(c *cli.Context) (int, error) {
	if n := c.Int("limit"); n > 0 {
		return n, nil
	}
	return 0, usagef("--limit must be at least 1")
}

func listCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "list entries, most recent first", Category: groupMemory,
		Flags: []cli.Flag{
			typeFlag(), limitFlag(api.DefaultLimit),
			&cli.StringFlag{Name: "prefix", Usage: "only keys that begin with `PREFIX`"},
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			n, err := limit(c)
			if err != nil {
				return err
			}
			r, err := k.list(api.ListParams{Cwd: k.cwd, Type: c.String("type"), Prefix: c.String("prefix")}, n)
			if err != nil {
				return err
			}
			if k.out.json {
				k.out.document(r)
				return nil
			}
			printEntries(k, r)
			return nil
		},
	}
}

// list returns the first n entries, over as many pages as that takes.
func (k *ctl) list(params api.ListParams, n int) (api.ListResult, error) {
	all := api.ListResult{Entries: []fact.Entry{}}
	for {
		params.Limit = min(n-len(all.Entries), api.MaxLimit)
		var page api.ListResult
		if err := k.call(api.MethodList, params, &page); err != nil {
			return all, err
		}
		all.Entries = append(all.Entries, page.Entries...)
		all.Next = page.Next
		if page.Next == "" || len(page.Entries) == 0 || len(all.Entries) >= n {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

func printEntries(k *ctl, r api.ListResult) {
	if len(r.Entries) == 0 {
		k.out.note("no entries")
		return
	}
	t := table{out: k.out}
	t.head("KEY", "TYPE", "AGE", "VALUE")
	for i := range r.Entries {
		e := &r.Entries[i]
		t.add(styled{e.Key, bold}, styled{string(e.Type), typeStyle(e.Type)}, age(e.UpdatedAt), cut(oneLine(e.Value), preview))
	}
	t.print()
	if r.Next != "" {
		k.out.note("there are more; see --limit")
	}
}
