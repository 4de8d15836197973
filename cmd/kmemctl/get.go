package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func namespaceFlag() cli.Flag {
	return &cli.StringFlag{Name: "namespace", Usage: "the key's `NAMESPACE`"}
}

func getCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "get", Usage: "show an entry and where it comes from", ArgsUsage: "KEY", Category: groupMemory,
		Flags: []cli.Flag{namespaceFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			params := api.GetParams{Cwd: k.cwd, Key: c.Args().First(), Namespace: c.String("namespace")}
			return show(k, api.MethodGet, params, func(e api.GetResult) error {
				k.out.text(e.Value)
				k.out.line()
				printOrigin(k, &e)
				return nil
			})
		},
	}
}

// printOrigin prints what is known of an entry beside its value.
func printOrigin(k *ctl, e *fact.Entry) {
	k.out.line(styled{"type  ", faint}, styled{string(e.Type), typeStyle(e.Type)})
	if e.Namespace != "" {
		k.out.line(styled{"in    ", faint}, oneLine(e.Namespace))
	}
	k.out.line(styled{"since ", faint}, when(e.CreatedAt))
	if e.UpdatedAt != e.CreatedAt {
		k.out.line(styled{"as of ", faint}, when(e.UpdatedAt))
	}
	k.out.line(styled{"from  ", faint}, oneLine(origin(e)))
	if p := place(e); p != "" {
		k.out.line(styled{"      ", faint}, oneLine(p))
	}
	if len(e.References) > 0 {
		k.out.line(styled{"after ", faint}, oneLine(strings.Join(e.References, ", ")))
	}
}
