package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func exportCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "export", Usage: "write the project's entries as JSON Lines, one an entry", ArgsUsage: "[FILE]", Category: groupMemory,
		Description: "Without FILE, or with -, they go to standard output. A file is replaced when\nall is written, and is for its owner alone.",
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 1); err != nil {
				return err
			}
			name := c.Args().First()
			if name == "" || name == "-" {
				_, err := k.export(func(e *fact.Entry) error {
					k.out.record(e)
					return nil
				})
				return err
			}
			n, err := k.exportFile(k.below(name))
			if err != nil {
				return err
			}
			if k.out.json {
				k.out.document(map[string]any{"exported": n, "file": k.below(name)})
			} else {
				k.out.note("%s in %s", count(n, "entry", "entries"), name)
			}
			return nil
		},
	}
}

// export calls fn with every entry.
func (k *ctl) export(fn func(*fact.Entry) error) (n int, err error) {
	params := api.ExportParams{Cwd: k.cwd}
	for {
		var page api.ExportResult
		if err := k.call(api.MethodExport, params, &page); err != nil {
			return n, err
		}
		for i := range page.Entries {
			if err := fn(&page.Entries[i]); err != nil {
				return n, err
			}
			n++
		}
		if page.Next == "" {
			return n, nil
		}
		params.Cursor = page.Next
	}
}

func (k *ctl) exportFile(path string) (n int, err error) {
	err = writeFile(path, func(w io.Writer) error {
		n, err = k.export(func(e *fact.Entry) error {
			line, err := encode(e)
			if err != nil {
				return fmt.Errorf("entry %s: %w", e.Key, err)
			}
			_, err = w.Write(line)
			return err
		})
		return err
	})
	return n, err
}

// writeFile writes a file at once, for its owner alone: what goes wrong leaves
// the old one. A device or a pipe is written to as it is.
func writeFile(path string, fill func(io.Writer) error) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return usagef("%s is a directory", path)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return finish(f, fill)
	}
	target := path
	if full, err := resolve(path); err == nil { // a link stays a link
		target = full
	}
	f, err := createBeside(target)
	if err != nil {
		return err
	}
	temp := f.Name()
	if err := finish(f, fill); err != nil {
		os.Remove(temp)
		return err
	}
	if err := os.Rename(temp, target); err != nil {
		os.Remove(temp)
		return err
	}
	return syncDirectory(target)
}

// finish fills, syncs and closes a file.
func finish(f *os.File, fill func(io.Writer) error) error {
	w := bufio.NewWriter(f)
	err := fill(w)
	if err == nil {
		err = w.Flush()
	}
	if info, statErr := f.Stat(); err == nil && statErr == nil && info.Mode().IsRegular() {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
