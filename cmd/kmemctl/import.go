package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

// Bounds of an import: of a line, which may hold a value of which every byte
// is escaped, and of a page, which must fit into a request.
const (
	importLine = 1 << 20
	importPage = 4 << 20
)

func importCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "read entries as export writes them; - is standard input", ArgsUsage: "FILE|-", Category: groupMemory,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			in, name := k.in, "standard input"
			if arg := c.Args().First(); arg != "-" {
				f, err := os.Open(k.below(arg))
				if err != nil {
					return &codedError{exitUsage, err.Error()}
				}
				defer f.Close()
				in, name = f, arg
			}
			pages, err := readPages(in)
			if err != nil {
				return &codedError{exitUsage, fmt.Sprintf("%s: %v; nothing was imported", name, err)}
			}
			return k.importPages(pages)
		},
	}
}

func (k *ctl) importPages(pages [][]fact.Entry) error {
	total, read := 0, 0
	for _, page := range pages {
		var r api.ImportResult
		if err := k.callLong(api.MethodImport, api.ImportParams{Cwd: k.cwd, Entries: page}, &r); err != nil {
			if read > 0 {
				k.out.note("%s were imported before this", count(total, "entry", "entries"))
			}
			return err
		}
		total, read = total+r.Imported, read+len(page)
	}
	if k.out.json {
		k.out.document(api.ImportResult{Imported: total})
		return nil
	}
	k.out.linef("Imported: %s of %d", count(total, "entry", "entries"), read)
	return nil
}

// readPages reads all lines before anything is sent: a file that is wrong at
// its end changes nothing.
func readPages(in io.Reader) (pages [][]fact.Entry, err error) {
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 64<<10), importLine)
	size := 0
	for n := 1; s.Scan(); n++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(s.Bytes(), []byte("\ufeff")))
		if len(line) == 0 {
			continue
		}
		var e fact.Entry
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("line %d is no entry: %v", n, err)
		}
		if e.Key == "" {
			return nil, fmt.Errorf("line %d has no key", n)
		}
		if len(pages) == 0 || len(pages[len(pages)-1]) == api.MaxLimit || size+len(line) > importPage {
			pages, size = append(pages, nil), 0
		}
		last := len(pages) - 1
		pages[last] = append(pages[last], e)
		size += len(line)
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line is longer than %d bytes", importLine)
	}
	return pages, s.Err()
}
