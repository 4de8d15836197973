package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
	"pgregory.net/rapid"
)

// A world is a generated project: what the files say, step by step, the saved
// entries and the tombstones.
type world struct {
	sources []*script
	saved   []Saved
	tombs   []Tombstone
	caps    Caps
}

// A script is one file: what it adds to its stores, record by record.
type script struct {
	agent, path, dir string
	steps            []fact.Delta
}

func (s *script) contribution() *Contribution {
	return &Contribution{Source: s.agent + "\x00" + s.path, Agent: s.agent, Path: s.path, Dir: s.dir}
}

// delta is what a pass over steps gives: registers stand as after the last.
func (s *script) delta(from, to int) *fact.Delta {
	d := &fact.Delta{}
	for i := from; i < to; i++ {
		step := s.steps[i]
		d.Writes = append(d.Writes, step.Writes...)
		d.Tasks = append(d.Tasks, step.Tasks...)
		d.Lists = append(d.Lists, step.Lists...)
		d.Compactions = append(d.Compactions, step.Compactions...)
		d.Calls = append(d.Calls, step.Calls...)
		d.Files = append(d.Files, step.Files...)
		for _, t := range step.Turns {
			d.Turns = slices.DeleteFunc(d.Turns, func(o fact.Turn) bool { return o.ID == t.ID })
			d.Turns = append(d.Turns, t)
		}
		for _, r := range step.Runs {
			d.Runs = slices.DeleteFunc(d.Runs, func(o fact.Run) bool { return o.Subject == r.Subject && o.Failed == r.Failed })
			d.Runs = append(d.Runs, r)
		}
		for _, v := range step.Sessions {
			d.Sessions = slices.DeleteFunc(d.Sessions, func(o fact.Session) bool { return o.ID == v.ID && o.Sub == v.Sub })
			d.Sessions = append(d.Sessions, v)
		}
	}
	return d
}

// writer makes up one file.
type writer struct {
	t       *rapid.T
	s       *script
	session string
	sub     bool
	time    int64
	pos     int64
	place   int
	turn    *fact.Turn
	turns   int
	started int64
	begun   bool
}

func drawWorld(t *rapid.T) *world {
	w := &world{caps: Caps{ToolResult: 2, Thinking: 2, LowSignal: 3}}
	for i := range rapid.IntRange(1, 4).Draw(t, "sources") {
		w.sources = append(w.sources, w.drawSource(t, i))
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "saved") {
		w.drawSaved(t, i)
	}
	for range rapid.IntRange(0, 4).Draw(t, "tombstones") {
		w.tombs = append(w.tombs, drawTombstone(t))
	}
	return w
}

var (
	drawnKeys     = []string{"k1", "k2", "note:a", "decision:b", "prompt:p1", "prompt:p2", "tool:sh:x", "tool:sh:y", "tool:sh:z", "tool:web:x", "thinking:1", "thinking:2", "thinking:3", "result:r1", "progress:t1", "progress:turn", "error:e1", "last_action", "last_files", "checkpoint:summary", "n1", "n2", "n3", "n4"}
	drawnSessions = []string{"s1", "s2", "s3"}
)

func (w *world) drawSource(t *rapid.T, i int) *script {
	s := &script{
		agent: "ana", path: fmt.Sprintf("/home/ana/%d/%d.jsonl", i, i/2),
		dir: rapid.SampledFrom([]string{"/home/ana/shop", "/home/ana/shop/web"}).Draw(t, "dir"),
	}
	wr := &writer{t: t, s: s, session: rapid.SampledFrom(drawnSessions).Draw(t, "session"), time: int64(rapid.IntRange(1, 20).Draw(t, "begin")), sub: rapid.IntRange(0, 5).Draw(t, "sub") == 0}
	if i > 0 && rapid.IntRange(0, 2).Draw(t, "fork") == 0 {
		wr.fork(w.sources[rapid.IntRange(0, i-1).Draw(t, "parent")])
	}
	for range rapid.IntRange(1, 14).Draw(t, "steps") {
		wr.step()
	}
	return s
}

