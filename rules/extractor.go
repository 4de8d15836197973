package rules

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// Redactor takes secrets out of text.
type Redactor interface {
	Text(s string) (string, int)
}

// Source names the transcript that an extractor works on.
type Source struct {
	Agent     string
	Path      string
	FirstSeen int64 // modification time as first seen, Unix milliseconds
}

// Options are what extractors of one program share.
type Options struct {
	Rules   *Set
	Redact  Redactor
	Belongs func(bases []string, cwd string) string // the directory that a record belongs to
	Silent  func(time int64) bool                   // of what happened at this time nothing is kept; may be nil
}

// An Extractor turns the events of one source into deltas. It is used by one
// goroutine at a time.
type Extractor struct {
	opts   Options
	src    Source
	base   string
	run    runner
	st     state
	env    Env
	out    map[string]*fact.Delta
	offset int64
	place  int
	at     int64 // time of the present event, Unix milliseconds
}

// NewExtractor returns an extractor that goes on from saved state, or begins
// where there is none.
func NewExtractor(o Options, src Source, saved []byte) (*Extractor, error) {
	st, err := decodeState(saved)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Path, err)
	}
	return &Extractor{
		opts: o, src: src, st: st,
		base: filepath.Base(strings.ReplaceAll(src.Path, `\`, "/")),
		run:  runner{set: o.Rules},
		out:  map[string]*fact.Delta{}, offset: -1,
	}, nil
}

// Feed takes events in file order.
func (x *Extractor) Feed(events []event.Event) {
	for i := range events {
		x.feed(&events[i])
	}
}

// Take returns what was collected since the last Take, by directory, and
// forgets it. The registers in it say how things stand after the last event.
func (x *Extractor) Take() map[string]*fact.Delta {
	for _, key := range sortedKeys(x.st.Sessions) {
		s := x.st.Sessions[key]
		x.settle(s)
		x.sessionRow(s)
	}
	out := x.out
	x.out = map[string]*fact.Delta{}
	for dir, d := range out {
		if d.Empty() {
			delete(out, dir)
		}
	}
	return out
}

// State returns what must be saved to go on after the last event. It is to be
// called after Take.
func (x *Extractor) State() ([]byte, error) {
	data, err := json.Marshal(&x.st)
	if err != nil {
		return nil, fmt.Errorf("save extractor state of %s: %w", x.src.Path, err)
	}
	return data, nil
}

func (x *Extractor) feed(ev *event.Event) {
	if ev.Offset != x.offset {
		x.offset, x.place = ev.Offset, 0
	}
	x.at = x.timeOf(ev)
	if x.opts.Silent != nil && x.opts.Silent(x.at) {
		return
	}
	s := x.session(ev)
	x.locate(s, ev)
	if ev.Kind == event.SessionStarted && x.st.Time == 0 {
		// Titles and the like stand before the first record with a time; they
		// must not date the session by the file.
		s.state(ev, x)
		s.Announce = true
		return
	}
	s.dirty = true
	if s.Info.StartedAt == 0 {
		s.Info.StartedAt = x.at
	}
	s.Info.UpdatedAt = max(s.Info.UpdatedAt, x.at)
	if s.Announce && ev.Kind != event.SessionStarted {
		s.Announce = false
		x.reset(s)
		x.announce(s, ev)
	}
	x.reset(s)
	x.judge(s, ev)
	if s.Turn != nil {
		s.Turn.Row.End = max(s.Turn.Row.End, x.at)
		s.Turn.dirty = true
	}
}

// reset makes the names that every rule may use those of the present event.
func (x *Extractor) reset(s *session) {
	x.env = Env{
		Agent: x.src.Agent, Session: s.Info.ID, Project: s.Dir, Cwd: s.Cwd,
		Time: int(x.at), Exit: -1, Limits: x.opts.Rules.limits,
	}
	if s.Turn != nil {
		x.env.Slug, x.env.Prompt = s.Turn.Slug, s.Turn.Row.Prompt
	}
}

func (x *Extractor) judge(s *session, ev *event.Event) {
	switch ev.Kind {
	case event.SessionStarted:
		x.started(s, ev)
	case event.UserMessage:
		x.user(s, ev)
	case event.AssistantMessage:
		x.reply(s, ev)
	case event.Thinking:
		x.thinking(s, ev)
	case event.ToolCalled:
		x.called(s, ev)
	case event.ToolReturned:
		x.returned(s, ev)
	case event.TasksChanged:
		x.tasks(s, ev)
	case event.Compacted:
		x.compacted(s, ev)
	case event.Answered:
		x.answered(s, ev)
	case event.TurnClosed:
		if s.Turn != nil {
			s.Turn.Row.Closed = true
		}
	case event.Interrupted:
		if s.Turn != nil {
			s.Turn.Row.Closed, s.Turn.Interrupted = false, true
		}
	case event.RolledBack:
		x.rollBack(s, ev.Count)
	}
}

// timeOf gives the running maximum of the record times, or the best there is
// before any record had one.
func (x *Extractor) timeOf(ev *event.Event) int64 {
	x.st.Time = max(x.st.Time, ev.Time)
	if x.st.Time > 0 {
		return x.st.Time
	}
	if t := nameTime(x.base); t > 0 {
		return t
	}
	return x.src.FirstSeen
}

var nameStamp = regexp.MustCompile(`(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)(?:-(\d\d))?`)

// nameTime reads a time out of a file name such as
// rollout-2025-08-03T11-00-00-ID.jsonl; 0 where there is none. Names do not say
// their zone; it is read as UTC so that every machine reads the same.
func nameTime(name string) int64 {
	m := nameStamp.FindStringSubmatch(name)
	if m == nil {
		return 0
	}
	if m[6] == "" {
		m[6] = "00"
	}
	t, err := time.Parse("2006-01-02 15:04:05", m[1]+"-"+m[2]+"-"+m[3]+" "+m[4]+":"+m[5]+":"+m[6])
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}

// stamp gives the next place in the order.
func (x *Extractor) stamp(s *session) fact.Stamp {
	st := fact.Stamp{Time: x.at, Session: s.Info.ID, File: x.base, Pos: x.offset, Place: x.place}
	x.place++
	return st
}

// delta returns what is collected for a directory; nil where none is known.
func (x *Extractor) delta(dir string) *fact.Delta {
	if dir == "" {
		return &fact.Delta{}
	}
	d := x.out[dir]
	if d == nil {
		d = &fact.Delta{}
		x.out[dir] = d
	}
	return d
}

// clean makes text fit to be judged and kept: valid, printable, without secrets.
func (x *Extractor) clean(text string) string {
	if text == "" {
		return ""
	}
	text, _ = x.opts.Redact.Text(text)
	return lang.Clean(text)
}

// write keeps what a rule captured as a fact of its own.
func (x *Extractor) write(s *session, ev *event.Event, c captured, role string, class fact.Class, parents []string) {
	w := fact.Write{
		Stamp: x.stamp(s), Record: ev.Record, Agent: x.src.Agent, Role: role,
		Row: c.rule.Row, Key: c.key, Value: c.value, Type: c.typ,
		Parents: parents, Class: class,
	}
	if s.Turn != nil {
		w.Turn = s.Turn.Row.ID
	}
	d := x.delta(s.Dir)
	// Of several equal keys in one record the last counts.
	for i := len(d.Writes) - 1; i >= 0 && d.Writes[i].Pos == w.Pos; i-- {
		if d.Writes[i].Key == w.Key && d.Writes[i].Record == w.Record {
			d.Writes[i] = w
			return
		}
	}
	d.Writes = append(d.Writes, w)
	s.remember(c.typ, c.key)
}
