package main

import (
	"encoding/json"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func whyCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "why", Usage: "where an entry, or the present state of a file, comes from", ArgsUsage: "KEY|PATH", Category: groupMemory,
		Flags: []cli.Flag{namespaceFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			raw, err := k.why(c.Args().First(), c.String("namespace"))
			if err != nil {
				return err
			}
			if k.out.json {
				k.out.document(raw)
				return nil
			}
			var r api.WhyResult
			if err := json.Unmarshal(raw, &r); err != nil {
				return err
			}
			if r.Path != "" {
				printTouches(k, &r)
			} else {
				printWhy(k, &r)
			}
			return nil
		},
	}
}

// why asks for a key, and for a file below --cwd, which need not exist any
// more, where there is no such key.
func (k *ctl) why(name, namespace string) (raw json.RawMessage, err error) {
	params := api.GetParams{Cwd: k.cwd, Key: name, Namespace: namespace}
	err = k.call(api.MethodWhy, params, &raw)
	var e *ipc.Error
	if !errors.As(err, &e) || e.Code != api.CodeNotFound {
		return raw, err
	}
	params.Key = k.below(name)
	if params.Key == name || k.call(api.MethodWhy, params, &raw) != nil {
		return nil, err
	}
	return raw, nil
}

func printWhy(k *ctl, r *api.WhyResult) {
	k.out.line(styled{oneLine(r.Key), bold}, " [", styled{string(r.Type), typeStyle(r.Type)}, "]")
	k.out.text(r.Value)
	k.out.line()
	printOrigin(k, &r.Entry)
	if r.Text != "" {
		k.out.line()
		k.out.line(styled{"the words it was taken from:", faint})
		k.out.text(r.Text)
	}
	printRelatives(k, "follows from:", r.Parents)
	printRelatives(k, "led to:", r.Children)
	if len(r.Past) > 0 {
		k.out.line()
		k.out.line(styled{"before that:", faint})
		for _, p := range r.Past {
			k.out.line("  ", styled{age(p.At), faint}, " ", cut(oneLine(p.Value), preview))
		}
	}
}

func printRelatives(k *ctl, title string, entries []fact.Entry) {
	if len(entries) == 0 {
		return
	}
	k.out.line()
	k.out.line(styled{title, faint})
	t := table{out: k.out}
	for i := range entries {
		e := &entries[i]
		t.add(styled{"  " + e.Key, bold}, styled{string(e.Type), typeStyle(e.Type)}, age(e.UpdatedAt), cut(oneLine(e.Value), preview))
	}
	t.print()
}

func printTouches(k *ctl, r *api.WhyResult) {
	k.out.line(styled{oneLine(r.Path), bold})
	t := table{out: k.out}
	t.head("AGE", "ACTION", "AGENT", "SESSION", "TRANSCRIPT")
	for _, touch := range r.Touches {
		t.add(age(touch.At), touch.Action, touch.Agent, touch.Session, home(touch.File))
	}
	t.print()
}
