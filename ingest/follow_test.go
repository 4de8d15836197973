package ingest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// run starts Run and stops it at the end of the test.
func run(t *testing.T, in *Ingester) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- in.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}

func (s *memorySink) has(want ...string) func() bool {
	return func() bool { return slices.Equal(s.prompts(), want) }
}

func TestFollow(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "p", "s1.jsonl")
	write(t, path, prompt(1, "old"))
	in := claudeOnly(t, home, sink)
	run(t, in)
	eventually(t, "the old prompt", sink.has("old"))

	appendTo(t, path, prompt(2, "new"))
	eventually(t, "an appended prompt", sink.has("old", "new"))

	// A directory made with files already in it.
	tmp := filepath.Join(home, "tmp", "deep", "sub")
	write(t, filepath.Join(tmp, "s2.jsonl"), prompt(3, "deep"))
	if err := os.Rename(filepath.Join(home, "tmp"), transcript(home, "q")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a file in a new tree", sink.has("old", "new", "deep"))
	appendTo(t, transcript(home, "q", "deep", "sub", "s2.jsonl"), prompt(4, "deeper"))
	eventually(t, "an append in a new tree", sink.has("old", "new", "deep", "deeper"))

	// A directory renamed: its files are known again under the new name.
	if err := os.Rename(transcript(home, "q"), transcript(home, "r")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "files of a renamed tree", sink.has("old", "new", "deep", "deeper", "deep", "deeper"))
	appendTo(t, transcript(home, "r", "deep", "sub", "s2.jsonl"), prompt(5, "deepest"))
	eventually(t, "an append in a renamed tree", sink.has("old", "new", "deep", "deeper", "deep", "deeper", "deepest"))

	s := in.Status()
	if s[0].State != StateWatching || s[0].Watched < 4 || s[0].Polled != 0 {
		t.Errorf("Status = %+v, want a watched root", s[0])
	}
}

func TestLatency(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "p", "s1.jsonl")
	write(t, path, prompt(1, "old"))
	run(t, claudeOnly(t, home, sink))
	<-sink.took
	var took []time.Duration
	for i := range 20 {
		time.Sleep(2 * debounce)
		start := time.Now()
		appendTo(t, path, prompt(2+i, "new"))
		<-sink.took
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > 50*time.Millisecond {
		t.Errorf("median time from append to Take is %v, want at most 50ms", median)
	}
}

func TestRootComesLater(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	in := claudeOnly(t, home, sink)
	run(t, in)
	eventually(t, "the first look", func() bool { return in.Status()[0].State == StateMissing })
	write(t, transcript(home, "p", "s1.jsonl"), prompt(1, "first"))
	eventually(t, "a file in a new root", sink.has("first"))
	if err := os.RemoveAll(filepath.Join(home, ".claude")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the root to be gone", func() bool { return in.Status()[0].State == StateMissing })
	write(t, transcript(home, "p", "s2.jsonl"), prompt(2, "second"))
	eventually(t, "a file in a root made again", sink.has("first", "second"))
}

// fakeWatcher allows a number of watches.
type fakeWatcher struct {
	mu   sync.Mutex
	room int
	fail error
	dirs []string
}

func (f *fakeWatcher) Add(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.dirs) >= f.room {
		return f.fail
	}
	f.dirs = append(f.dirs, dir)
	return nil
}
func (f *fakeWatcher) Remove(string) error { return nil }
func (f *fakeWatcher) Close() error        { return nil }

// limited opens a watcher with room for so many watches.
func limited(room int) func() (opened, error) {
	fake := &fakeWatcher{room: room, fail: &os.SyscallError{Syscall: "inotify_add_watch", Err: syscall.ENOSPC}}
	return func() (opened, error) {
		return opened{watcher: fake, events: make(chan fsnotify.Event), errors: make(chan error)}, nil
	}
}

func TestWatchLimit(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	for _, p := range []string{"a", "b", "c", "d"} {
		write(t, transcript(home, p, "s1.jsonl"), prompt(1, p))
	}
	in := claudeOnly(t, home, sink)
	in.watch.open = limited(4) // one is for the directory above the root
	run(t, in)
	eventually(t, "all files", sink.has("a", "b", "c", "d"))
	var s RootStatus
	eventually(t, "the state", func() bool { s = in.Status()[0]; return s.State == StatePolling })
	if s.Watched != 3 || s.Polled != 2 || !strings.Contains(s.Reason, "watch limit") || !strings.Contains(s.Reason, "fs.inotify.max_user_watches") {
		t.Errorf("Status = %+v, want 3 watched and 2 polled directories and the name of the limit", s)
	}
	appendTo(t, transcript(home, "d", "s1.jsonl"), prompt(2, "polled"))
	eventually(t, "news in a polled directory", sink.has("a", "b", "c", "d", "polled"))
}

func TestNoWatcher(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	write(t, transcript(home, "a", "s1.jsonl"), prompt(1, "a"))
	in := claudeOnly(t, home, sink)
	in.watch.open = func() (opened, error) { return opened{}, syscall.EMFILE }
	run(t, in)
	eventually(t, "the file", sink.has("a"))
	if s := in.Status()[0]; s.State != StatePolling || !strings.Contains(s.Reason, "fs.inotify.max_user_instances") {
		t.Errorf("Status = %+v, want polling and the name of the limit", s)
	}
}

