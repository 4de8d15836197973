package agents

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ingest/event"
)

// cxCorpus holds, for each real rollout by the beginning of its thread id,
// what was counted in it without this decoder: the prompts that the user typed,
// the commands whose exit code was not 0, and what the agent said.
var cxCorpus = map[string]struct{ prompts, failed, said int }{
	"019d6306": {5, 6, 36},
	"019d683e": {2, 4, 23},
	"019d686d": {2, 3, 16},
	"019d69f9": {1, 3, 9},
	"019d6ca5": {1, 3, 12},
	"019d6cca": {12, 6, 47}, // two of what it said are plans, which no event repeats
	"019d6f23": {3, 0, 18},
	"019d7ecc": {4, 7, 24},
	"019ed50c": {6, 2, 52},
	"019ed836": {2, 3, 8},
	"019ed893": {17, 14, 260},
	"019ed936": {8, 8, 49},
	"019f03e0": {10, 16, 39},
	"019f05f8": {6, 4, 56},
	"019f1de1": {4, 6, 28},
	"019f36b8": {11, 14, 163},
}

func cxCorpusFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(codexShared(t, "corpus", "home", ".codex", "sessions"), "*", "*", "*", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCodexCorpus(t *testing.T) {
	t.Parallel()
	files := cxCorpusFiles(t)
	if len(files) != len(cxCorpus) {
		t.Errorf("%d files, want %d", len(files), len(cxCorpus))
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		events, bad := codexRun(t, path, content)
		if bad != 0 {
			t.Errorf("%s: %d bad lines", path, bad)
		}
		cxSound(t, events, int64(len(content)))
		var prompts, failed, said int
		records, calls := map[string]bool{}, map[string]bool{}
		for _, e := range events {
			if records[e.Record] {
				t.Errorf("%s: %s comes twice", path, e.Record)
			}
			records[e.Record] = true
			switch e.Kind {
			case event.UserMessage:
				prompts++
			case event.AssistantMessage:
				said++
			case event.ToolCalled:
				calls[e.Call] = true
			case event.ToolReturned:
				if !calls[e.Call] {
					t.Errorf("%s: an answer without a call: %s", path, briefEvent(e))
				}
				if e.Action == event.Exec && e.Result.Failed {
					failed++
				}
			}
		}
		thread, _ := codexFromName(path)
		got := struct{ prompts, failed, said int }{prompts, failed, said}
		if want := cxCorpus[thread[:8]]; got != want {
			t.Errorf("%s: %+v, want %+v", filepath.Base(path), got, want)
		}
		if strings.Contains(brief(events), "<INSTRUCTIONS>") {
			t.Errorf("%s: injected text came through", path)
		}
	}
}

// BenchmarkCodex decodes the real rollouts, beside a bare look for line ends.
func BenchmarkCodex(b *testing.B) {
	var contents [][]byte
	size := int64(0)
	for _, path := range cxCorpusFiles(b) {
		content, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		contents, size = append(contents, content), size+int64(len(content))
	}
	b.SetBytes(size)
	b.ReportAllocs()
	var events []event.Event
	for b.Loop() {
		for _, content := range contents {
			d, err := openCodex(File{Path: codexFile}, nil)
			if err != nil {
				b.Fatal(err)
			}
			offset := int64(0)
			for line := range bytes.Lines(content) {
				end := offset + int64(len(line))
				events, _ = d.Decode(events[:0], bytes.TrimRight(line, "\n"), offset, end)
				offset = end
			}
		}
	}
}
