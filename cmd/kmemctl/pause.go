package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func pauseCommand(k *ctl) *cli.Command {
	return pausing(k, "pause", api.MethodPause, "stop capturing, until unpause", `Paused: nothing is captured until "kmemctl unpause".`)
}

func unpauseCommand(k *ctl) *cli.Command {
	return pausing(k, "unpause", api.MethodUnpause, "capture again; what came meanwhile stays out", "Capturing again.")
}

func pausing(k *ctl, name, method, usage, done string) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, Category: groupControl,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, method, api.None{}, func(api.PauseResult) error {
				k.out.line(done)
				return nil
			})
		},
	}
}
