package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func rescanCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "rescan", Usage: "look at all transcripts again; changes nothing that is right already", Category: groupControl,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "full", Usage: "read every one from its beginning"}},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, api.MethodRescan, api.RescanParams{Full: c.Bool("full")}, func(r api.RescanResult) error {
				k.out.linef(`Looking at %s; "kmemctl status" shows what waits.`, count(r.Sources, "transcript", "transcripts"))
				return nil
			})
		},
	}
}
