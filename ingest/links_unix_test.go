//go:build unix

package ingest

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestLinks(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	real := filepath.Join(home, "dotfiles", "claude")
	write(t, filepath.Join(real, "projects", "p", "s1.jsonl"), prompt(1, "linked root"))
	link := func(to, name string) {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
	}
	link(real, filepath.Join(home, ".claude"))
	link(filepath.Join(real, "projects"), filepath.Join(real, "projects", "p", "loop"))
	link(filepath.Join(home, "nothing"), filepath.Join(real, "projects", "p", "dangling.jsonl"))
	if err := syscall.Mkfifo(filepath.Join(real, "projects", "p", "pipe.jsonl"), 0o600); err != nil {
		t.Skip(err)
	}
	in := claudeOnly(t, home, sink)
	in.opt.Roots = map[string][]string{"claude-code": {filepath.Join(real, "projects")}}
	in.roots = makeRoots(in.opt)
	run(t, in)
	eventually(t, "the linked file", sink.has("linked root"))
	appendTo(t, filepath.Join(real, "projects", "p", "s1.jsonl"), prompt(2, "news"))
	eventually(t, "news below a link", sink.has("linked root", "news"))
}
