package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTail plays scripts of what happens to a file. After every step one pass
// of a new process must leave exactly the prompts that are due.
func TestTail(t *testing.T) {
	t.Parallel()
	var (
		a, b, c = prompt(1, "first prompt"), prompt(2, "second prompt"), prompt(3, "third prompt")
		other   = strings.ReplaceAll(prompt(7, "other words!"), `"s1"`, `"s2"`)
	)
	type step struct {
		do   func(t *testing.T, path string)
		want []string
	}
	put := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) { write(t, path, content) }
	}
	add := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) { appendTo(t, path, content) }
	}
	for name, steps := range map[string][]step{
		"append": {
			{put(a), []string{"first prompt"}},
			{add(b + c), []string{"first prompt", "second prompt", "third prompt"}},
		},
		"half a line waits": {
			{put(a + b[:50]), []string{"first prompt"}},
			{add(b[50:100]), []string{"first prompt"}},
			{add(b[100:]), []string{"first prompt", "second prompt"}},
		},
		"a whole record without newline counts at once": {
			{put(a + strings.TrimSpace(b)), []string{"first prompt", "second prompt"}},
			{add("\n" + c), []string{"first prompt", "second prompt", "third prompt"}},
		},
		"a record glued to one without newline": {
			{put(a + strings.TrimSpace(b)), []string{"first prompt", "second prompt"}},
			{add(c), []string{"first prompt", "second prompt", "third prompt"}},
		},
		"a torn record before a whole one": {
			{put(a + b[:60] + c), []string{"first prompt", "third prompt"}},
		},
		"truncated and written anew": {
			{put(a + b), []string{"first prompt", "second prompt"}},
			{put(""), []string{"first prompt", "second prompt"}},
			{put(c), []string{"third prompt"}},
		},
		"truncated in the middle": {
			{put(a + b + c), []string{"first prompt", "second prompt", "third prompt"}},
			{put(a), []string{"first prompt"}},
			{add(c), []string{"first prompt", "third prompt"}},
		},
		"replaced and grown past the offset": {
			{put(a), []string{"first prompt"}},
			{put(other + b + c), []string{"other words!", "second prompt", "third prompt"}},
		},
		"same size, other words": {
			{put(a + b), []string{"first prompt", "second prompt"}},
			{put(a + strings.Replace(b, "second", "SECOND", 1)), []string{"first prompt", "SECOND prompt"}},
		},
		"same size, changed far from both ends": {
			{put(a + manyProgress(30) + b + manyProgress(30)), []string{"first prompt", "second prompt"}},
			{put(a + manyProgress(30) + strings.Replace(b, "second", "SECOND", 1) + manyProgress(30)), []string{"first prompt", "SECOND prompt"}},
		},
		"touched": {
			{put(a), []string{"first prompt"}},
			{func(t *testing.T, path string) {
				later := time.Now().Add(time.Hour)
				if err := os.Chtimes(path, later, later); err != nil {
					t.Fatal(err)
				}
			}, []string{"first prompt"}},
		},
		"atomically replaced": {
			{put(a + b), []string{"first prompt", "second prompt"}},
			{func(t *testing.T, path string) {
				write(t, path+".tmp", a+b+c)
				if err := os.Rename(path+".tmp", path); err != nil {
					t.Fatal(err)
				}
			}, []string{"first prompt", "second prompt", "third prompt"}},
		},
		"deleted and made again": {
			{put(a), []string{"first prompt"}},
			{func(t *testing.T, path string) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}, []string{"first prompt"}},
			{put(other), []string{"other words!"}},
		},
		"CRLF, BOM, blank lines": {
			{put("\xef\xbb\xbf" + strings.Replace(a, "\n", "\r\n", 1) + "\n\r\n" + b), []string{"first prompt", "second prompt"}},
		},
		"NUL bytes after a crash": {
			{put(a + strings.Repeat("\x00", 500)), []string{"first prompt"}},
			{add(b), []string{"first prompt", "second prompt"}},
		},
		"written over NUL bytes": {
			{put(a + strings.Repeat("\x00", len(b))), []string{"first prompt"}},
			{put(a + b), []string{"first prompt", "second prompt"}},
		},
		"UTF-16": {
			{put("\xff\xfe" + a), nil},
		},
		"not JSON": {
			{put("hello\nworld {\n" + a + "[1,2\n{}\nnull\n"), []string{"first prompt"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			path := transcript(home, "-home-ana-shop", "s1.jsonl")
			sink := newMemorySink()
			for i, s := range steps {
				s.do(t, path)
				once(t, home, sink)
				if diff := cmp.Diff(s.want, sink.prompts()); diff != "" {
					t.Fatalf("step %d: prompts (-want +got)\n%s", i, diff)
				}
				chunks := len(sink.chunks)
				once(t, home, sink)
				if name != "deleted and made again" && len(sink.chunks) != chunks {
					t.Fatalf("step %d: reading again without news took %d chunks", i, len(sink.chunks)-chunks)
				}
			}
		})
	}
}

func manyProgress(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(progressLine(i))
	}
	return b.String()
}

