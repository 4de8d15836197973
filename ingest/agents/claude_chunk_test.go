package agents

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/ingest/event"
)

// claudeFixtures are the contents of the invented sessions.
func claudeFixtures(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, ".claude", "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures (%v)", err)
	}
	contents := make(map[string][]byte)
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		contents[f] = content
	}
	return contents
}

// TestClaudeRestartAnywhere: saving the state and going on with another
// decoder after any line shows in no event.
func TestClaudeRestartAnywhere(t *testing.T) {
	t.Parallel()
	for path, content := range claudeFixtures(t) {
		whole := decodeAll(t, path, content)
		lines := bytes.SplitAfter(content, []byte("\n"))
		rapid.Check(t, func(t *rapid.T) {
			restart := rapid.SliceOfN(rapid.Float64Range(0, 1), len(lines), len(lines)).Draw(t, "restart")
			rate := rapid.SampledFrom([]float64{0.02, 0.3, 1}).Draw(t, "rate")
			file := File{Root: filepath.Dir(path), Path: path}
			d, err := claudeOpen(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			var events []event.Event
			offset := int64(0)
			for i, line := range lines {
				if restart[i] <= rate {
					state, err := d.State()
					if err != nil {
						t.Fatal(err)
					}
					if d, err = claudeOpen(file, state); err != nil {
						t.Fatal(err)
					}
					if again, _ := d.State(); !bytes.Equal(state, again) {
						t.Fatalf("state changes by reading it: %s, %s", state, again)
					}
				}
				end := offset + int64(len(line))
				if line := bytes.TrimRight(line, "\n"); len(line) > 0 {
					if events, err = d.Decode(events, line, offset, end); err != nil {
						t.Fatal(err)
					}
				}
				offset = end
			}
			if diff := cmp.Diff(whole, events); diff != "" {
				t.Fatalf("%s: events (-whole +restarted)\n%s", filepath.Base(path), diff)
			}
		})
	}
}

// TestClaudeStateStaysSmall: what is remembered is bounded, whatever the file.
func TestClaudeStateStaysSmall(t *testing.T) {
	t.Parallel()
	d, err := claudeOpen(File{Path: "/r/p/s1.jsonl"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		id := strings.Repeat("x", i%100) + string(rune('a'+i%26))
		for _, line := range []string{
			strings.Replace(toolUse(i, id, "Bash", `{"command":"go test"}`), `"sessionId":"s1"`, `"sessionId":"`+id+`"`, 1),
			queue("enqueue", "words "+id),
			strings.Replace(user(i, "words"), `"cwd":"/home/ana/shop",`, "", 1),
		} {
			if _, err := d.Decode(nil, []byte(line), 0, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	state, err := d.State()
	if err != nil {
		t.Fatal(err)
	}
	if len(state) > 256<<10 {
		t.Errorf("state of %d bytes", len(state))
	}
}

// TestClaudeSkipsForFree: records that do not matter cost no memory.
func TestClaudeSkipsForFree(t *testing.T) {
	d, err := claudeOpen(File{Path: "/r/p/s1.jsonl"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat(`the quick \"brown\" fox\n`, 2000)
	for name, line := range map[string]string{
		"progress":   `{"parentUuid":"a","isSidechain":false,"cwd":"/home/ana/shop","sessionId":"s","type":"progress","data":{"type":"agent_progress","message":"` + big + `"}}`,
		"attachment": `{"parentUuid":"a","isSidechain":false,"attachment":{"type":"edited_text_file","snippet":"` + big + `"},"type":"attachment","uuid":"u"}`,
		"request":    `{"type":"api-request","request":{"system":"` + big + `"}}`,
		"snapshot":   `{"type":"file-history-snapshot","snapshot":{"x":"` + big + `"}}`,
	} {
		raw := []byte(line)
		if n := testing.AllocsPerRun(20, func() {
			if events, err := d.Decode(nil, raw, 0, int64(len(raw))); err != nil || len(events) > 0 {
				t.Fatalf("%s: %v, %v", name, events, err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func FuzzClaude(f *testing.F) {
	for _, content := range claudeFixtures(f) {
		f.Add(content[:min(len(content), 2<<10)])
	}
	f.Add([]byte(queue("enqueue", "a") + "\n" + queue("remove", "") + "\n" + user(1, "<system-reminder>") + "\n" + toolResult(2, "t", "x", true, `,"toolUseResult":[]`)))
	f.Fuzz(func(t *testing.T, content []byte) {
		file := File{Root: "/r", Path: "/r/p/s1.jsonl"}
		d, err := claudeOpen(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := claudeOpen(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		var whole, split []event.Event
		for i, line := range bytes.SplitN(content, []byte("\n"), 60) {
			before := len(whole)
			if whole, err = d.Decode(whole, line, 0, 1); err != nil && len(whole) != before {
				t.Fatalf("events of a bad record: %v", whole[before:])
			}
			if i%3 == 0 {
				state, err := again.State()
				if err != nil {
					t.Fatal(err)
				}
				if again, err = claudeOpen(file, state); err != nil {
					t.Fatalf("state %s: %v", state, err)
				}
			}
			split, _ = again.Decode(split, line, 0, 1)
		}
		if !reflect.DeepEqual(whole, split) {
			t.Fatalf("events (-whole +restarted)\n%s", cmp.Diff(whole, split))
		}
		for _, e := range whole {
			if e.Kind == 0 || e.Record == "" {
				t.Errorf("event without kind or record: %+v", e)
			}
			for _, s := range []string{e.Text, e.Subject, e.Tool, e.Args, e.Cwd, e.Record, e.Session, e.Question, e.Answer, e.Title, e.Model} {
				if !utf8.ValidString(s) {
					t.Errorf("invalid UTF-8 %q", s)
				}
			}
			if len(e.Text) > MaxText+MaxTail+100 {
				t.Errorf("text of %d bytes", len(e.Text))
			}
		}
	})
}