func TestOverflow(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "a", "s1.jsonl")
	write(t, path, prompt(1, "a"))
	in := claudeOnly(t, home, sink)
	failures := make(chan error)
	in.watch.open = func() (opened, error) {
		return opened{watcher: &fakeWatcher{room: 100}, events: make(chan fsnotify.Event), errors: failures}, nil
	}
	run(t, in)
	eventually(t, "the file", sink.has("a"))
	appendTo(t, path, prompt(2, "unseen"))
	failures <- fsnotify.ErrEventOverflow
	eventually(t, "news lost by the system", sink.has("a", "unseen"))
	if s := in.Status()[0]; s.Overflows != 1 {
		t.Errorf("Overflows = %d, want 1", s.Overflows)
	}
}

func TestPauseSyncRescan(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "p", "s1.jsonl")
	write(t, path, prompt(1, "one"))
	in := claudeOnly(t, home, sink)
	run(t, in)
	ctx := context.Background()
	eventually(t, "the first prompt", sink.has("one"))
	appendTo(t, path, prompt(2, "two"))
	if err := in.Sync(ctx); err != nil || !sink.has("one", "two")() {
		t.Fatalf("after Sync (%v): prompts %q", err, sink.prompts())
	}
	in.Pause(true)
	appendTo(t, path, prompt(3, "three"))
	if err := in.Sync(ctx); err != ErrPaused {
		t.Errorf("Sync while paused = %v, want ErrPaused", err)
	}
	if s := in.Status()[0]; s.State != StatePaused || s.Waiting != 1 {
		t.Errorf("Status = %+v, want one file waiting in a pause", s)
	}
	in.Pause(false)
	eventually(t, "what came in the pause", sink.has("one", "two", "three"))

	chunks := len(sink.chunks)
	in.Rescan(true)
	eventually(t, "a full rescan", func() bool {
		sink.mu.Lock()
		defer sink.mu.Unlock()
		return len(sink.chunks) > chunks && sink.chunks[len(sink.chunks)-1].Restart
	})
	if err := in.Sync(ctx); err != nil || !sink.has("one", "two", "three")() {
		t.Fatalf("after a rescan (%v): prompts %q", err, sink.prompts())
	}
}

func TestCompressed(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := transcript(home, "p", "s1.jsonl.zst")
	write(t, path, string(z.EncodeAll([]byte(prompt(1, "packed")), nil)))
	in := claudeOnly(t, home, sink)
	in.opt.Agents[0].Match = func(_, rel string) bool { return strings.HasSuffix(rel, ".zst") }
	ctx := context.Background()
	for range 2 {
		if err := in.Once(ctx, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !sink.has("packed")() || len(sink.chunks) != 1 {
		t.Fatalf("prompts %q in %d chunks", sink.prompts(), len(sink.chunks))
	}
	write(t, path, string(z.EncodeAll([]byte(prompt(1, "packed")+prompt(2, "again")), nil)))
	if err := in.Once(ctx, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !sink.has("packed", "again")() {
		t.Errorf("prompts %q", sink.prompts())
	}
	write(t, path, "no such compression")
	if err := in.Once(ctx, nil, nil); err == nil {
		t.Error("a broken archive gives no error")
	}
}

func TestOncePathsExcludedProgress(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	for _, p := range []string{"a", "b", "secret"} {
		write(t, transcript(home, p, "s1.jsonl"), prompt(1, p))
	}
	elsewhere := filepath.Join(t.TempDir(), "copy", "s9.jsonl")
	write(t, elsewhere, prompt(9, "elsewhere"))
	in := claudeOnly(t, home, sink)
	in.opt.Excluded = func(path string) bool { return filepath.Base(path) == "secret" }
	ctx := context.Background()
	if err := in.Once(ctx, []string{transcript(home, "b"), elsewhere}, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := len(sink.prompts()), 2; got != want {
		t.Errorf("prompts %q, want b and elsewhere", sink.prompts())
	}
	var last Progress
	if err := in.Once(ctx, nil, func(p Progress) { last = p }); err != nil {
		t.Fatal(err)
	}
	if last.Files != 2 || last.FilesDone != 2 || last.Bytes == 0 || last.BytesDone != last.Bytes {
		t.Errorf("last progress = %+v", last)
	}
	if got := sink.prompts(); slices.Contains(got, "secret") || len(got) != 3 {
		t.Errorf("prompts %q", got)
	}
	if err := in.Once(ctx, []string{filepath.Join(home, "nowhere")}, nil); err == nil {
		t.Error("Once of a missing path gives no error")
	}
}

func TestNewestFirst(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	now := time.Now()
	for i, p := range []string{"old", "newest", "older"} {
		path := transcript(home, p, "s1.jsonl")
		write(t, path, prompt(i+1, p))
		at := now.Add(-time.Duration([]int{2, 1, 3}[i]) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	in := claudeOnly(t, home, sink)
	in.opt.Workers = 1
	if err := in.Once(context.Background(), nil, nil); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, c := range sink.chunks {
		order = append(order, filepath.Base(filepath.Dir(c.Source.Path)))
	}
	if diff := cmp.Diff([]string{"newest", "old", "older"}, order); diff != "" {
		t.Errorf("order (-want +got)\n%s", diff)
	}
}
