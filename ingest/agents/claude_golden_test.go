package agents

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// decodeAll decodes a whole content, line by line, and fails on bad records.
func decodeAll(t testing.TB, path string, content []byte) []event.Event {
	t.Helper()
	d, err := claudeOpen(File{Root: filepath.Dir(path), Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	offset := int64(0)
	for line := range bytes.Lines(content) {
		end := offset + int64(len(line))
		if events, err = d.Decode(events, bytes.TrimRight(line, "\n"), offset, end); err != nil {
			t.Fatalf("%s at %d: %v", path, offset, err)
		}
		offset = end
	}
	return events
}

func TestClaudeGolden(t *testing.T) {
	t.Parallel()
	root := filepath.Join(fixtures, ".claude", "projects")
	found := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got := golden(t, decodeAll(t, path, content))
		file := filepath.Join("testdata", "claude", strings.TrimSuffix(filepath.Base(path), ".jsonl")+".golden")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			return os.WriteFile(file, []byte(got), 0o644)
		}
		want, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s: events (-want +got)\n%s", filepath.Base(path), diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no fixtures")
	}
}
