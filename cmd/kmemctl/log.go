package main

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func logCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "log", Usage: "entries in the order of their time; with --follow as they are captured", Category: groupMemory,
		Flags: []cli.Flag{
			limitFlag(20),
			&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "go on with what is captured, until interrupted"},
			&cli.BoolFlag{Name: "all", Usage: "with --follow: of every project, and only what is new"},
		},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			n, err := limit(c)
			if err != nil {
				return err
			}
			all := c.Bool("all")
			if all && !c.Bool("follow") {
				return usagef(`--all needs --follow; see "kmemctl search --all" for what is there already`)
			}
			if c.Bool("follow") {
				return k.follow(n, all)
			}
			return k.logged(n)
		},
	}
}

// logged prints the newest entries, the newest last.
func (k *ctl) logged(n int) error {
	r, err := k.list(api.ListParams{Cwd: k.cwd}, n)
	if err != nil {
		return err
	}
	slices.Reverse(r.Entries)
	for i := range r.Entries {
		k.logEntry("", &r.Entries[i], false)
	}
	if len(r.Entries) == 0 {
		k.out.note("no entries")
	}
	return nil
}

// notice is one notification of a watch.
type notice struct {
	method string
	params []byte
}

// follow prints the newest entries and then what is captured. The watch has a
// connection of its own and begins first, so that nothing falls between the
// two.
func (k *ctl) follow(n int, all bool) error {
	if err := k.connect(); err != nil {
		return err
	}
	watcher, err := ipc.Dial(k.ctx, k.path)
	if err != nil {
		return err
	}
	defer watcher.Close()
	notices, over := make(chan notice), make(chan struct{})
	defer close(over)
	watcher.OnNotify(func(method string, params json.RawMessage) {
		select {
		case notices <- notice{method, params}: // waits: the daemon counts what is missed
		case <-over:
		}
	})
	params := api.WatchParams{Cwd: k.cwd}
	if all {
		params.Cwd = ""
	}
	if err := watcher.Call(k.ctx, api.MethodWatch, params, nil); err != nil {
		return err
	}
	if !all {
		if err := k.logged(n); err != nil {
			return err
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- watcher.Wait(k.ctx) }()
	for {
		if err := k.out.flush(); err != nil {
			return err
		}
		select {
		case err := <-ended: // not before the last notification has been taken
			return err
		case note := <-notices:
			if err := k.logNotice(note, all); err != nil {
				return err
			}
		}
	}
}

func (k *ctl) logNotice(note notice, all bool) error {
	switch note.method {
	case api.NotifyCaptured:
		var p api.Captured
		if err := json.Unmarshal(note.params, &p); err != nil {
			return err
		}
		k.logEntry(p.Project, &p.Entry, all)
	case api.NotifyMissed:
		var p api.Missed
		if err := json.Unmarshal(note.params, &p); err != nil {
			return err
		}
		if k.out.json {
			k.out.record(map[string]int{"missed": p.Count})
		} else {
			k.out.note("%s missed: the output was not read fast enough", count(p.Count, "entry", "entries"))
		}
	}
	return nil
}

func (k *ctl) logEntry(project string, e *fact.Entry, named bool) {
	if k.out.json {
		k.out.record(struct {
			Project string      `json:"project,omitempty"`
			Entry   *fact.Entry `json:"entry"`
		}{project, e})
		return
	}
	at := time.UnixMilli(e.UpdatedAt)
	layout := "01-02 15:04:05"
	if at.Year() != time.Now().Year() {
		layout = "2006-01-02 15:04"
	}
	parts := []any{styled{at.Format(layout), faint}, " "}
	if named {
		parts = append(parts, styled{oneLine(home(project)), faint}, " ")
	}
	parts = append(parts, styled{oneLine(e.Key), bold}, " [", styled{string(e.Type), typeStyle(e.Type)}, "] ", cut(oneLine(e.Value), preview))
	k.out.line(parts...)
}
