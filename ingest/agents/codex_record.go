package agents

import (
	"bytes"
	"errors"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/kmemd/kmemd/ingest/scan"
)

// errCodexRecord says that a line is JSON but no record of a rollout.
var errCodexRecord = errors.New("not a record of a rollout")

// codexEnvelope is what stands around a payload.
type codexEnvelope struct {
	stamp, ordinal, kind, payload scan.Value
	about                         scan.Value // what newer versions say of an item beside it
}

func (e *codexEnvelope) read(v scan.Value) {
	v.Each(func(key []byte, val scan.Value) bool {
		switch string(key) {
		case "timestamp":
			e.stamp = val
		case "ordinal":
			e.ordinal = val
		case "type":
			e.kind = val
		case "payload":
			e.payload = val
		case "metadata":
			e.about = val
		}
		return true
	})
}

// open checks a line and takes its envelope off. Where the payload comes last,
// as it does in most files, it is walked over once only.
func (d *codexDecoder) open(line []byte) (v scan.Value, e codexEnvelope, err error) {
	if at := codexPayload(line); at > 0 && line[len(line)-1] == '}' {
		d.scratch = append(append(d.scratch[:0], line[:at]...), "null}"...)
		if head, err := scan.Parse(d.scratch); err == nil {
			if payload, err := scan.Parse(line[at : len(line)-1]); err == nil && payload.Kind() == scan.Object {
				e.read(head)
				e.payload = payload
				return scan.Value{}, e, nil
			}
		}
	}
	if v, err = scan.Parse(line); err == nil {
		e.read(v)
	}
	return v, e, err
}

// codexPayload is where the payload of a line begins, 0 where it cannot be told
// from the line's beginning.
func codexPayload(line []byte) int {
	head := line[:min(len(line), codexHead)]
	if at := bytes.Index(head, []byte(`"payload":`)); at > 0 {
		return at + len(`"payload":`)
	}
	return 0
}

// record takes one line apart: the envelope of all files since autumn 2025,
// or a bare item as files had them before.
func (d *codexDecoder) record(v scan.Value, e codexEnvelope) error {
	stamp, ordinal, kind, payload := e.stamp, e.ordinal, e.kind, e.payload
	if payload.Kind() != scan.Object {
		return d.bare(v, kind, stamp)
	}
	if kind.Kind() != scan.String {
		return errCodexRecord
	}
	before := d.s.Time
	d.clock(stamp)
	if n, ok := ordinal.Int(); ok && n < d.s.Start {
		if kind.TextIs("session_meta") {
			d.sessionMeta(payload)
		}
		return nil // a sub-agent's copy of what its parent said before
	}
	if d.s.Replay {
		d.replayed(kind, payload, before)
	}
	if e.about.Get("compaction_output").True() {
		return nil // the summary, which the record of the compaction holds too: nobody is told it
	}
	d.envelope(kind, payload)
	return nil
}

func (d *codexDecoder) envelope(kind, payload scan.Value) {
	if kind.TextIs("session_meta") {
		d.sessionMeta(payload)
		return
	}
	if d.s.Replay && d.s.Sub {
		return
	}
	if kind.TextIs("turn_context") {
		d.turnContext(payload)
		return
	}
	p := &d.part
	p.read(payload)
	switch kind.Text(40) {
	case "response_item":
		d.item(p)
	case "event_msg":
		d.message(p)
	case "compacted":
		d.compacted(p)
	case "inter_agent_communication":
		d.fromAgent(p)
	}
}

// bare reads a record of the files of spring and summer 2025: the first line
// is the header, the others are items without envelope and without time.
func (d *codexDecoder) bare(v, kind, stamp scan.Value) error {
	switch {
	case kind.Kind() == scan.String:
		if !codexItems[kind.Text(40)] {
			return errCodexRecord
		}
		d.clock(stamp)
		d.part.read(v)
		d.item(&d.part)
	case v.Get("record_type").Exists():
	case v.Get("id").Kind() == scan.String && stamp.Kind() == scan.String:
		d.clock(stamp)
		d.header(v)
	default:
		return errCodexRecord
	}
	return nil
}

// codexItems are the kinds of items that bare files hold.
var codexItems = map[string]bool{
	"message": true, "reasoning": true, "function_call": true, "function_call_output": true,
	"custom_tool_call": true, "custom_tool_call_output": true, "local_shell_call": true,
	"local_shell_call_output": true, "web_search_call": true, "other": true, "ghost_snapshot": true,
}

// clock takes the record's time; one without keeps the time of the one before
// it, else the header's, else the one in the file's name, else the file's.
func (d *codexDecoder) clock(stamp scan.Value) {
	if ms := timestamp(stamp); ms > 0 {
		d.s.Time = ms
	} else if d.s.Time == 0 {
		d.s.Time = d.modTime
	}
	d.time = d.s.Time
}

// codexFromName reads thread id and time from rollout-2026-01-02T03-04-05-ID.jsonl.
// The time in a name is local; without a zone it is taken as UTC.
func codexFromName(file string) (thread string, ms int64) {
	base := path.Base(filepath.ToSlash(file))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".zst"), ".jsonl")
	rest, ok := strings.CutPrefix(base, "rollout-")
	if !ok {
		return base, 0
	}
	const layout = "2006-01-02T15-04-05"
	if len(rest) > len(layout)+1 {
		if t, err := time.Parse(layout, rest[:len(layout)]); err == nil {
			return rest[len(layout)+1:], max(t.UnixMilli(), 0)
		}
	}
	return rest, 0
}
