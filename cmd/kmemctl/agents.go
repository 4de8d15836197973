package main

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func agentsCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "agents", Usage: "every supported agent, where it is looked for, what was found", Category: groupDaemon,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, api.MethodAgents, api.CwdParams{}, func(r api.AgentsResult) error {
				t := table{out: k.out}
				t.head("AGENT", "STATE", "SESSIONS", "LAST RECORD", "DIRECTORY")
				for _, a := range r.Agents {
					addAgent(&t, a)
				}
				t.print()
				return nil
			})
		},
	}
}

func addAgent(t *table, a api.Agent) {
	state := styled{"on", green}
	switch {
	case !a.Enabled:
		state = styled{"off", faint}
	case !a.Found:
		state = styled{"not found", faint}
	}
	last := ""
	if a.LastRecord > 0 {
		last = age(a.LastRecord)
	}
	cells := []any{styled{a.Name, bold}, state, strconv.Itoa(a.Sessions), last}
	if len(a.Directories) == 0 {
		t.add(append(cells, "")...)
	}
	for i, d := range a.Directories {
		if i > 0 {
			cells = []any{"", "", "", ""}
		}
		dir := styled{home(d.Directory), plain}
		if !d.Exists {
			dir.style = faint
			dir.text += " (missing)"
		}
		t.add(append(cells, dir)...)
	}
}