// fork copies the beginning of another file, as resumed sessions do: with the
// old record ids, under the old or the new session's id, now and then with
// later stamps.
func (w *writer) fork(parent *script) {
	n := rapid.IntRange(0, len(parent.steps)).Draw(w.t, "copied")
	relabel := rapid.Bool().Draw(w.t, "relabel")
	shift := int64(rapid.SampledFrom([]int{0, 0, 0, 5}).Draw(w.t, "shift"))
	fix := func(st *fact.Stamp) {
		if relabel {
			st.Session = w.session
		}
		st.Time += shift
		st.File = base(w.s.path)
		st.Pos += 7
		w.time, w.pos = max(w.time, st.Time), max(w.pos, st.Pos)
	}
	for _, step := range parent.steps[:n] {
		for _, v := range step.Sessions {
			w.time = max(w.time, v.UpdatedAt+shift)
		}
		w.s.steps = append(w.s.steps, copyStep(step, fix, relabel, w.session, shift))
	}
}

func copyStep(step fact.Delta, fix func(*fact.Stamp), relabel bool, session string, shift int64) fact.Delta {
	var d fact.Delta
	for _, v := range step.Writes {
		fix(&v.Stamp)
		d.Writes = append(d.Writes, v)
	}
	for _, v := range step.Turns {
		fix(&v.Stamp)
		v.End += shift
		for _, p := range partsOf(&v) {
			if p.Record != "" {
				fix(&p.Stamp)
			}
		}
		d.Turns = append(d.Turns, v)
	}
	for _, v := range step.Runs {
		fix(&v.Stamp)
		d.Runs = append(d.Runs, v)
	}
	for _, v := range step.Tasks {
		fix(&v.Stamp)
		d.Tasks = append(d.Tasks, v)
	}
	for _, v := range step.Lists {
		fix(&v.Stamp)
		d.Lists = append(d.Lists, v)
	}
	for _, v := range step.Compactions {
		fix(&v.Stamp)
		d.Compactions = append(d.Compactions, v)
	}
	for _, v := range step.Calls {
		fix(&v.Stamp)
		d.Calls = append(d.Calls, v)
	}
	for _, v := range step.Files {
		fix(&v.Stamp)
		d.Files = append(d.Files, v)
	}
	for _, v := range step.Sessions {
		if relabel {
			v.ID = session
		}
		v.UpdatedAt += shift
		d.Sessions = append(d.Sessions, v)
	}
	return d
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func (w *writer) stamp() fact.Stamp {
	w.place++
	return fact.Stamp{Time: w.time, Session: w.session, File: base(w.s.path), Pos: w.pos, Place: w.place}
}

func (w *writer) record() string { return fmt.Sprintf("%s@%d", w.s.path, w.pos) }

func (w *writer) key() string { return rapid.SampledFrom(drawnKeys).Draw(w.t, "key") }

func (w *writer) value() string { return rapid.SampledFrom([]string{"u", "v", "w"}).Draw(w.t, "value") }

func (w *writer) up() []string {
	return rapid.SliceOfN(rapid.SampledFrom(drawnKeys), 0, 2).Draw(w.t, "up")
}

// step makes up one record.
func (w *writer) step() {
	w.pos += 10
	w.place = 0
	w.time += rapid.SampledFrom([]int64{0, 0, 1, 2, 3, week}).Draw(w.t, "wait")
	if !w.begun {
		w.begun, w.started = true, w.time
	}
	var d fact.Delta
	switch rapid.IntRange(0, 9).Draw(w.t, "what") {
	case 0, 1:
		w.write(&d, w.key())
	case 2:
		w.open(&d)
	case 3, 4:
		w.go_(&d)
	case 5:
		w.run(&d)
	case 6:
		w.task(&d)
	case 7:
		w.compact(&d)
	case 8:
		d.Calls = append(d.Calls, fact.Call{Stamp: w.stamp(), Record: w.record(), Name: "sh", Key: w.key()})
		d.Files = append(d.Files, fact.File{Stamp: w.stamp(), Path: w.value(), Action: "edit"})
	case 9:
		w.write(&d, w.key())
		w.write(&d, w.key())
	}
	if w.turn != nil {
		w.turn.End = w.time
		d.Turns = append(d.Turns, *w.turn)
	}
	d.Sessions = append(d.Sessions, fact.Session{ID: w.session, Agent: "ana", Model: w.value(), Title: w.value(), StartedAt: w.started, UpdatedAt: w.time, Sub: w.sub})
	w.s.steps = append(w.s.steps, d)
}

func (w *writer) write(d *fact.Delta, key string) {
	rows := []fact.Row{fact.RowMarker, fact.RowMarker, fact.RowPrompt, fact.RowChoice, fact.RowConfig, fact.RowCustom}
	row := rapid.SampledFrom(rows).Draw(w.t, "row")
	typ := fact.TypeOf(key)
	switch typ {
	case fact.ToolResult:
		row = fact.RowTool
	case fact.Thinking:
		row = fact.RowThinking
	}
	v := fact.Write{Stamp: w.stamp(), Record: w.record(), Row: row, Key: key, Value: w.value(), Type: typ, Parents: w.up()}
	if w.turn != nil {
		v.Turn = w.turn.ID
	}
	d.Writes = append(d.Writes, v)
}

func (w *writer) open(d *fact.Delta) {
	w.turns++
	w.turn = &fact.Turn{Stamp: w.stamp(), ID: w.record(), Sub: w.sub, Ordinal: w.turns, Open: "open " + w.value()}
	if rapid.Bool().Draw(w.t, "prompt") {
		w.turn.Prompt = rapid.SampledFrom([]string{"prompt:p1", "prompt:p2"}).Draw(w.t, "prompt key")
		d.Writes = append(d.Writes, fact.Write{Stamp: w.stamp(), Record: w.record(), Row: fact.RowPrompt, Key: w.turn.Prompt, Value: w.value(), Type: fact.Prompt, Turn: w.turn.ID})
	}
}

// go_ carries the present turn on.
func (w *writer) go_(d *fact.Delta) {
	if w.turn == nil {
		w.open(d)
		return
	}
	part := func(key string, typ fact.Type) fact.Part {
		return fact.Part{Stamp: w.stamp(), Record: w.record(), Key: key, Value: w.value(), Type: typ}
	}
	w.turn.Parents = w.up()
	switch rapid.IntRange(0, 4).Draw(w.t, "turn") {
	case 0:
		w.turn.Closed, w.turn.Open = true, ""
		w.turn.Result = part(rapid.SampledFrom([]string{"result:r1", "result:t1"}).Draw(w.t, "result"), fact.Result)
	case 1:
		w.turn.Action = part("last_action", fact.Action)
	case 2:
		w.turn.Files = part("last_files", fact.FileType)
	case 3:
		w.turn.Closed, w.turn.Result, w.turn.Open = false, fact.Part{}, "open "+w.value()
	case 4:
		w.turn.Void = true
	}
}

func (w *writer) run(d *fact.Delta) {
	r := fact.Run{Stamp: w.stamp(), Record: w.record(), Subject: rapid.SampledFrom([]string{"a", "b"}).Draw(w.t, "subject"), Group: "g", Times: 1}
	if r.Failed = rapid.Bool().Draw(w.t, "failed"); r.Failed {
		r.Key, r.Value, r.Parents = rapid.SampledFrom([]string{"error:e1", "error:e2"}).Draw(w.t, "error"), w.value(), w.up()
	} else {
		r.Whole, r.Label = rapid.Bool().Draw(w.t, "whole"), w.value()
	}
	d.Runs = append(d.Runs, r)
}

func (w *writer) task(d *fact.Delta) {
	slugs := []string{"t1", "t2"}
	for _, slug := range slugs {
		if rapid.Bool().Draw(w.t, "changed") {
			d.Tasks = append(d.Tasks, fact.TaskItem{Stamp: w.stamp(), Record: w.record(), Slug: slug, Text: w.value(), Parents: w.up(),
				Status: rapid.SampledFrom([]string{"pending", "in_progress", "completed", "cancelled"}).Draw(w.t, "status")})
		}
	}
	if rapid.Bool().Draw(w.t, "listed") {
		d.Lists = append(d.Lists, fact.TaskList{Stamp: w.stamp(), Record: w.record(), Slugs: slugs[:rapid.IntRange(0, 2).Draw(w.t, "slugs")]})
	}
}

func (w *writer) compact(d *fact.Delta) {
	p := fact.Compaction{Stamp: w.stamp(), Record: w.record(), Checkpoint: w.value(), Parents: w.up()}
	for range rapid.IntRange(0, 3).Draw(w.t, "sections") {
		key := w.key()
		p.Sections = append(p.Sections, fact.Section{Key: key, Value: w.value(), Type: fact.TypeOf(key), Progress: rapid.Bool().Draw(w.t, "progress")})
	}
	d.Compactions = append(d.Compactions, p)
}

func (w *world) drawSaved(t *rapid.T, i int) {
	s := Saved{Dir: rapid.SampledFrom([]string{"/home/ana/shop", "/home/ana/shop/web"}).Draw(t, "dir")}
	s.Key = rapid.SampledFrom(drawnKeys).Draw(t, "key")
	s.Namespace = rapid.SampledFrom([]string{"", "", "team"}).Draw(t, "namespace")
	s.Value, s.Type = fmt.Sprint("saved ", i), fact.TypeOf(s.Key)
	s.CreatedAt = int64(rapid.IntRange(1, 30).Draw(t, "created"))
	s.UpdatedAt = s.CreatedAt + int64(rapid.IntRange(0, 9).Draw(t, "updated"))
	if rapid.Bool().Draw(t, "origin") {
		s.Origin = &fact.Origin{Via: fact.ViaTool, Session: rapid.SampledFrom(drawnSessions).Draw(t, "by")}
	}
	if rapid.Bool().Draw(t, "refers") {
		s.References = []string{rapid.SampledFrom(drawnKeys).Draw(t, "to")}
	}
	if rapid.Bool().Draw(t, "past") {
		s.Past = []fact.Past{{Value: "before", At: s.CreatedAt}}
	}
	for _, o := range w.saved {
		if o.ID() == s.ID() {
			return
		}
	}
	w.saved = append(w.saved, s)
}

func drawTombstone(t *rapid.T) Tombstone {
	tomb := Tombstone{Time: int64(rapid.IntRange(1, 40).Draw(t, "deleted at"))}
	if rapid.IntRange(0, 3).Draw(t, "late") == 0 {
		tomb.Time += week
	}
	switch rapid.IntRange(0, 5).Draw(t, "tombstone") {
	case 0:
		tomb.Session = rapid.SampledFrom(drawnSessions).Draw(t, "forgotten")
	case 1:
		tomb.Before = true
		tomb.Time /= 4
	default:
		tomb.Namespace = rapid.SampledFrom([]string{"", "", "", "team"}).Draw(t, "namespace")
		tomb.Key = KeyHash(tomb.Namespace, rapid.SampledFrom(append(drawnKeys, "result:t1", "error:e2", "progress:t2")).Draw(t, "deleted"))
		if rapid.IntRange(0, 3).Draw(t, "content") == 0 {
			tomb.Content = ContentHash(rapid.SampledFrom([]string{"u", "v"}).Draw(t, "said"))
		}
	}
	return tomb
}
