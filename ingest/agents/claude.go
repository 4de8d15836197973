package agents

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// claude reads Claude Code, 1.0 and later: one JSON record a line, one file a
// session below projects/, files of sub-agents beside or below them.
func claude() Agent {
	return Agent{
		Name:   claudeName,
		Title:  "Claude Code",
		Roots:  claudeRoots,
		Inside: []string{"projects"},
		Match:  claudeMatch,
		Open:   claudeOpen,
	}
}

const claudeName = "claude-code"

func claudeRoots(e Env) []string {
	var roots []string
	if dir := e.get("CLAUDE_CONFIG_DIR"); dir != "" {
		roots = append(roots, filepath.Join(dir, "projects"))
	}
	if e.Home != "" {
		roots = append(roots,
			filepath.Join(e.Home, ".claude", "projects"),
			filepath.Join(e.Home, ".config", "claude", "projects"))
	}
	return roots
}

// claudeMatch accepts every JSONL file but the journals of workflows: what is
// not a transcript has no record that the decoder knows, and gives nothing.
func claudeMatch(_, rel string) bool {
	base := path.Base(filepath.ToSlash(rel))
	return strings.HasSuffix(base, ".jsonl") && base != "journal.jsonl"
}

func claudeOpen(f File, state []byte) (Decoder, error) {
	d := &claudeDecoder{}
	d.state.Sub = claudeSubFile(f.Path)
	d.state.Name = strings.TrimSuffix(filepath.Base(f.Path), ".jsonl")
	if len(state) > 0 {
		d.state = claudeState{}
		if err := json.Unmarshal(state, &d.state); err != nil {
			return nil, fmt.Errorf("claude decoder state: %v", err)
		}
	}
	return d, nil
}

// claudeSubFile reports whether a file holds a sub-agent's records, whatever
// these say themselves.
func claudeSubFile(name string) bool {
	name = filepath.ToSlash(name)
	return strings.Contains(name, "/subagents/") || strings.HasPrefix(path.Base(name), "agent-")
}

// claudeDecoder decodes one file. What it needs of earlier lines is state;
// the rest is scratch of the present line.
type claudeDecoder struct {
	state   claudeState
	scanner scan.Scanner
	rec     claudeRecord
	out     []event.Event
	cwd     string // the last directory seen, to share its memory
}

// claudeState is what must be known of the lines before.
type claudeState struct {
	Name    string                 `json:"name,omitempty"`    // the file's name, the session of records that name none
	Sub     bool                   `json:"sub,omitempty"`     // a sub-agent's file
	Foreign bool                   `json:"foreign,omitempty"` // a program's own session: nothing of it counts
	Judged  bool                   `json:"judged,omitempty"`  // whether it is has been decided
	Placed  bool                   `json:"placed,omitempty"`  // a directory is known, nothing is held any more
	Held    []event.Event          `json:"held,omitempty"`    // events before the first directory
	Lanes   []claudeLane           `json:"lanes,omitempty"`
	Calls   map[string]*claudeCall `json:"calls,omitempty"` // calls without an answer, by id
	Queue   []claudeQueued         `json:"queue,omitempty"`
	Tasks   []event.Task           `json:"tasks,omitempty"`
	Message string                 `json:"message,omitempty"` // the API message that the last assistant record belongs to
	Blocks  []uint64               `json:"blocks,omitempty"`  // its blocks that were reported
	Title   string                 `json:"title,omitempty"`
}

// claudeLane is what is known of one session whose records stand in the file.
type claudeLane struct {
	Session string `json:"s"`
	Model   string `json:"m,omitempty"`
	Version string `json:"v,omitempty"`
}

func (d *claudeDecoder) State() ([]byte, error) { return json.Marshal(&d.state) }

// Decode implements [Decoder].
func (d *claudeDecoder) Decode(dst []event.Event, line []byte, offset, end int64) ([]event.Event, error) {
	if d.state.Foreign {
		return dst, nil
	}
	kind := claudeSkim(line)
	if kind == claudeSkip && !gluedRecord(line) {
		return dst, nil
	}
	d.rec = claudeRecord{offset: offset, end: end}
	v, err := d.scanner.ParseObject(line, d.rec.member)
	if err != nil || kind <= claudeSkip {
		return dst, err
	}
	d.rec.body = v
	d.out = dst
	d.decode(kind)
	dst, d.out = d.out, nil
	return dst, nil
}

func (d *claudeDecoder) decode(kind claudeKind) {
	r := &d.rec
	switch kind {
	case claudeQueueOp:
		d.queueOperation()
		return
	case claudeTitle:
		d.title()
		return
	}
	if r.uuid == "" && r.message.Kind() != scan.Object {
		return
	}
	if r.uuid == "" {
		r.uuid = contentID(r.body.Raw())
	}
	switch kind {
	case claudeConversation:
		switch {
		case r.typ.TextIs("user"):
			d.user()
		case r.typ.TextIs("assistant"):
			d.assistant()
		}
	case claudeAttachment:
		d.attachment()
	case claudeSystem:
		d.system()
	}
}
