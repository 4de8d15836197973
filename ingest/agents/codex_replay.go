package agents

import "github.com/kmemd/kmemd/ingest/scan"

// codexPause is the silence, in milliseconds, that ends a replay whose turns
// have no ids: a copy is written in one go, a person takes longer.
const codexPause = 1000

// replayed decides whether the present record still belongs to the copy of
// the parent's history. Turn ids hold their time of making: one made after the
// thread is the thread's own. Where a record names no turn, a pause before
// something that can open one tells. before is the time of the record before.
func (d *codexDecoder) replayed(kind, payload scan.Value, before int64) {
	if kind.TextIs("session_meta") {
		return
	}
	turn := payload.Get("turn_id").Text(codexIDLimit)
	made := codexBorn(turn)
	if made > 0 && codexBorn(d.s.Thread) > 0 {
		if made >= d.s.Born {
			d.endReplay()
			return
		}
		d.s.Owner = d.s.ancestor(made)
		return
	}
	paused := before > 0 && d.time-before >= codexPause && d.time >= d.s.Born
	if paused && codexOpens(kind, payload) {
		d.endReplay()
	}
}

// endReplay begins the file's own part.
func (d *codexDecoder) endReplay() {
	s := &d.s
	s.Replay, s.Own, s.Owner = false, true, ""
	s.Model, s.Turn, s.Turns, s.Calls, s.Twins, s.Last, s.Again = "", "", 0, nil, nil, nil, nil
	s.Busy, s.Asked, s.Active, s.Broken, s.Aborted = false, false, false, false, 0
}

// ancestor is the youngest thread of those copied that existed at a time.
func (s *codexState) ancestor(ms int64) string {
	best, born := s.Forked, codexBorn(s.Forked)
	if born > ms {
		best, born = s.Forked, -1
	}
	for _, id := range s.Chain {
		if b := codexBorn(id); b <= ms && b > born {
			best, born = id, b
		}
	}
	return best
}

// codexOpens reports whether a record can be the first of a turn.
func codexOpens(kind, payload scan.Value) bool {
	if kind.TextIs("turn_context") {
		return true
	}
	switch payload.Get("type").Text(40) {
	case "task_started", "turn_started", "user_message":
		return true
	case "message":
		return payload.Get("role").TextIs("user")
	}
	return false
}
