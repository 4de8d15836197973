package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
)

func statusCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "how the daemon is and what it reads", Category: groupDaemon,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return show(k, api.MethodStatus, api.None{}, func(s api.StatusResult) error {
				printDaemon(k, s)
				printSources(k, s.Sources)
				printTroubles(k, s)
				return nil
			})
		},
	}
}

func printDaemon(k *ctl, s api.StatusResult) {
	k.out.line(styled{"kmemd " + s.Version, bold}, fmt.Sprintf(", pid %d, up %s", s.Pid, span(s.Uptime)))
	if s.Paused {
		k.out.line(styled{`paused: nothing is captured until "kmemctl unpause"`, yellow})
	}
	t := table{out: k.out}
	row := func(name, value string) { t.add(styled{name, faint}, value) }
	row("socket", home(s.Socket))
	row("data", home(s.Data))
	row("config", home(s.Config))
	stores := fmt.Sprintf("%d open of %d, %s", s.Stores.Open, s.Stores.Total, size(s.Stores.Bytes))
	if s.Stores.Quarantined > 0 {
		stores += fmt.Sprintf(", %d damaged and set aside", s.Stores.Quarantined)
	}
	row("stores", stores)
	memory := size(s.Memory.Heap) + " in use"
	if s.Memory.Resident > 0 {
		memory = size(s.Memory.Resident) + " resident, " + memory
	}
	row("memory", memory)
	queue := "empty"
	if s.Queue.Files > 0 {
		queue = count(s.Queue.Files, "transcript waits", "transcripts wait")
		if s.Queue.Bytes > 0 {
			queue += ", " + size(s.Queue.Bytes)
		}
	}
	row("queue", queue)
	row("rules", fmt.Sprintf("%d loaded", s.Rules.Loaded))
	t.print()
}

func printSources(k *ctl, sources []api.Source) {
	k.out.line()
	if len(sources) == 0 {
		k.out.line("no agent's transcripts were found")
		return
	}
	t := table{out: k.out}
	t.head("AGENT", "SESSIONS", "LAST RECORD", "LAG", "STATE", "DIRECTORY")
	for _, s := range sources {
		look := green
		switch s.State {
		case "missing", "disabled":
			look = faint
		case "polling", "paused":
			look = yellow
		}
		t.add(styled{s.Agent, bold}, strconv.Itoa(s.Sessions), age(s.LastRecord), span(s.Lag), styled{s.State, look}, home(s.Directory))
	}
	t.print()
}

// printTroubles prints what a person should know.
func printTroubles(k *ctl, s api.StatusResult) {
	var lines []string
	lines = append(lines, s.Problems...)
	for _, source := range s.Sources {
		for _, skip := range source.Skipped {
			where := skip.File
			if where == "" {
				where = source.Directory
			}
			lines = append(lines, fmt.Sprintf("skipped %s in %s: %s", times(skip.Count), home(where), skip.Reason))
		}
		for _, p := range source.Polled {
			lines = append(lines, fmt.Sprintf("polled, not watched: %s: %s", home(p.Directory), p.Why))
		}
	}
	for _, e := range s.Rules.Errors {
		line := "rule " + e.Rule
		if e.Rule == "" {
			line = "rules in " + home(e.File)
		}
		line += ": " + e.Reason
		if e.Off {
			line += " (switched off)"
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		k.out.line()
	}
	for _, line := range lines {
		k.out.line(styled{"! ", yellow}, cut(oneLine(line), 2*preview))
	}
}
