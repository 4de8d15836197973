package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// sessionMeta reads a header. The first one of a file is the thread's own. It
// is repeated by some versions; one with another id was copied from the
// thread that this one was forked from.
func (d *codexDecoder) sessionMeta(p scan.Value) {
	id := p.Get("id").Text(codexIDLimit)
	if id == "" {
		id = p.Get("thread_id").Text(codexIDLimit)
	}
	switch {
	case id == "":
	case !d.s.Known:
		d.ownMeta(id, p)
	case id != d.s.Thread && !d.s.Own:
		d.copiedMeta(id, p)
	}
}

func (d *codexDecoder) ownMeta(id string, p scan.Value) {
	s := &d.s
	s.Thread, s.Known = id, true
	if s.Born = codexBorn(id); s.Born == 0 {
		s.Born = timestamp(p.Get("timestamp"))
	}
	s.Forked = p.Get("forked_from_id").Text(codexIDLimit)
	s.Parent = p.Get("parent_thread_id").Text(codexIDLimit)
	source := p.Path("source", "subagent")
	if s.Parent == "" {
		s.Parent = source.Path("thread_spawn", "parent_thread_id").Text(codexIDLimit)
	}
	about := p.Get("thread_source")
	s.Sub = source.Exists() || about.TextIs("subagent") || about.TextIs("memory_consolidation")
	if s.Parent == "" {
		s.Parent = s.Forked
	}
	if s.Sub {
		s.Start, _ = p.Get("subagent_history_start_ordinal").Int()
	}
	s.Items = p.Get("history_mode").TextIs("paginated")
	copies := p.Get("history_base").Kind() != scan.Object && !s.Items
	s.Cwd = codexDir(p.Get("cwd"))
	d.emit(d.started(p, id))
	if s.Forked != "" && copies {
		s.Replay, s.Owner = true, s.Forked
	}
}

// copiedMeta notes an ancestor, whose history follows.
func (d *codexDecoder) copiedMeta(id string, p scan.Value) {
	s := &d.s
	s.Replay = true
	for _, known := range s.Chain {
		if known == id {
			return
		}
	}
	if len(s.Chain) < codexChainMax {
		s.Chain = append(s.Chain, id)
	}
	if s.Sub {
		return
	}
	s.Owner = id
	cwd := s.Cwd
	s.Cwd = codexDir(p.Get("cwd"))
	d.emit(d.started(p, id))
	s.Cwd = cwd
	if s.Forked != "" {
		s.Owner = s.Forked
	}
}

// started is the event of a header.
func (d *codexDecoder) started(p scan.Value, id string) event.Event {
	parent := p.Get("parent_thread_id").Text(codexIDLimit)
	if parent == "" {
		parent = p.Get("forked_from_id").Text(codexIDLimit)
	}
	if id == d.s.Thread {
		parent = d.s.Parent
	}
	return event.Event{
		Kind: event.SessionStarted, Record: id + "/start", Agent: codexName, Parent: parent,
		Provider: p.Get("model_provider").Text(80),
		Version:  p.Get("cli_version").Text(80),
		Branch:   p.Path("git", "branch").Text(200),
	}
}

// header reads the first line of a bare file.
func (d *codexDecoder) header(v scan.Value) {
	if d.s.Known {
		return
	}
	d.s.Thread, d.s.Known = v.Get("id").Text(codexIDLimit), true
	d.emit(d.started(v, d.s.Thread))
}

// turnContext reads what holds for the turn: directory and model.
func (d *codexDecoder) turnContext(p scan.Value) {
	d.setTurn(p.Get("turn_id"))
	cwd, model := codexDir(p.Get("cwd")), p.Get("model").Text(120)
	moved := cwd != "" && cwd != d.s.Cwd
	if cwd != "" {
		d.s.Cwd = cwd
	}
	if model == "" {
		model = d.s.Model
	}
	if moved || model != d.s.Model {
		d.s.Model = model
		d.emit(event.Event{Kind: event.SessionStarted, Record: d.turnBase() + "/context", Agent: codexName, Model: model})
	}
}

// environment takes the directory from an <environment_context> block, the
// only place where files of 2025 name it.
func (d *codexDecoder) environment(text string) {
	if d.s.Cwd != "" {
		return
	}
	cwd, _, found := strings.Cut(codexAfter(text, "<cwd>"), "</cwd>")
	if !found {
		cwd, _, _ = strings.Cut(codexAfter(text, "Current working directory: "), "\n")
	}
	if cwd = codexCleanDir(strings.TrimSpace(cwd)); cwd == "" {
		return
	}
	d.s.Cwd = cwd
	d.emit(event.Event{Kind: event.SessionStarted, Record: d.s.owner() + "/environment", Agent: codexName})
}

// codexAfter returns what follows the first mark, "" without one.
func codexAfter(text, mark string) string {
	_, after, _ := strings.Cut(text, mark)
	return after
}

func codexDir(v scan.Value) string { return codexCleanDir(v.Text(4096)) }

// codexCleanDir takes a file URL as its path and evens out the case of a
// Windows drive, which differs between records of one file.
func codexCleanDir(dir string) string {
	if rest, ok := strings.CutPrefix(dir, "file://"); ok {
		dir = rest
		if len(dir) > 2 && dir[0] == '/' && dir[2] == ':' {
			dir = dir[1:]
		}
	}
	if len(dir) >= 2 && dir[1] == ':' && dir[0] >= 'a' && dir[0] <= 'z' {
		dir = string(dir[0]-'a'+'A') + dir[1:]
	}
	return dir
}

// codexBorn reads the time of making from an id of version 7; 0 for others.
func codexBorn(id string) int64 {
	if len(id) != 36 || id[8] != '-' || id[13] != '-' || id[14] != '7' {
		return 0
	}
	ms, err := strconv.ParseInt(id[:8]+id[9:13], 16, 64)
	if err != nil {
		return 0
	}
	return ms
}
