package agents

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/ingest/event"
)

// cxStory draws a rollout of any mixture of records.
func cxStory(t *rapid.T) []byte {
	words := rapid.SampledFrom([]string{"go", "Fix it", "Fix  it\n", "wait", "# A\n\n- b"})
	id := rapid.SampledFrom([]string{"c1", "c2", "c3", "c4"})
	turn := rapid.SampledFrom([]string{"t1", "t2", cxID(10, "a"), cxID(900, "b")})
	lines := []string{cxHeader(600, cxID(600, "2"), rapid.SampledFrom([]string{"", `,"forked_from_id":"` + cxID(0, "1") + `"`, `,"source":{"subagent":"review"}`}).Draw(t, "header"))}
	n := rapid.IntRange(1, 60).Draw(t, "records")
	for i := range n {
		second := 600 + i*rapid.IntRange(0, 2).Draw(t, "pace")
		switch rapid.IntRange(0, 18).Draw(t, "kind") {
		case 0:
			lines = append(lines, cxAt(second, 0, "turn_context", `{"turn_id":"`+turn.Draw(t, "turn")+`","cwd":"/home/ana/shop","model":"m"}`))
		case 1:
			lines = append(lines, userItem(second%60, words.Draw(t, "w")))
		case 2:
			lines = append(lines, userEvent(second%60, words.Draw(t, "w")))
		case 3:
			lines = append(lines, agentItem(second%60, words.Draw(t, "w")))
		case 4:
			lines = append(lines, agentEvent(second%60, words.Draw(t, "w")))
		case 5:
			lines = append(lines, cxCall(second%60, "exec_command", `{"cmd":"make"}`, id.Draw(t, "id")))
		case 6:
			lines = append(lines, cxOutput(second%60, id.Draw(t, "id"), "Process running with session ID 7\nOutput:\nx"))
		case 7:
			lines = append(lines, cxCall(second%60, "write_stdin", `{"session_id":7}`, id.Draw(t, "id")))
		case 8:
			lines = append(lines, cxOutput(second%60, id.Draw(t, "id"), "Chunk ID: a\nProcess exited with code 1\nOutput:\nx"))
		case 9:
			lines = append(lines, cxEvent(second%60, `{"type":"turn_aborted","reason":"interrupted"}`))
		case 10:
			lines = append(lines, cxItem(second%60, `{"type":"custom_tool_call","name":"exec","call_id":"`+id.Draw(t, "id")+`","input":"await tools.exec_command({cmd:'a'}); await tools.exec_command({cmd:b})"}`))
		case 11:
			lines = append(lines, cxEvent(second%60, `{"type":"item_completed","turn_id":"t1","item":{"type":"CommandExecution","id":"`+rapid.SampledFrom([]string{"c1", "x1", "x2"}).Draw(t, "id")+`","command":["sh","-c","a"],"exit_code":1}}`))
		case 12:
			lines = append(lines, cxItem(second%60, `{"type":"custom_tool_call_output","call_id":"`+id.Draw(t, "id")+`","output":[{"type":"input_text","text":"Script completed\nOutput:\n"},{"type":"input_text","text":"x"}]}`))
		case 13:
			lines = append(lines, cxHeader(600, cxID(0, "1"), ""))
		case 14:
			lines = append(lines, cxEvent(second%60, `{"type":"task_complete","turn_id":"`+turn.Draw(t, "turn")+`","last_agent_message":"go"}`))
		case 15:
			lines = append(lines, cxEvent(second%60, `{"type":"token_count","info":null}`))
		case 16:
			lines = append(lines, cxRecord(second%60, "compacted", `{"message":"Goal: x"}`))
		case 17:
			lines = append(lines, userItem(second%60, "<turn_aborted>\nx\n</turn_aborted>"))
		case 18:
			lines = append(lines, `{"type":"message","role":"user","content":[{"type":"input_text","text":"bare"}]}`)
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// cxSplit decodes a content, giving the state away and taking it up again
// after each of the lines that again says yes to.
func cxSplit(t testing.TB, path string, content []byte, again func(n int) bool) []event.Event {
	t.Helper()
	d, err := openCodex(File{Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var events []event.Event
	offset, n := int64(0), 0
	for line := range bytes.Lines(content) {
		end := offset + int64(len(line))
		events, _ = d.Decode(events, bytes.TrimRight(line, "\n"), offset, end)
		offset = end
		if n++; again(n) {
			state, err := d.State()
			if err != nil {
				t.Fatal(err)
			}
			if d, err = openCodex(File{Path: path}, state); err != nil {
				t.Fatal(err)
			}
			if twice, err := d.State(); err != nil || !bytes.Equal(state, twice) {
				t.Fatalf("state changes when taken up: %s %s %v", state, twice, err)
			}
		}
	}
	return events
}

// TestCodexChunks: where a file is cut, and the state saved, never shows.
func TestCodexChunks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		content := cxStory(rt)
		whole := cxSplit(t, codexFile, content, func(int) bool { return false })
		every := rapid.IntRange(1, 7).Draw(rt, "every")
		parts := cxSplit(t, codexFile, content, func(n int) bool { return n%every == 0 })
		if diff := cmp.Diff(whole, parts); diff != "" {
			rt.Fatalf("cut every %d lines (-whole +cut)\n%s\n%s", every, diff, content)
		}
	})
	for _, path := range codexFixtureFiles(t) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole := cxSplit(t, path, content, func(int) bool { return false })
		if diff := cmp.Diff(whole, cxSplit(t, path, content, func(int) bool { return true })); diff != "" {
			t.Errorf("%s (-whole +cut)\n%s", path, diff)
		}
	}
}

// TestCodexTwinsAnyOrder: which twin comes first never shows in what is said.
func TestCodexTwinsAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		said := rapid.SliceOfN(rapid.SampledFrom([]string{"u:go", "u:Fix it", "a:Done.", "a:Waiting."}), 1, 12).Draw(rt, "said")
		lines := []string{cxMeta("")}
		var want []string
		for i, s := range said {
			who, words, _ := strings.Cut(s, ":")
			pair := []string{agentItem(i, words), agentEvent(i, words)}
			label := "agent " + words
			if who == "u" {
				pair, label = []string{userItem(i, words), userEvent(i, words)}, "user1 "+words
			}
			switch rapid.IntRange(0, 2).Draw(rt, "order") {
			case 0:
				pair[0], pair[1] = pair[1], pair[0]
			case 1:
				done := map[string]string{"u": "UserMessage", "a": "AgentMessage"}[who]
				pair[1] = cxEvent(i, `{"type":"item_completed","item":{"type":"`+done+`","id":"x","content":[{"type":"text","text":`+cxQuote(words)+`}]}}`)
			}
			lines, want = append(lines, pair...), append(want, label)
		}
		got := brief(cxWithout(codexLines(t, lines...), event.SessionStarted))
		if diff := cmp.Diff(strings.Join(want, "\n"), got); diff != "" {
			rt.Fatalf("said (-want +got)\n%s", diff)
		}
	})
}

