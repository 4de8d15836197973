package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func renderCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "render", Usage: "print the <memory> block that agents get", Category: groupMemory,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "prompt", Usage: "prefer what fits to this `TEXT`"},
			&cli.IntFlag{Name: "max-tokens", Usage: "at most `N` tokens, instead of the configured number"},
			&cli.BoolFlag{Name: "rule", Usage: "put the standing rule before it"},
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			if c.IsSet("max-tokens") && c.Int("max-tokens") < 1 {
				return usagef("--max-tokens must be at least 1")
			}
			params := api.RenderParams{Cwd: k.cwd, Prompt: c.String("prompt"), MaxTokens: c.Int("max-tokens"), Rule: c.Bool("rule")}
			return show(k, api.MethodRender, params, func(r api.RenderResult) error {
				k.out.text(r.Text)
				return nil
			})
		},
	}
}
