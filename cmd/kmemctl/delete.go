package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func deleteCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "delete", Usage: "delete entries; what they were taken from does not bring them back", ArgsUsage: "KEY...", Category: groupMemory,
		Flags: []cli.Flag{namespaceFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, -1); err != nil {
				return err
			}
			return k.deleteAll(c.Args().Slice(), c.String("namespace"))
		},
	}
}

// deleteAll deletes one key after the other. A key that does not exist stops
// nothing, and makes the answer a no.
func (k *ctl) deleteAll(names []string, namespace string) error {
	result := struct {
		Deleted []string `json:"deleted"`
		Missing []string `json:"missing"`
	}{[]string{}, []string{}}
	for _, key := range names {
		text, _, err := k.tool(api.ToolDelete, api.DeleteArguments{Key: key, Namespace: namespace})
		var coded *codedError
		switch {
		case err == nil:
			result.Deleted = append(result.Deleted, key)
			if !k.out.json {
				k.out.line(text)
			}
		case errors.As(err, &coded) && coded.code == exitNo:
			result.Missing = append(result.Missing, key)
			k.out.fail(coded.message)
		default:
			return err
		}
	}
	if k.out.json {
		k.out.document(result)
	}
	if len(result.Missing) > 0 {
		return &codedError{code: exitNo}
	}
	return nil
}
