package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

// cxID makes an id of version 7 that was made at a second of the hour.
func cxID(second int, tail string) string {
	ms := fmt.Sprintf("%012x", 1778594400000+int64(second)*1000)
	return ms[:8] + "-" + ms[8:] + "-7abc-8def-" + fmt.Sprintf("%012s", tail)
}

// cxAt builds a record at a second of the hour, with a millisecond.
func cxAt(second, ms int, kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-05-12T14:%02d:%02d.%03dZ","type":"%s","payload":%s}`, second/60, second%60, ms, kind, payload)
}

// cxTurn is a whole turn with a call; at(n) gives the time of its n-th record.
func cxTurn(id, words string, at func(n int) (int, int)) []string {
	var out []string
	add := func(kind, payload string) {
		s, ms := at(len(out))
		out = append(out, cxAt(s, ms, kind, payload))
	}
	turn := ""
	if id != "" {
		turn = `"turn_id":"` + id + `",`
		add("event_msg", `{"type":"task_started",`+turn+`"x":1}`)
	}
	add("turn_context", `{`+turn+`"cwd":"/home/ana/shop","model":"m"}`)
	add("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+words+`"}]}`)
	add("event_msg", `{"type":"user_message","message":"`+words+`"}`)
	add("response_item", `{"type":"function_call","name":"shell_command","arguments":"{\"command\":\"make\"}","call_id":"call_`+words+`"}`)
	add("response_item", `{"type":"function_call_output","call_id":"call_`+words+`","output":"Exit code: 0\nOutput:\nok"}`)
	add("event_msg", `{"type":"agent_message","message":"Did `+words+`."}`)
	add("response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Did `+words+`."}]}`)
	if id != "" {
		add("event_msg", `{"type":"task_complete",`+turn+`"last_agent_message":"Did `+words+`."}`)
	}
	return out
}

func live(second int) func(int) (int, int)  { return func(n int) (int, int) { return second + 2*n, 0 } }
func burst(second int) func(int) (int, int) { return func(n int) (int, int) { return second, n } }

func cxHeader(second int, id, more string) string {
	return cxAt(second, 0, "session_meta", `{"id":"`+id+`","cwd":"/home/ana/shop","cli_version":"0.142.5"`+more+`}`)
}

// records lists session and identity of all events but session starts.
func records(events []event.Event, session string) []string {
	var out []string
	for _, e := range events {
		if e.Kind != event.SessionStarted && e.Session == session {
			out = append(out, e.Record)
		}
	}
	return out
}

// TestCodexFork replays a parent: its part has the parent's session and the
// very identities of the parent's own file, with and without turn ids.
func TestCodexFork(t *testing.T) {
	t.Parallel()
	for _, ids := range []bool{true, false} {
		id := func(second int, tail string) string {
			if !ids {
				return ""
			}
			return cxID(second, tail)
		}
		grand, parent, child := cxID(0, "1"), cxID(600, "2"), cxID(1200, "3")
		one, two, own := id(10, "a"), id(610, "b"), id(1300, "c")
		parentFile := []string{cxHeader(600, parent, "")}
		if ids {
			parentFile = []string{cxHeader(600, parent, `,"forked_from_id":"`+grand+`"`), cxHeader(600, grand, "")}
			parentFile = append(parentFile, cxTurn(one, "one", burst(600))...)
		}
		parentFile = append(parentFile, cxTurn(two, "two", live(620))...)
		childFile := []string{cxHeader(1200, child, `,"forked_from_id":"`+parent+`"`), cxHeader(1200, parent, "")}
		if ids {
			childFile = append(childFile, cxHeader(1200, grand, ""))
			childFile = append(childFile, cxTurn(one, "one", burst(1200))...)
		}
		childFile = append(childFile, cxTurn(two, "two", burst(1200))...)
		childFile = append(childFile, cxTurn(own, "three", live(1310))...)

		fromParent, fromChild := codexLines(t, parentFile...), codexLines(t, childFile...)
		for _, session := range []string{grand, parent} {
			want := records(fromParent, session)
			if len(want) == 0 && (ids || session == parent) {
				t.Errorf("ids %v: the parent's file has nothing of %s", ids, session)
			}
			if diff := cmp.Diff(want, records(fromChild, session)); diff != "" {
				t.Errorf("ids %v: identities of %s in the parent's file and in the fork (-parent +fork)\n%s", ids, session, diff)
			}
		}
		var prompts []string
		for _, e := range fromChild {
			if e.Session == child && e.Kind == event.UserMessage {
				prompts = append(prompts, e.Text)
			}
		}
		if diff := cmp.Diff([]string{"three"}, prompts); diff != "" {
			t.Errorf("ids %v: the fork's own prompts (-want +got)\n%s", ids, diff)
		}
		if fromChild[0].Parent != parent || fromChild[0].Session != child {
			t.Errorf("ids %v: header %+v", ids, fromChild[0])
		}
	}
}

