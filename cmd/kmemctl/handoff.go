package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func handoffCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "handoff", Usage: "a block for another agent about the newest session", Category: groupHistory,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, api.MethodHandoff, api.CwdParams{Cwd: k.cwd}, func(r api.HandoffResult) error {
				if r.Text == "" {
					return nof("no session is known in %s", k.cwd)
				}
				k.out.text(r.Text)
				return nil
			})
		},
	}
}
