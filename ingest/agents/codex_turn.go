package agents

import (
	"slices"
	"strconv"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// setTurn notes the turn that a record names. Until the agent does something
// in it, what the user said just before belongs to it too.
func (d *codexDecoder) setTurn(v scan.Value) {
	id := v.Text(codexIDLimit)
	if id == "" || id == d.s.Turn {
		return
	}
	d.s.Turn = id
	d.freshTurn()
}

func (d *codexDecoder) freshTurn() {
	s := &d.s
	if s.Busy {
		s.Twins, s.Last = nil, nil
	}
	s.Own = s.Own || !s.Replay
	s.Busy, s.Asked, s.Broken = false, false, false
}

// userTurn begins a turn where the format has no ids for them: with what the
// user says once the agent has done something since.
func (d *codexDecoder) userTurn() {
	if s := &d.s; s.Turn == "" && (s.Busy || s.Turns == 0) {
		s.Turns++
		d.freshTurn()
	}
}

// turnBase is what the identities of a turn's records begin with: the same in
// every copy of the turn, and in no other.
func (d *codexDecoder) turnBase() string {
	if d.s.Turn != "" {
		return d.s.Turn
	}
	return d.s.owner() + "." + strconv.Itoa(d.s.Turns)
}

// taskStarted reads the beginning of a turn.
func (d *codexDecoder) taskStarted(p *codexPart) {
	d.setTurn(p.Get("turn_id"))
	d.s.Active = true
}

// taskComplete reads the end of a turn, which repeats the last words.
func (d *codexDecoder) taskComplete(p *codexPart) {
	d.setTurn(p.Get("turn_id"))
	if last := p.Get("last_agent_message"); last.Kind() == scan.String {
		d.assistantText(fromTask, last.Text(MaxText), event.Yes)
	} else if d.s.Broken {
		d.s.Active = false
		return // an error ended it, nothing was answered
	}
	d.s.Active = false
	if n, first := d.twin("z", fromEvent); first {
		d.emit(event.Event{Kind: event.TurnClosed, Record: d.recordID("closed", n)})
	}
}

// turnAborted is told by an event, by a notice under the user's role, or by both.
func (d *codexDecoder) turnAborted(p *codexPart, from codexSource) {
	reason := p.Get("reason")
	if reason.TextIs("review_ended") {
		return
	}
	s := &d.s
	if id := p.Get("turn_id"); id.Text(codexIDLimit) != s.Turn {
		d.setTurn(id)
	}
	if from == fromItem && s.Aborted > 0 && !s.Busy && !s.Asked {
		return // the notice of the turn before, repeated when the next one begins
	}
	n, first := d.twin("x", from)
	if !first {
		return
	}
	s.Active, s.Aborted = false, max(d.time, 1)
	s.Again = slices.Clone(s.Last)
	d.emit(event.Event{Kind: event.Interrupted, Record: d.recordID("aborted", n), Text: reason.Text(80)})
}

// failed is an error that the agent could not go on from, such as a usage limit.
func (d *codexDecoder) failed(p *codexPart) {
	if d.s.Broken {
		return
	}
	d.s.Broken = true
	n, _ := d.twin("e", fromEvent)
	d.emit(event.Event{Kind: event.Interrupted, Record: d.recordID("error", n), Text: p.Get("message").Text(500)})
}

func (d *codexDecoder) rolledBack(p *codexPart) {
	count, ok := p.Get("num_turns").Int()
	if !ok || count <= 0 {
		return
	}
	n, _ := d.twin("b", fromEvent)
	d.emit(event.Event{Kind: event.RolledBack, Record: d.recordID("rollback", n), Count: int(min(count, 1<<20))})
	d.s.Active, d.s.Twins, d.s.Last, d.s.Again = false, nil, nil, nil
}

// recordID is the identity of the n-th record of a kind in the turn.
func (d *codexDecoder) recordID(kind string, n int) string {
	if n <= 1 {
		return d.turnBase() + "/" + kind
	}
	return d.turnBase() + "/" + kind + "#" + strconv.Itoa(n)
}
