package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func sessionCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "session", Usage: "about the newest session", Category: groupHistory, ArgsUsage: "config",
		Action: func(c *cli.Context) error { return arguments(c, 1, 1) },
		Subcommands: []*cli.Command{{
			Name: "config", Usage: "the agent, model, provider, base URL and version it ran with",
			Flags: []cli.Flag{agentFlag()},
			Action: func(c *cli.Context) error {
				if err := arguments(c, 0, 0); err != nil {
					return err
				}
				params := api.SessionConfigParams{Cwd: k.cwd, Agent: c.String("agent")}
				return show(k, api.MethodSessionConfig, params, func(r api.SessionConfigResult) error {
					t := table{out: k.out}
					for _, row := range [][2]string{
						{"session", r.Session}, {"agent", r.Agent}, {"model", r.Model},
						{"provider", r.Provider}, {"base URL", r.BaseURL}, {"version", r.Version},
					} {
						if row[1] != "" {
							t.add(styled{row[0], faint}, row[1])
						}
					}
					t.print()
					return nil
				})
			},
		}},
	}
}
