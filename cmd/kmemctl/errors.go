package main

import (
	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func errorsCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "errors", Usage: "failures seen more than once, open ones first, with what ended them", Category: groupHistory,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, api.MethodErrors, api.CwdParams{Cwd: k.cwd}, func(r api.ErrorsResult) error {
				if len(r.Errors) == 0 {
					k.out.note("no failure was seen more than once")
				}
				for _, f := range r.Errors {
					printFailure(k, f)
				}
				return nil
			})
		},
	}
}

func printFailure(k *ctl, f api.Failure) {
	state := styled{"open", red}
	if !f.Open {
		state = styled{"done", green}
	}
	k.out.line(state, " ", styled{oneLine(f.Key), bold}, " ", styled{times(f.Times) + ", last " + age(f.LastAt), faint})
	k.out.line("     ", cut(oneLine(f.Value), preview))
	if f.EndedBy != "" {
		k.out.line("     ", styled{"ended by ", faint}, cut(oneLine(f.EndedBy), preview), styled{" " + age(f.EndedAt), faint})
	}
}
