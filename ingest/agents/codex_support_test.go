package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// codexFixtures is the invented home directory's part of Codex.
const codexFixtures = "../../testdata/transcripts/home/.codex"

// codexShared finds a file of the shared material beside the repository.
func codexShared(t testing.TB, parts ...string) string {
	t.Helper()
	base := os.Getenv("KMEM_SHARED")
	if base == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for !codexExists(filepath.Join(dir, "go.mod")) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		base = filepath.Join(filepath.Dir(dir), "shared")
	}
	path := filepath.Join(append([]string{base}, parts...)...)
	if !codexExists(path) {
		t.Skipf("no shared material at %s", path)
	}
	return path
}

func codexExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// codexRun decodes a whole content. Lines that hold several records are taken
// apart as the reader does. bad counts lines that gave nothing.
func codexRun(t testing.TB, path string, content []byte) (events []event.Event, bad int) {
	t.Helper()
	d, err := openCodex(File{Root: filepath.Dir(path), Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	offset := int64(0)
	for line := range bytes.Lines(content) {
		end := offset + int64(len(line))
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) == 0 {
			offset = end
			continue
		}
		events, err = d.Decode(events, line, offset, end)
		if err != nil {
			spans := scan.Split(line)
			for _, s := range spans {
				if events, err = d.Decode(events, line[s.From:s.To], offset, end); err != nil {
					bad++
				}
			}
			if len(spans) == 0 {
				bad++
			}
		}
		offset = end
	}
	return events, bad
}

// codexLines decodes records given one a line, as a file of the given name.
func codexLines(t testing.TB, records ...string) []event.Event {
	t.Helper()
	events, bad := codexRun(t, codexFile, []byte(strings.Join(records, "\n")+"\n"))
	if bad != 0 {
		t.Fatalf("%d bad records", bad)
	}
	return events
}

const (
	codexThreadID = "019e1c7f-ad30-7b07-b02c-ea7a0756fd79"
	codexFile     = "/home/ana/.codex/sessions/2026/05/12/rollout-2026-05-12T14-03-10-" + codexThreadID + ".jsonl"
)

// cxRecord builds a record: its second, its type and its payload as JSON.
func cxRecord(second int, kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-05-12T14:%02d:%02d.000Z","type":"%s","payload":%s}`, 3+second/60, second%60, kind, payload)
}

func cxEvent(second int, payload string) string { return cxRecord(second, "event_msg", payload) }
func cxItem(second int, payload string) string  { return cxRecord(second, "response_item", payload) }

// cxAbout puts what newer versions say of an item behind it.
func cxAbout(record, about string) string {
	return strings.TrimSuffix(record, "}") + `,"metadata":` + about + "}"
}

// cxMeta is an ordinary header.
func cxMeta(extra string) string {
	return cxRecord(0, "session_meta", `{"id":"`+codexThreadID+`","timestamp":"2026-05-12T14:03:00Z","cwd":"/home/ana/shop","cli_version":"0.118.0","model_provider":"openai","git":{"branch":"main"}`+extra+`}`)
}

func cxQuote(s string) string {
	raw, _ := json.Marshal(s) // a string always marshals
	return string(raw)
}

func userItem(second int, text string) string {
	return cxItem(second, `{"type":"message","role":"user","content":[{"type":"input_text","text":`+cxQuote(text)+`}]}`)
}

func userEvent(second int, text string) string {
	return cxEvent(second, `{"type":"user_message","message":`+cxQuote(text)+`,"images":[]}`)
}

func agentItem(second int, text string) string {
	return cxItem(second, `{"type":"message","role":"assistant","content":[{"type":"output_text","text":`+cxQuote(text)+`}]}`)
}

func agentEvent(second int, text string) string {
	return cxEvent(second, `{"type":"agent_message","message":`+cxQuote(text)+`}`)
}

func cxCall(second int, name, args, id string) string {
	return cxItem(second, `{"type":"function_call","name":"`+name+`","arguments":`+cxQuote(args)+`,"call_id":"`+id+`"}`)
}

func cxOutput(second int, id, text string) string {
	return cxItem(second, `{"type":"function_call_output","call_id":"`+id+`","output":`+cxQuote(text)+`}`)
}

// brief writes events one a line, in short.
func brief(events []event.Event) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(briefEvent(e))
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func briefEvent(e event.Event) string {
	sub := ""
	if e.Sub {
		sub = "sub "
	}
	switch e.Kind {
	case event.SessionStarted:
		return strings.TrimRight(fmt.Sprintf("%sstart %s %s %s%s%s", sub, e.Session, e.Cwd, e.Model, e.Title, e.Parent), " ")
	case event.UserMessage:
		return fmt.Sprintf("%suser%d %s", sub, e.User, e.Text)
	case event.AssistantMessage:
		return fmt.Sprintf("%sagent%s %s", sub, map[event.Tristate]string{event.Yes: "!", event.No: "…"}[e.Final], e.Text)
	case event.Thinking:
		return sub + "think " + e.Text
	case event.ToolCalled:
		return fmt.Sprintf("%scall %s/%d %s%s", sub, e.Tool, e.Action, e.Subject, briefPaths(e.Paths))
	case event.ToolReturned:
		return fmt.Sprintf("%sreturn %s/%d %s%s %s= %s", sub, e.Tool, e.Action, e.Subject, briefPaths(e.Paths), briefResult(e.Result), e.Text)
	case event.TasksChanged:
		return fmt.Sprintf("tasks %v", e.Tasks)
	case event.Compacted:
		return "compacted " + e.Text
	case event.Asked:
		return "asked " + e.Question
	case event.Answered:
		return "answered " + e.Question + " " + e.Answer
	case event.TurnClosed:
		return sub + "closed"
	case event.Interrupted:
		return "interrupted " + e.Text
	case event.RolledBack:
		return fmt.Sprintf("rolled back %d", e.Count)
	}
	return "unknown kind"
}

func briefPaths(paths []event.Path) string {
	if len(paths) == 0 {
		return ""
	}
	return fmt.Sprint(" ", paths)
}

func briefResult(r event.Result) string {
	s := ""
	if r.Exit != nil {
		s += fmt.Sprintf("exit%d ", *r.Exit)
	}
	if r.Failed {
		s += "failed "
	}
	if r.Why != 0 {
		s += map[event.Why]string{event.Rejected: "rejected ", event.Cancelled: "cancelled ", event.Refused: "refused ", event.TimedOut: "timed-out "}[r.Why]
	}
	if r.Lookup != nil {
		s += "lookup "
	}
	if r.Added+r.Removed > 0 {
		s += fmt.Sprintf("+%d-%d ", r.Added, r.Removed)
	}
	return s
}

// cxWithout drops events of a kind.
func cxWithout(events []event.Event, kind event.Kind) []event.Event {
	var out []event.Event
	for _, e := range events {
		if e.Kind != kind {
			out = append(out, e)
		}
	}
	return out
}
