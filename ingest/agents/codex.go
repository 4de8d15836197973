package agents

import (
	"bytes"
	"path"
	"path/filepath"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// codex describes OpenAI Codex (CLI, desktop, editor), which appends each
// thread to $CODEX_HOME/sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl and moves it
// to archived_sessions when the user archives it.
func codex() Agent {
	return Agent{
		Name:   codexName,
		Title:  "Codex",
		Roots:  codexRoots,
		Inside: []string{"sessions", "archived_sessions"},
		Match:  codexMatch,
		Open:   openCodex,
	}
}

const codexName = "codex"

// codexRoots returns the folders of CODEX_HOME and always those of the default
// place too: a session started without the variable lies there.
func codexRoots(env Env) []string {
	var homes []string
	if moved := env.get("CODEX_HOME"); moved != "" {
		homes = append(homes, moved)
	}
	if env.Home != "" {
		if home := filepath.Join(env.Home, ".codex"); len(homes) == 0 || filepath.Clean(homes[0]) != home {
			homes = append(homes, home)
		}
	}
	var roots []string
	for _, home := range homes {
		roots = append(roots, filepath.Join(home, "sessions"), filepath.Join(home, "archived_sessions"))
	}
	return roots
}

// codexMatch accepts rollouts, packed ones too. Indexes, prompt histories and
// the output of `codex exec --json` that lie beside them are no transcripts.
func codexMatch(_, rel string) bool {
	base := path.Base(filepath.ToSlash(rel))
	return strings.HasPrefix(base, "rollout-") &&
		(strings.HasSuffix(base, ".jsonl") || strings.HasSuffix(base, ".jsonl.zst"))
}

// codexDecoder reads one rollout. It may not be shared.
type codexDecoder struct {
	s       codexState
	modTime int64
	// The line in hand.
	out         []event.Event
	offset, end int64
	time        int64
	part, inner codexPart // its payload, and the item in it
	scratch     []byte
}

func openCodex(f File, state []byte) (Decoder, error) {
	d := &codexDecoder{modTime: f.ModTime}
	if state != nil {
		return d, d.s.restore(state)
	}
	d.s.Thread, d.s.Time = codexFromName(f.Path)
	return d, nil
}

// Decode implements [Decoder].
func (d *codexDecoder) Decode(dst []event.Event, line []byte, offset, end int64) ([]event.Event, error) {
	if d.uninteresting(line) {
		return dst, nil
	}
	v, envelope, err := d.open(line)
	if err != nil {
		return dst, err
	}
	d.out, d.offset, d.end = dst, offset, end
	err = d.record(v, envelope)
	dst, d.out = d.out, nil
	return dst, err
}

// State implements [Decoder].
func (d *codexDecoder) State() ([]byte, error) { return d.s.save() }

// emit appends an event of the line in hand, with what all of them share.
func (d *codexDecoder) emit(e event.Event) {
	e.Time, e.Offset, e.End = d.time, d.offset, d.end
	e.Session, e.Cwd, e.Sub = d.s.owner(), d.s.Cwd, d.s.Sub
	d.out = append(d.out, e)
}

// uninteresting tells bookkeeping, and answers to calls that are answered
// already, from the first bytes of a line: together they are most of a
// rollout. What it says yes to is not even checked for its structure, so a
// line that could hold a second record, glued on, is never uninteresting.
func (d *codexDecoder) uninteresting(line []byte) bool {
	if d.s.Replay {
		return false // the times of all records tell where the replay ends
	}
	kind := scan.Peek(line, "type")
	switch {
	case kind.TextIs("event_msg"), kind.TextIs("response_item"):
		if at := codexPayload(line); at == 0 || !d.quiet(line[at:]) {
			return false
		}
	case kind.TextIs("world_state"), kind.TextIs("token_usage_record"):
	default:
		return false
	}
	return !bytes.Contains(line[1:], []byte(`{"timestamp":`))
}

// codexHead is how far into a line its payload may begin to be looked at early.
const codexHead = 256

func (d *codexDecoder) quiet(payload []byte) bool {
	switch kind := scan.Peek(payload, "type"); {
	case kind.TextIs("token_count"), kind.TextIs("thread_settings_applied"), kind.TextIs("turn_diff"):
		return true
	case kind.TextIs("function_call_output"), kind.TextIs("custom_tool_call_output"):
		id := scan.Peek(payload, "call_id")
		return id.Exists() && d.s.find(id.Text(codexIDLimit)) == nil
	case kind.TextIs("reasoning"):
		head := payload[:min(len(payload), codexHead)]
		return bytes.Contains(head, []byte(`"summary":[]`)) && !bytes.Contains(payload, []byte(`"reasoning_text"`))
	}
	return false
}
