package daemon_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ingest/event"
)

func TestZZ(t *testing.T) {
	root := os.Getenv("ZZ")
	if root == "" {
		t.Skip()
	}
	for _, n := range transcripts(files(t, root)) {
		data, _ := os.ReadFile(filepath.Join(root, n))
		name := "claude-code"
		if n[1:3] == "co" {
			name = "codex"
		}
		a, ok := agents.ByName(name)
		if !ok {
			continue
		}
		d, err := a.Open(agents.File{Path: filepath.Join(root, n), Root: filepath.Join(root)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var off int64
		zero, total := 0, 0
		seen := false
		for _, line := range bytes.Split(data, []byte("\n")) {
			end := off + int64(len(line)) + 1
			if len(line) == 0 {
				continue
			}
			evs, err := d.Decode(nil, line, off, end)
			if err != nil {
				fmt.Println("ERR", n, off, err)
			}
			for _, ev := range evs {
				total++
				if ev.Time == 0 {
					zero++
					if !seen {
						fmt.Println(n, "kind", ev.Kind, "zero time at", off)
					}
				} else {
					seen = true
				}
				if os.Getenv("ZZV") != "" {
					txt := ev.Text
					if len(txt) > 200 {
						txt = txt[:200]
					}
					fmt.Printf("%d %v t=%d u=%d f=%d %s %q subj=%q res=%+v sub=%v\n", off, kindName(ev.Kind), ev.Time, ev.User, ev.Final, ev.Tool, txt, ev.Subject, ev.Result, ev.Sub)
				}
			}
			off = end
		}
		if os.Getenv("ZZV") == "" && zero > 0 {
			fmt.Println(n, "zero", zero, "of", total)
		}
	}
}

func kindName(k event.Kind) string {
	return []string{"", "start", "user", "reply", "think", "call", "return", "tasks", "compact", "ask", "answer", "closed", "interrupt", "rollback"}[k]
}
