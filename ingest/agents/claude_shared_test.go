package agents

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// sharedData returns a folder of the shared test data, or skips the test.
func sharedData(t testing.TB, parts ...string) string {
	t.Helper()
	dir := os.Getenv("KMEM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(append([]string{dir}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no shared test data")
	}
	return dir
}

// transcripts lists the Claude Code files below a home directory.
func transcripts(t testing.TB, home string) []string {
	t.Helper()
	var files []string
	for _, root := range claudeRoots(Env{Home: home}) {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && claudeMatch(root, path) {
				files = append(files, path)
			}
			return nil
		})
	}
	if len(files) == 0 {
		t.Skipf("no transcripts below %s", home)
	}
	return files
}

// corpusPrompts is how many prompts of the user each session file holds, by
// the first digits of its name: counted by another program, by the rules of
// the format alone. Files not named hold none.
var corpusPrompts = map[string]int{
	"51723c80": 1, "95dc735b": 2, "ffc44f28": 5, "839b35f7": 4, "c26d2153": 5, "cab865ac": 3, "cef3602b": 1,
	"e7eb742c": 5, "f6833005": 6, "f736da47": 4, "377c739d": 3, "b2273d7d": 1, "12a546d1": 2, "937c6e6b": 3,
	"b45ad5d8": 1, "cbc0f75b": 1, "fe869ecb": 2, "c010174c": 9, "53ea19c1": 1, "0cf3db51": 8, "70c88cff": 5,
	"9e953218": 14, "b25638d7": 1, "03eb5929": 7, "67913b32": 1, "030df228": 16, "33cbf43f": 6, "b342582f": 3,
}

func TestClaudeCorpus(t *testing.T) {
	t.Parallel()
	got := make(map[string]int)
	for _, path := range transcripts(t, sharedData(t, "corpus", "home")) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := claudeOpen(File{Root: filepath.Dir(path), Path: path}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(content) {
			events, err := d.Decode(nil, bytes.TrimRight(line, "\n"), 0, 0)
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(path), err)
			}
			for _, e := range events {
				if e.Kind == event.UserMessage && e.User <= event.Plan && !e.Sub {
					got[filepath.Base(path)[:8]]++
				}
			}
		}
		state, err := d.State()
		if err != nil || len(state) > 64<<10 {
			t.Errorf("%s: state of %d bytes, %v", filepath.Base(path), len(state), err)
		}
	}
	if diff := cmp.Diff(corpusPrompts, got); diff != "" {
		t.Errorf("prompts by file (-want +got)\n%s", diff)
	}
}

// TestClaudeCases looks at what the fault cases that concern this format give.
// Those about files (003, 063, 065) are tests of package ingest; in 023 a text
// and its longer snapshot count as one, which is for whoever takes the last
// text of a turn.
func TestClaudeCases(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]struct{ prompts, replies []string }{
		"009": {[]string{"Show the badge list.", "Drop bronze from now on."}, []string{"Badges: \ufffd gold, silver \ufffd and bronze."}},
		"011": {[]string{"First.", "Second, part a.\nSecond, part b."}, []string{"a plain string reply"}},
		"013": {[]string{"Sort the kites by span."}, []string{"Sorted by span."}},
		"023": {[]string{"Write the three crate files."}, []string{"Writing three files.", "All three written."}},
		"033": {[]string{"Audit the wiring."}, []string{"Wire 3 is loose."}},
		"051": {[]string{"Trim the hedge to 80 cm.", "And water it twice."}, []string{"Trimmed to 80 cm.", "Watered twice."}},
		"053": {[]string{"Build the long fence.", "Use cedar, not pine, for posts."}, []string{"Cedar posts used."}},
		"057": {[]string{"Real work fact."}, []string{"Noted."}},
		"083": {[]string{"Run the long sieve.", "Sieve at night only."}, []string{"Sieved."}},
		"085": {[]string{"Real orchard fact."}, []string{"Noted."}},
		"089": {[]string{"I want merges reviewed by two people."}, []string{"Working on it.", "Two reviewers then."}},
	} {
		t.Run(number, func(t *testing.T) {
			t.Parallel()
			var prompts, replies []string
			for _, path := range transcripts(t, sharedData(t, "cases", number, "home")) {
				content, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range decodeAll(t, path, content) {
					switch {
					case e.Sub:
					case e.Kind == event.UserMessage && e.User <= event.Plan:
						prompts = append(prompts, e.Text)
					case e.Kind == event.AssistantMessage:
						if n := len(replies); n > 0 && strings.HasPrefix(e.Text, replies[n-1]) {
							replies = replies[:n-1]
						}
						replies = append(replies, e.Text)
					}
				}
			}
			if diff := cmp.Diff(want.prompts, prompts); diff != "" {
				t.Errorf("prompts (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(want.replies, replies); diff != "" {
				t.Errorf("replies (-want +got)\n%s", diff)
			}
		})
	}
}

// TestClaudeOwnBlock is case 055 with the real delimiters of our block: in none
// of its places does it come back as the user's words or a tool's news.
func TestClaudeOwnBlock(t *testing.T) {
	t.Parallel()
	files := transcripts(t, sharedData(t, "cases", "055", "home"))
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	content = bytes.ReplaceAll(content, []byte("@OUR-BLOCK-START@"), []byte("<memory>"))
	content = bytes.ReplaceAll(content, []byte("@OUR-BLOCK-END@"), []byte("</memory>"))
	got := short(decodeAll(t, files[0], content))
	want := []string{"typed: Order new bottles.", "says: Bottles ordered. As noted, pressing is on Mondays."}
	if !slices.Equal(got, want) {
		t.Errorf("events %q, want %q", got, want)
	}
}

// TestClaudeTerminalText is case 071 at this level: the words are all there,
// in valid UTF-8. Whoever stores them takes the control characters out.
func TestClaudeTerminalText(t *testing.T) {
	t.Parallel()
	files := transcripts(t, sharedData(t, "cases", "071", "home"))
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	got := short(decodeAll(t, files[0], content))
	if len(got) != 2 || !strings.HasPrefix(got[0], "typed: Label the crate ") || !strings.HasSuffix(got[0], "end.") {
		t.Errorf("events %q", got)
	}
}

// TestClaudeGlued: of glued and torn lines the whole records can be told apart.
func TestClaudeGlued(t *testing.T) {
	t.Parallel()
	title := `{"type":"summary","summary":"x","leafUuid":"y"}`
	for name, line := range map[string]string{
		"two records":      title + user(1, "hello over there"),
		"torn, then whole": `{"type":"pr-link","sessionId":"s1","prNu` + user(1, "hello over there"),
		"torn long before": `{"type":"progress","data":{"x":"abc` + user(1, "hello over there"),
	} {
		d, err := claudeOpen(File{Path: "/r/p/s1.jsonl"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Decode(nil, []byte(line), 0, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
		var events []event.Event
		for _, s := range scan.Split([]byte(line)) {
			if events, err = d.Decode(events, []byte(line)[s.From:s.To], 0, 1); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got := short(events); len(got) != 1 || got[0] != "typed: hello over there" {
			t.Errorf("%s: events %q", name, got)
		}
	}
}
