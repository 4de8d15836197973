package lang_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kmemd/kmemd/rules/lang"
)

// shared returns the path of a file of the shared vectors, or skips the test
// where they are not there.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("KMEM_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				root = filepath.Join(dir, "..", "shared")
				break
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				t.Skip("no module root")
			}
			dir = parent
		}
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no shared vectors")
	}
	return path
}

// vectors reads the vectors of a file.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(shared(t, filepath.Join("conformance", name)))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []T }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 {
		t.Fatalf("%s holds no vectors", name)
	}
	return file.Vectors
}

func TestActionVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[struct {
		Text   string
		Action *string
	}](t, "memory/action.json") {
		want := ""
		if v.Action != nil {
			want = *v.Action
		}
		if got := lang.FirstAction(v.Text); got != want {
			t.Errorf("FirstAction(%q) = %q, want %q", v.Text, got, want)
		}
	}
}

func TestFilesVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[struct {
		Text  string
		Files []string
	}](t, "memory/files_prose.json") {
		got := lang.ProsePaths(v.Text, "/home/ana/shop")
		if diff := cmp.Diff(v.Files, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("ProsePaths(%q) (-want +got):\n%s", v.Text, diff)
		}
	}
}

func TestMarkerVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[struct {
		Text    string
		Markers map[string]string
	}](t, "memory/markers.json") {
		got := map[string]string{}
		for _, p := range lang.Markers(v.Text) {
			got[p.Key] = p.Value
		}
		if diff := cmp.Diff(v.Markers, got); diff != "" {
			t.Errorf("Markers(%q) (-want +got):\n%s", v.Text, diff)
		}
	}
}

func TestTruncateVectors(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[struct {
		Value  string
		Limit  int
		Stored string
	}](t, "memory/truncate.json") {
		if got := lang.Clip(v.Value, v.Limit); got != v.Stored {
			t.Errorf("Clip(%q, %d) = %q, want %q", v.Value, v.Limit, got, v.Stored)
		}
	}
}

// peerDiffers says why a vector of the peer's behaviour does not hold here
// although its document agrees with it.
var peerDiffers = map[string]string{
	"ac12": "the peer keeps back-ticks; Markdown marks are removed",
	"fl02": "paths are relative to the project, without ./",
	"fl04": "wrote is an action verb",
	"fl15": "edited is an action verb",
	"mx04": "paths are relative to the project, without ./",
}

func TestPeerExtraction(t *testing.T) {
	t.Parallel()
	type entry struct{ Key, Value string }
	for _, v := range vectors[struct {
		ID        string
		User      string
		Assistant string
		Entries   []entry
		Agrees    string            `json:"doc_agrees"`
		Expects   map[string]string `json:"doc_expects"`
	}](t, "kdeps/extraction.json") {
		if v.Agrees != "yes" || peerDiffers[v.ID] != "" {
			continue
		}
		got := map[string]string{}
		if action := lang.FirstAction(v.Assistant); action != "" {
			got["last_action"] = action
		}
		if paths := lang.ProsePaths(v.Assistant, "/home/ana/shop"); len(paths) > 0 {
			got["last_files"] = lang.JoinPaths(paths)
		}
		for _, p := range lang.Markers(v.Assistant) {
			got[p.Key] = p.Value
		}
		if diff := cmp.Diff(v.Expects, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", v.ID, v.Assistant, diff)
		}
	}
}

func TestPeerTruncation(t *testing.T) {
	t.Parallel()
	for _, v := range vectors[struct {
		Input  string
		Limit  int
		Output string
		Agrees string `json:"doc_agrees"`
	}](t, "kdeps/truncate.json") {
		if v.Agrees != "yes" {
			continue
		}
		want := v.Output
		switch v.Input {
		case "👩‍👩‍👧 family":
			want = "..." // the peer splits the family
		case "e\u0301e\u0301e\u0301":
			want = "e\u0301..." // and takes a letter its accent
		case "ab\uFFFD\uFFFDcd":
			continue // recorded from bytes that are no UTF-8, which JSON cannot hold
		}
		if got := lang.Clip(v.Input, v.Limit); got != want {
			t.Errorf("Clip(%q, %d) = %q, want %q", v.Input, v.Limit, got, want)
		}
	}
}
