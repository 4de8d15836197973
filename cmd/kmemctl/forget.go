package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/kmemd/kmemd/daemon/config"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func forgetCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "forget", Usage: "forget for good, and do not learn again from the same transcripts", ArgsUsage: "[KEY...]", Category: groupControl,
		Description: "Says what it is about to forget and asks, unless only keys were named or --yes is given.",
		Flags: []cli.Flag{
			namespaceFlag(),
			&cli.StringFlag{Name: "session", Usage: "all that comes from session `ID`"},
			&cli.StringFlag{Name: "before", Usage: "all that is older than `TIME`: 2026-01-31, a full RFC 3339 time, or an age such as 90d"},
			&cli.BoolFlag{Name: "all", Usage: "all that is known of the project"},
			&cli.BoolFlag{Name: "yes", Aliases: []string{"y"}, Usage: "do not ask"},
		},
		Action: func(c *cli.Context) error {
			params, err := k.forgetParams(c)
			if err != nil {
				return err
			}
			if len(params.Keys) == 0 && !c.Bool("yes") {
				if err := k.confirm(params); err != nil {
					return err
				}
			}
			return k.forget(params)
		},
	}
}

func (k *ctl) forgetParams(c *cli.Context) (api.ForgetParams, error) {
	p := api.ForgetParams{Cwd: k.cwd, Keys: c.Args().Slice(), Namespace: c.String("namespace"), Session: c.String("session"), All: c.Bool("all")}
	if c.IsSet("before") {
		at, err := moment(c.String("before"), time.Now())
		if err != nil {
			return p, err
		}
		p.Before = at.UnixMilli()
	}
	ways := 0
	for _, set := range []bool{len(p.Keys) > 0, c.IsSet("session"), c.IsSet("before"), p.All} {
		if set {
			ways++
		}
	}
	switch {
	case ways != 1:
		return p, usagef("say what to forget: keys, or one of --session ID, --before TIME, --all")
	case c.IsSet("session") && p.Session == "":
		return p, usagef("--session is empty")
	case p.Namespace != "" && len(p.Keys) == 0:
		return p, usagef("--namespace goes with keys only")
	}
	return p, nil
}

// moment reads a point in time: a day, a full time, or an age.
func moment(s string, now time.Time) (time.Time, error) {
	if d, err := config.ParseDuration(s); err == nil && d > 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, s, time.Local); err == nil && at.UnixMilli() > 0 {
			return at, nil
		}
	}
	return time.Time{}, usagef("--before %q is no time; write one like 2026-01-31, 2026-01-31T12:00:00Z or 90d", s)
}

// confirm shows what would be forgotten and asks.
func (k *ctl) confirm(p api.ForgetParams) error {
	stdin, ok := k.in.(*os.File)
	if !ok || !term.IsTerminal(int(stdin.Fd())) {
		return usagef("this forgets much and nobody can be asked; add --yes")
	}
	n, sample, err := k.doomed(p)
	if err != nil {
		return err
	}
	if n == 0 {
		return nof("nothing to forget")
	}
	for i := range sample {
		e := &sample[i]
		k.out.told("  %s [%s] %s: %s", e.Key, e.Type, age(e.UpdatedAt), cut(e.Value, 60))
	}
	if n > len(sample) {
		k.out.told("  and %d more", n-len(sample))
	}
	k.out.ask(fmt.Sprintf("Forget %s of %s for good? [y/N]", count(n, "entry", "entries"), k.cwd))
	reply, _ := bufio.NewReader(stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case "y", "yes":
		return nil
	default:
		return nof("nothing was forgotten")
	}
}

// doomed counts the entries that would be forgotten, and returns the first.
func (k *ctl) doomed(p api.ForgetParams) (n int, sample []fact.Entry, err error) {
	_, err = k.export(func(e *fact.Entry) error {
		hit := p.All || p.Before > 0 && e.UpdatedAt < p.Before ||
			p.Session != "" && e.Origin != nil && e.Origin.Session == p.Session
		if !hit {
			return nil
		}
		if n++; len(sample) < 10 {
			sample = append(sample, *e)
		}
		return nil
	})
	return n, sample, err
}

func (k *ctl) forget(p api.ForgetParams) error {
	var r api.ForgetResult
	if err := k.callLong(api.MethodForget, p, &r); err != nil {
		return err
	}
	if k.out.json {
		k.out.document(r)
	} else if r.Forgotten > 0 {
		k.out.linef("Forgotten: %s", count(r.Forgotten, "entry", "entries"))
	}
	if r.Forgotten == 0 {
		return nof("nothing to forget")
	}
	return nil
}
