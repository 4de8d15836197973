package main

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func projectsCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "projects", Usage: "projects with their entries and sizes", Category: groupHistory,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, api.MethodProjects, api.None{}, func(r api.ProjectsResult) error {
				if len(r.Projects) == 0 {
					k.out.note("no projects")
					return nil
				}
				t := table{out: k.out}
				t.head("ENTRIES", "SIZE", "UPDATED", "DIRECTORIES", "PROJECT")
				for _, p := range r.Projects {
					t.add(strconv.Itoa(p.Entries), size(p.Bytes), age(p.UpdatedAt), strconv.Itoa(len(p.Directories)), styled{home(p.Cwd), bold})
				}
				t.print()
				return nil
			})
		},
	}
}
