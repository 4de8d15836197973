package main

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func saveCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "save", Usage: "remember a value; a VALUE of - reads standard input", ArgsUsage: "KEY VALUE", Category: groupMemory,
		Flags: []cli.Flag{
			typeFlag(), namespaceFlag(),
			&cli.StringSliceFlag{Name: "ref", Usage: "`KEY` of an entry that this one follows from; may be given several times"},
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 2, 2); err != nil {
				return err
			}
			value, err := k.value(c.Args().Get(1))
			if err != nil {
				return err
			}
			text, structured, err := k.tool(api.ToolSave, api.SaveArguments{
				Key: c.Args().First(), Value: value, Type: c.String("type"),
				Namespace: c.String("namespace"), References: c.StringSlice("ref"),
			})
			if err != nil {
				return err
			}
			if k.out.json {
				k.out.document(structured)
				return nil
			}
			k.out.line(text)
			return nil
		},
	}
}

// value is the value of an argument: itself, or for "-" what standard input
// holds, without one last line end.
func (k *ctl) value(arg string) (string, error) {
	if arg == "-" {
		b, err := io.ReadAll(io.LimitReader(k.in, api.MaxValue+3)) // the line end does not count
		if err != nil {
			return "", errors.New("standard input: " + err.Error())
		}
		arg = strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	}
	switch {
	case len(arg) > api.MaxValue:
		return "", usagef("the value is longer than %d bytes", api.MaxValue)
	case !utf8.ValidString(arg):
		return "", usagef("the value is not UTF-8 text")
	}
	return arg, nil
}