func TestRenameAndFork(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "-home-ana-shop", "s1.jsonl")
	write(t, path, prompt(1, "first prompt"))
	once(t, home, sink)
	moved := transcript(home, "-home-ana-store", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(moved), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	appendTo(t, moved, prompt(2, "second prompt"))
	once(t, home, sink)
	want := []string{"first prompt", "first prompt", "second prompt"} // two sources; the records' ids tell that one is a copy
	if diff := cmp.Diff(want, sink.prompts()); diff != "" {
		t.Errorf("prompts (-want +got)\n%s", diff)
	}
	records := make(map[string]bool)
	for _, events := range sink.events {
		for _, e := range events {
			if e.Text == "first prompt" {
				records[e.Record] = true
			}
		}
	}
	if len(records) != 1 {
		t.Errorf("copies of one record have ids %v, want one", records)
	}
}

// TestEveryCut cuts a file at every byte, restarting in between.
func TestEveryCut(t *testing.T) {
	t.Parallel()
	content := prompt(1, "first prompt") + progressLine(1) + prompt(2, "zweite Zeile „äöü“ 😀")
	want := []string{"first prompt", "zweite Zeile „äöü“ 😀"}
	for cut := 0; cut <= len(content); cut += 3 {
		home, sink := t.TempDir(), newMemorySink()
		path := transcript(home, "p", "s1.jsonl")
		write(t, path, content[:cut])
		once(t, home, sink)
		appendTo(t, path, content[cut:])
		once(t, home, sink)
		if got := sink.prompts(); !slices.Equal(got, want) {
			t.Fatalf("cut at %d: prompts %q, want %q", cut, got, want)
		}
		for _, skipped := range sink.skipped {
			if len(skipped) > 0 {
				t.Fatalf("cut at %d: skipped %v", cut, skipped)
			}
		}
	}
}

func TestHugeLine(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "p", "s1.jsonl")
	huge := `{"type":"user","uuid":"big","cwd":"/home/ana/shop","message":{"role":"user","content":"` + strings.Repeat("a", MaxLine) + "\"}}\n"
	write(t, path, prompt(1, "before")+huge+prompt(2, "after"))
	once(t, home, sink)
	if diff := cmp.Diff([]string{"before", "after"}, sink.prompts()); diff != "" {
		t.Errorf("prompts (-want +got)\n%s", diff)
	}
	var skipped []Skip
	for _, s := range sink.skipped {
		skipped = append(skipped, s...)
	}
	if len(skipped) != 1 || skipped[0].Offset != int64(len(prompt(1, "before"))) {
		t.Errorf("skipped = %v, want the one long line", skipped)
	}
	appendTo(t, path, prompt(3, "later"))
	once(t, home, sink)
	if diff := cmp.Diff([]string{"before", "after", "later"}, sink.prompts()); diff != "" {
		t.Errorf("after an append: prompts (-want +got)\n%s", diff)
	}
}

func TestChunksAreBounded(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	var b strings.Builder
	for i := range 2*chunkLines + 5 {
		b.WriteString(prompt(i, fmt.Sprint("prompt ", i)))
	}
	write(t, transcript(home, "p", "s1.jsonl"), b.String())
	once(t, home, sink)
	if len(sink.chunks) != 3 {
		t.Fatalf("%d chunks, want 3", len(sink.chunks))
	}
	for i, c := range sink.chunks {
		if c.Restart != (i == 0) || c.End != (i == 2) {
			t.Errorf("chunk %d: Restart %v, End %v", i, c.Restart, c.End)
		}
		if i > 0 && c.From != sink.chunks[i-1].Cursor.Offset {
			t.Errorf("chunk %d begins at %d, the one before ends at %d", i, c.From, sink.chunks[i-1].Cursor.Offset)
		}
	}
	if got := len(sink.prompts()); got != 2*chunkLines+5 {
		t.Errorf("%d prompts, want %d", got, 2*chunkLines+5)
	}
}

func TestFailedTakeIsTriedAgain(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "p", "s1.jsonl")
	write(t, path, prompt(1, "first"))
	sink.setFail(errFull)
	in := claudeOnly(t, home, sink)
	if err := in.Once(context.Background(), nil, nil); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Fatalf("Once = %v, want the sink's error", err)
	}
	if s := in.Status(); len(s[0].Failed) != 1 {
		t.Errorf("Status shows failed files %v, want one", s[0].Failed)
	}
	sink.setFail(nil)
	if err := in.Once(context.Background(), nil, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"first"}, sink.prompts()); diff != "" {
		t.Errorf("prompts (-want +got)\n%s", diff)
	}
}

// TestNewsWithoutEvents: records that give nothing cost the sink nothing.
func TestNewsWithoutEvents(t *testing.T) {
	t.Parallel()
	home, sink := t.TempDir(), newMemorySink()
	path := transcript(home, "p", "s1.jsonl")
	write(t, path, prompt(1, "first"))
	in := claudeOnly(t, home, sink)
	for i := range 50 {
		appendTo(t, path, progressLine(i))
		if err := in.Sync(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if len(sink.chunks) != 1 {
		t.Errorf("%d chunks for one prompt and 50 progress records, want 1", len(sink.chunks))
	}
	appendTo(t, path, prompt(2, "second"))
	if err := in.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"first", "second"}, sink.prompts()); diff != "" {
		t.Errorf("prompts (-want +got)\n%s", diff)
	}
	// A sink that has lost its memory is given everything again.
	appendTo(t, path, progressLine(99))
	if err := in.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	sink.forgetAll()
	if err := in.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"first", "second"}, sink.prompts()); diff != "" {
		t.Errorf("after the sink forgot: prompts (-want +got)\n%s", diff)
	}
	once(t, home, sink)
	if diff := cmp.Diff([]string{"first", "second"}, sink.prompts()); diff != "" {
		t.Errorf("after a restart: prompts (-want +got)\n%s", diff)
	}
}