// cxSound checks what holds of the events of any input.
func cxSound(t testing.TB, events []event.Event, size int64) {
	t.Helper()
	for _, e := range events {
		if e.Kind == 0 || e.Record == "" || e.Offset < 0 || e.End > size || e.Offset >= e.End || e.Time < 0 {
			t.Fatalf("unsound: %+v", e)
		}
		texts := []string{e.Record, e.Session, e.Cwd, e.Text, e.Call, e.Tool, e.Subject, e.Dir, e.Args, e.Question, e.Answer, e.Model, e.Title, e.Parent}
		for _, p := range e.Paths {
			texts = append(texts, p.Name)
		}
		for _, task := range e.Tasks {
			texts = append(texts, task.Text, task.Status)
		}
		for _, text := range texts {
			if !utf8.ValidString(text) {
				t.Fatalf("not UTF-8: %q", text)
			}
			if len(text) > MaxText+MaxTail+codexPartMax+16 {
				t.Fatalf("%d bytes of text", len(text))
			}
		}
	}
}

func FuzzCodex(f *testing.F) {
	f.Add([]byte(cxMeta("") + "\n" + userItem(1, "Fix it") + "\n" + agentEvent(2, "Done.")))
	f.Add([]byte(cxMeta("") + "\n" + cxCall(1, "exec_command", `{"cmd":"make"}`, "c1") + "\n" + cxOutput(2, "c1", "Process exited with code 1\nOutput:\nx")))
	f.Add([]byte(`{"id":"a","timestamp":"2025-06-01T08:00:00.000Z"}` + "\n" + `{"type":"message","role":"user","content":[{"text":"x"}]}`))
	f.Add([]byte(cxItem(1, `{"type":"custom_tool_call","call_id":"s","name":"exec","input":"await tools.exec_command({cmd:`+"`a${b}`"+`})"}`)))
	for _, path := range codexFixtureFiles(f) {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		cut := len(content) % 5
		whole := cxSplit(t, codexFile, content, func(int) bool { return false })
		cxSound(t, whole, int64(len(content)))
		if diff := cmp.Diff(whole, cxSplit(t, codexFile, content, func(n int) bool { return n%5 == cut })); diff != "" {
			t.Fatalf("cutting shows (-whole +cut)\n%s", diff)
		}
	})
}

func FuzzScriptCalls(f *testing.F) {
	for _, src := range []string{
		"await tools.exec_command({cmd: `a ${b + `c`} d`, workdir: '/w'})", "const x = ['a','b'].join(\"\\n\"); tools.apply_patch(x)",
		"/[/]/.test(a) ? tools[\"b\"]({}) : {...c, [d]: 1}", "tools.a(((((", "'\\u{110000}\\xzz",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if calls := scriptCalls(src); len(calls) > scriptCallsMax {
			t.Fatalf("%d calls", len(calls))
		}
	})
}

// TestScriptCallsBounded: hostile scripts take no more than their share.
func TestScriptCallsBounded(t *testing.T) {
	t.Parallel()
	for _, part := range []string{
		"tools.a(", "[", "{a:", "`${", "((", "a+", "tools.a({cmd:`${", "x=[", "/*", "'", "\"\\", "x={a:`${", "a`${a`${",
		"x='tools.';x=[x];", "x=`a${x}${x}`;", "x=x+x+'a';", "x='aa';x=[x,x].join(x);", "x=[x,x].join(x)+'a';",
	} {
		src := strings.Repeat(part, 40_000)
		if calls := scriptCalls(src); len(calls) > scriptCallsMax {
			t.Errorf("%d calls", len(calls))
		}
	}
}
