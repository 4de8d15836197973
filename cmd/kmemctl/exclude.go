package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func excludeCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "exclude", Usage: "remember nothing of a directory and what is below it", ArgsUsage: "DIR", Category: groupControl,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "list what is excluded"},
			&cli.BoolFlag{Name: "remove", Usage: "remember DIR again"},
		},
		Action: func(c *cli.Context) error {
			listing := c.Bool("list")
			if listing && c.Bool("remove") {
				return usagef("--list and --remove do not go together")
			}
			least := 1
			if listing {
				least = 0
			}
			if err := arguments(c, least, least); err != nil {
				return err
			}
			params := api.ExcludeParams{Remove: c.Bool("remove")}
			if !listing {
				params.Directory = k.below(c.Args().First())
			}
			return show(k, api.MethodExclude, params, func(r api.ExcludeResult) error {
				printExcluded(k, params, r)
				return nil
			})
		},
	}
}

func printExcluded(k *ctl, params api.ExcludeParams, r api.ExcludeResult) {
	switch {
	case params.Directory != "" && params.Remove:
		k.out.line("Remembered again: ", oneLine(params.Directory))
	case params.Directory != "":
		k.out.line("Excluded: ", oneLine(params.Directory))
	case len(r.Excluded) == 0:
		k.out.note("nothing is excluded")
	default:
		for _, dir := range r.Excluded {
			k.out.line(oneLine(dir))
		}
	}
}
