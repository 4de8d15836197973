package agents

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// codexFixtureFiles lists the invented rollouts.
func codexFixtureFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(codexFixtures, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && codexMatch("", path) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 5 {
		t.Fatalf("%d fixtures, want at least 5", len(files))
	}
	return files
}

func TestCodexGolden(t *testing.T) {
	t.Parallel()
	for _, path := range codexFixtureFiles(t) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		events, bad := codexRun(t, path, content)
		if bad != 0 {
			t.Errorf("%s: %d bad records", path, bad)
		}
		got := golden(t, events)
		file := filepath.Join("testdata", "codex", strings.TrimSuffix(filepath.Base(path), ".jsonl")+".golden")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s: events (-want +got)\n%s", filepath.Base(path), diff)
		}
	}
}
