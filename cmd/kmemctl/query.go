package main

import (
	"encoding/json"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func queryCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "query", Usage: "a relational query over memory, tool_calls, tasks, sessions and files", ArgsUsage: "EXPR", Category: groupMemory,
		Description: `The rows come as JSON Lines:

kmemctl query 'filter(memory, .type == "error")'
kmemctl query 'join(tool_calls, memory, "name", "key")'`,
		Flags: []cli.Flag{limitFlag(50)},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			n, err := limit(c)
			if err != nil {
				return err
			}
			_, structured, err := k.tool(api.ToolQuery, api.QueryArguments{Query: c.Args().First(), Limit: min(n, api.MaxLimit)})
			if err != nil {
				return err
			}
			var r api.QueryOutput
			if err := json.Unmarshal(structured, &r); err != nil {
				return err
			}
			printRows(k, structured, r)
			if len(r.Rows) == 0 {
				return &codedError{code: exitNo}
			}
			return nil
		},
	}
}

func printRows(k *ctl, structured json.RawMessage, r api.QueryOutput) {
	if k.out.json {
		k.out.document(structured)
		return
	}
	for _, row := range r.Rows {
		k.out.record(row)
	}
	switch {
	case len(r.Rows) == 0:
		k.out.note("no rows")
	case r.Truncated:
		k.out.note("%d of %d rows; see --limit", len(r.Rows), r.Count)
	}
}
