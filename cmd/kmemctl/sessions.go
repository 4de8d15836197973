package main

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func agentFlag() cli.Flag { return &cli.StringFlag{Name: "agent", Usage: "only of this `AGENT`"} }

func sessionsCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "sessions", Usage: "sessions that were read, newest first", Category: groupHistory,
		Flags: []cli.Flag{agentFlag(), limitFlag(50), &cli.BoolFlag{Name: "all", Usage: "of every project"}},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			n, err := limit(c)
			if err != nil {
				return err
			}
			r, err := k.sessions(api.SessionsParams{Cwd: k.cwd, All: c.Bool("all"), Agent: c.String("agent")}, n)
			if err != nil {
				return err
			}
			if k.out.json {
				k.out.document(r)
				return nil
			}
			printSessions(k, r, c.Bool("all"))
			return nil
		},
	}
}

// sessions returns the first n sessions.
func (k *ctl) sessions(params api.SessionsParams, n int) (api.SessionsResult, error) {
	all := api.SessionsResult{Sessions: []fact.Session{}}
	for {
		params.Limit = min(n-len(all.Sessions), api.MaxLimit)
		var page api.SessionsResult
		if err := k.call(api.MethodSessions, params, &page); err != nil {
			return all, err
		}
		all.Sessions = append(all.Sessions, page.Sessions...)
		all.Next = page.Next
		if page.Next == "" || len(page.Sessions) == 0 || len(all.Sessions) >= n {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

func printSessions(k *ctl, r api.SessionsResult, everywhere bool) {
	if len(r.Sessions) == 0 {
		k.out.note("no sessions")
		return
	}
	t := table{out: k.out}
	titles := []string{"SESSION", "AGENT", "MODEL", "TURNS", "UPDATED", "TITLE"}
	if everywhere {
		titles[5] = "DIRECTORY"
	}
	t.head(titles...)
	for _, s := range r.Sessions {
		last := s.Title
		if everywhere {
			last = home(s.Cwd)
		}
		name := styled{s.ID, bold}
		if s.Sub {
			name = styled{s.ID, faint} // a sub-agent's
		}
		t.add(name, s.Agent, s.Model, strconv.Itoa(s.Turns), age(s.UpdatedAt), last)
	}
	t.print()
	if r.Next != "" {
		k.out.note("there are more; see --limit")
	}
}
