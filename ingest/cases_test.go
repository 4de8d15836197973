package ingest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// setUp copies a fault case to a directory of the test and finishes it there.
func setUp(t *testing.T, number string) (home, source string) {
	t.Helper()
	source = filepath.Join(shared(t), "cases", number)
	dest := t.TempDir()
	home = filepath.Join(dest, "home")
	if script := filepath.Join(source, "setup.sh"); exists(script) {
		if out, err := exec.Command("sh", script, dest).CombinedOutput(); err != nil {
			t.Skipf("setup.sh: %v %s", err, out)
		}
		return home, source
	}
	if err := os.CopyFS(home, os.DirFS(filepath.Join(source, "home"))); err != nil {
		t.Skip(err)
	}
	err := filepath.Walk(home, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode()|0o700)
	})
	if err != nil {
		t.Fatal(err)
	}
	return home, source
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// onlyFile is the one transcript below a home directory.
func onlyFile(t *testing.T, home string) string {
	t.Helper()
	files, err := filepath.Glob(transcript(home, "*", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("transcripts %v (%v), want one", files, err)
	}
	return files[0]
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err)
	}
	return string(content)
}

// replies lists the agent's texts.
func (s *memorySink) replies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var texts []string
	for _, events := range s.events {
		for _, e := range events {
			if e.Kind == event.AssistantMessage {
				texts = append(texts, e.Text)
			}
		}
	}
	return texts
}

func (s *memorySink) skips() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, skipped := range s.skipped {
		n += len(skipped)
	}
	return n
}

func TestCase001HugeLine(t *testing.T) {
	home, _ := setUp(t, "001")
	sink := newMemorySink()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	once(t, home, sink)
	runtime.ReadMemStats(&after)
	if diff := cmp.Diff([]string{"Please rename the pear module to plum.", "Use tabs, never spaces, in Makefiles here."}, sink.prompts()); diff != "" {
		t.Errorf("prompts (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Renamed pear to plum in four files.", "Noted: Makefiles use tabs."}, sink.replies()); diff != "" {
		t.Errorf("replies (-want +got)\n%s", diff)
	}
	if used := int64(after.TotalAlloc - before.TotalAlloc); used > 5*20<<20 {
		t.Errorf("%d bytes allocated for a line of 20 MiB", used)
	}
}

func TestCase003PartialLine(t *testing.T) {
	t.Parallel()
	home, source := setUp(t, "003")
	sink := newMemorySink()
	once(t, home, sink)
	if !sink.has("Start the orchard server on port 4410.")() {
		t.Errorf("step 1: prompts %q", sink.prompts())
	}
	appendTo(t, onlyFile(t, home), readFile(t, filepath.Join(source, "step2.append")))
	once(t, home, sink)
	if !sink.has("Start the orchard server on port 4410.", "From now on the default port is 4410, write it down.")() || sink.skips() != 0 {
		t.Errorf("step 2: prompts %q, %d skipped", sink.prompts(), sink.skips())
	}
}

// TestCase063Rewrite: of a rewritten file what it says now counts. What it
// said before is the store's: here the sink forgets it with the restart.
func TestCase063Rewrite(t *testing.T) {
	t.Parallel()
	home, source := setUp(t, "063")
	sink := newMemorySink()
	once(t, home, sink)
	write(t, onlyFile(t, home), readFile(t, filepath.Join(source, "step2.full")))
	once(t, home, sink)
	got := sink.prompts()
	for _, want := range []string{"Alpha prompt stays.", "Gamma prompt.", "Delta prompt makes the file as long as before, plus some more words to be sure about it."} {
		if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != want })); n != 1 {
			t.Errorf("%q comes %d times, want once", want, n)
		}
	}
	if sink.skips() != 0 {
		t.Errorf("%d parts skipped", sink.skips())
	}
}

// TestCase065WatchLimit reads three thousand folders with a hundred watches.
func TestCase065WatchLimit(t *testing.T) {
	home, _ := setUp(t, "065")
	sink := newMemorySink()
	in := claudeOnly(t, home, sink)
	in.watch.open = limited(100)
	run(t, in)
	eventually(t, "all sessions", func() bool { return len(sink.prompts()) == 3000 })
	s := in.Status()[0]
	if s.Files != 3000 || s.Watched != 99 || s.Polled < 2900 || !strings.Contains(s.Reason, "watch limit") {
		t.Errorf("Status = %+v", s)
	}
}