// TestCodexForkByReference has no copy in it: all of it is the fork's own.
func TestCodexForkByReference(t *testing.T) {
	t.Parallel()
	parent, child := cxID(0, "1"), cxID(600, "2")
	lines := append([]string{cxHeader(600, child, `,"forked_from_id":"`+parent+`","history_mode":"paginated","history_base":{"thread_id":"`+parent+`","end_ordinal_exclusive":40}`)},
		cxTurn(cxID(610, "a"), "mine", live(610))...)
	for _, e := range codexLines(t, lines...) {
		if e.Session != child {
			t.Errorf("%s belongs to %s", briefEvent(e), e.Session)
		}
	}
}

// TestCodexSubagent: the task is no prompt, the inherited history is not its own.
func TestCodexSubagent(t *testing.T) {
	t.Parallel()
	parent, sub := cxID(0, "1"), cxID(600, "2")
	source := `,"parent_thread_id":"` + parent + `","source":{"subagent":{"thread_spawn":{"parent_thread_id":"` + parent + `"}}}`
	copied := append([]string{cxHeader(600, parent, "")}, cxTurn(cxID(10, "a"), "old", burst(600))...)
	own := cxTurn(cxID(601, "b"), "task", live(601))
	numbered := func(lines []string) []string {
		var out []string
		for i, line := range lines {
			out = append(out, strings.Replace(line, `,"type":`, fmt.Sprintf(`,"ordinal":%d,"type":`, i), 1))
		}
		return out
	}
	byOrdinal := append([]string{cxHeader(600, sub, source+fmt.Sprintf(`,"subagent_history_start_ordinal":%d`, 1+len(copied)))}, append(copied, own...)...)
	tests := map[string][]string{
		"no copy":        append([]string{cxHeader(600, sub, source)}, own...),
		"copied header":  append([]string{cxHeader(600, sub, source)}, append(copied, own...)...),
		"start ordinal":  numbered(byOrdinal),
		"forked as well": append([]string{cxHeader(600, sub, source+`,"forked_from_id":"`+parent+`"`)}, append(copied, own...)...),
	}
	const want = "sub user6 task\nsub call shell_command/1 make\nsub return shell_command/1 make exit0 = ok\nsub agent Did task.\nsub closed"
	for name, lines := range tests {
		events := codexLines(t, lines...)
		if diff := cmp.Diff(want, brief(cxWithout(events, event.SessionStarted))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		for _, e := range events {
			if e.Session != sub || !e.Sub {
				t.Errorf("%s: %s of %s", name, briefEvent(e), e.Session)
			}
		}
		if events[0].Parent != parent {
			t.Errorf("%s: parent %q", name, events[0].Parent)
		}
	}
}

// TestCodexCopiesAgree: an archived copy has the same identities, another
// session with the same words has others.
func TestCodexCopiesAgree(t *testing.T) {
	t.Parallel()
	session := func(id string) []event.Event {
		lines := []string{cxHeader(0, id, "")}
		lines = append(lines, cxTurn("", "one", live(10))...)
		return codexLines(t, append(lines, cxTurn("", "one", live(60))...)...)
	}
	first, again, other := session(cxID(0, "1")), session(cxID(0, "1")), session(cxID(0, "2"))
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("copies differ\n%s", diff)
	}
	seen := map[string]bool{}
	for _, e := range append(append([]event.Event{}, first...), other...) {
		if seen[e.Record] {
			t.Errorf("%s comes twice", e.Record)
		}
		seen[e.Record] = true
	}
}
