package agents

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestNamedDirectories(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	own := filepath.Join(home, ".codex")
	for _, name := range []string{"sessions", "archived_sessions", "log"} {
		if err := os.MkdirAll(filepath.Join(own, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	codex, _ := ByName("codex")
	for dir, want := range map[string][]string{
		own:                            {filepath.Join(own, "sessions"), filepath.Join(own, "archived_sessions")},
		filepath.Join(own, "sessions"): {filepath.Join(own, "sessions")},
		filepath.Join(own, "log"):      {filepath.Join(own, "log")},
		filepath.Join(home, "later"):   {filepath.Join(home, "later")},
	} {
		if got := codex.Within(dir); !slices.Equal(got, want) {
			t.Errorf("Within(%s) = %v, want %v", dir, got, want)
		}
	}
}
