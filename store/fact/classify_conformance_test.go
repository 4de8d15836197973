package fact

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// vectors decodes a file of shared conformance vectors, or skips the test
// where they are not at hand.
func vectors(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedDir(t), "conformance", name))
	if err != nil {
		t.Skipf("no shared vectors: %v", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("vectors %s: %v", name, err)
	}
}

// sharedDir returns the folder of shared test data, beside the repository.
func sharedDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("KMEM_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared")
		}
		if filepath.Dir(dir) == dir {
			t.Skip("not inside the repository")
		}
		dir = filepath.Dir(dir)
	}
}

func TestTypeOfVectors(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct {
			Key  string
			Type Type
		}
	}
	vectors(t, "memory/classify.json", &file)
	for _, v := range file.Vectors {
		if got := TypeOf(v.Key); got != v.Type {
			t.Errorf("TypeOf(%q) = %s, want %s", v.Key, got, v.Type)
		}
	}
}

func TestDoneVectors(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct {
			Value string
			Done  bool
		}
	}
	vectors(t, "memory/done.json", &file)
	for _, v := range file.Vectors {
		if got := Done(v.Value); got != v.Done {
			t.Errorf("Done(%q) = %v, want %v", v.Value, got, v.Done)
		}
	}
}

func TestHandledVectors(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct {
			Value    string
			Resolved bool
		}
	}
	vectors(t, "memory/resolved.json", &file)
	for _, v := range file.Vectors {
		if got := Handled(v.Value); got != v.Resolved {
			t.Errorf("Handled(%q) = %v, want %v", v.Value, got, v.Resolved)
		}
	}
}

// differsFromPeer names the keys whose type the page decides otherwise than
// the peer, which takes any substring in its own case: with the type they have
// here.
var differsFromPeer = map[string]Type{
	"subtask": Note, "multitasking": Note, "swipe_gesture": Note, "estate": Note, "statement": Note, "undecided": Note,
	"likely_cause": Note, "dislike": Note, "unlike": Note, "debug_port": Note, "ladybug": Note, "profile": Note,
	"pathology": Note, "director": Note, "redirect_url": Note, "envelope": Note, "reconfigure": Note, "abandoned": Note,
	"undone": Note, "condone": Note, "wipe": Note, "taskforce": Note, "anywhy": Note,
	"PROMPT:upper": Prompt, "Goal": Prompt, "Status": Status, "last_actions": Note,
	"session:state": Status, "env_file": FileType, "résultat": Note,
}

func TestTypeOfPeer(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct {
			Key   string
			Type  Type
			Agree string `json:"doc_agrees"`
		}
	}
	vectors(t, "kdeps/classify.json", &file)
	for _, v := range file.Vectors {
		want := v.Type
		if own, ok := differsFromPeer[v.Key]; ok {
			want = own
		}
		if got := TypeOf(v.Key); got != want {
			t.Errorf("TypeOf(%q) = %s, want %s", v.Key, got, want)
		}
	}
}
