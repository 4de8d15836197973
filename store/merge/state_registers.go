package merge

import (
	"maps"
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// registers is what the registers have said at the last view.
type registers struct {
	active activity
	front  lead
	open   *candidate
	errors map[string]*candidate
	tasks  tasks
	lists  lists
	byTask map[string]*candidate
	turns  edits[fact.Turn] // of the view
}

func newRegisters() registers {
	return registers{active: activity{}, errors: map[string]*candidate{}, byTask: map[string]*candidate{}}
}

// settleRegisters resolves the registers where something has changed.
func (s *State) settleRegisters() {
	r := &s.register
	for id := range s.todo.turns {
		s.settleTurn(id, s.turns[id])
	}
	for id := range s.todo.sessions {
		s.settleSession(id, s.sessions[id])
	}
	front := r.active.lead()
	moved := front != r.front || len(s.todo.sessions) > 0
	r.front = front
	overtaken := func(st fact.Stamp) bool { return r.active.overtaken(front, st.Session, st.Time) }
	if moved {
		s.settleOpenTurn(overtaken)
	}
	if s.todo.runs {
		now := byKey(errorsOf(rowsOf(s.runs, newRunRow), ghostsOf(s.ghosts[KindRun]), s.g))
		s.offerAll(r.errors, now)
		r.errors = now
	}
	if s.todo.tasks {
		r.tasks = tasksOf(rowsOf(s.tasks, newTaskRow), ghostsOf(s.ghosts[KindTask]), s.g)
	}
	if s.todo.lists {
		r.lists = listsOf(rowsOf(s.lists, newListRow), s.g)
	}
	if moved || s.todo.tasks || s.todo.lists {
		var list []*candidate
		for _, w := range r.tasks.wins {
			list = append(list, w.candidate(r.lists, overtaken))
		}
		now := byKey(list)
		s.offerAll(r.byTask, now)
		r.byTask = now
	}
	s.settleSummaries()
}

func newRunRow(v *fact.Run, c *Contribution) runRow               { return runRow{v, c} }
func newTaskRow(v *fact.TaskItem, c *Contribution) taskRow        { return taskRow{v, c} }
func newListRow(v *fact.TaskList, c *Contribution) listRow        { return listRow{v, c} }
func newSumRow(v *fact.Compaction, c *Contribution) compactionRow { return compactionRow{v, c} }
func newGhostRow(v *Ghost, c *Contribution) ghostRow              { return ghostRow{v, c} }
func newSessionRow(v *fact.Session, c *Contribution) sessionRow   { return sessionRow{v, c} }

func rowsOf[T, R any](b bag[T], row func(*T, *Contribution) R) []R {
	out := make([]R, 0, len(b))
	for v, c := range b {
		out = append(out, row(v, c))
	}
	return out
}

func ghostsOf(b bag[Ghost]) []ghostRow { return rowsOf(b, newGhostRow) }

func byKey(list []*candidate) map[string]*candidate {
	out := make(map[string]*candidate, len(list))
	for _, c := range list {
		out[c.key] = c
	}
	return out
}

// offerAll replaces what a kind of register says of keys, one candidate each.
func (s *State) offerAll(old, now map[string]*candidate) {
	for key, c := range now {
		o := old[key]
		if o != nil && o.same(c) {
			now[key] = o
			continue
		}
		s.offer(o, c)
	}
	for key, o := range old {
		if now[key] == nil {
			s.offer(o, nil)
		}
	}
}

// offer replaces what a register says of a key; either may be nil.
func (s *State) offer(old, now *candidate) {
	if old != nil {
		k := s.key(old.key)
		k.offers = alter(k.offers, old, -1)
		s.todo.keys[k] = true
	}
	if now != nil {
		k := s.key(now.key)
		k.offers = append(k.offers, now)
		s.todo.keys[k] = true
	}
}

// same reports whether two candidates say the same.
func (a *candidate) same(b *candidate) bool {
	return a.Stamp == b.Stamp && a.from == b.from && a.saved == b.saved && a.record == b.record && a.agent == b.agent &&
		a.role == b.role && a.row == b.row && a.key == b.key && a.value == b.value && a.typ == b.typ &&
		a.class == b.class && a.turn == b.turn && slices.Equal(a.up, b.up) && a.group == b.group &&
		a.withdrawn == b.withdrawn && a.resolved == b.resolved && a.task == b.task && a.status == b.status &&
		a.times == b.times && a.ended == b.ended
}

// settleTurn resolves one turn and replaces what it says.
func (s *State) settleTurn(id turnID, t *turnState) {
	old := t.now
	t.now = t.settle(s.g)
	for _, c := range t.offers {
		s.offer(c, nil)
	}
	t.offers = nil
	if t.now != nil {
		t.offers = t.now.candidates()
	}
	for _, c := range t.offers {
		s.offer(nil, c)
	}
	if promptOf(old) != promptOf(t.now) {
		for _, k := range t.children.list {
			s.todo.edges[k] = true
		}
	}
	if old != nil && !old.Sub {
		k := s.session(old.Session)
		delete(k.turns, id)
		s.todo.sessions[old.Session] = true
	}
	if t.now != nil && !t.now.Sub {
		k := s.session(t.now.Session)
		k.turns[id] = t.now
		s.todo.sessions[t.now.Session] = true
	}
	s.register.turns.replace(shownTurn(old), shownTurn(t.now))
}

func promptOf(t *turn) string {
	if t == nil {
		return ""
	}
	return t.Prompt
}

// shownTurn returns what the view has of a turn, nil for nothing.
func shownTurn(t *turn) *fact.Turn {
	if t == nil || !t.shown() {
		return nil
	}
	return &t.Turn
}

// settleSession resolves what is known of one session.
func (s *State) settleSession(id string, k *sessionState) {
	r := &s.register
	k.now = mergeSession(rowsOf(k.rows, newSessionRow), s.g)
	delete(r.active, id)
	if k.now != nil && !k.now.Sub {
		r.active.note(id, k.now.UpdatedAt)
	}
	was := k.closed
	k.last, k.closed, k.count = nil, nil, 0
	for _, t := range k.turns {
		r.active.note(id, t.End)
		if t.Void {
			continue
		}
		k.count++
		if t.Closed && (k.closed == nil || t.end.Compare(*k.closed) > 0) {
			k.closed = &t.end
		}
		if k.last == nil || compareTurns(&t.Turn, &k.last.Turn) > 0 {
			k.last = t
		}
	}
	if (was == nil) != (k.closed == nil) || was != nil && *was != *k.closed {
		s.todo.closed[id] = true
	}
}

func (s *State) settleOpenTurn(overtaken func(fact.Stamp) bool) {
	last := make(map[string]*turn, len(s.sessions))
	for id, k := range s.sessions {
		if k.last != nil {
			last[id] = k.last
		}
	}
	now := openTurn(last)
	if now != nil {
		now.withdrawn = overtaken(now.Stamp)
	}
	r := &s.register
	if now == nil && r.open == nil || now != nil && r.open != nil && now.same(r.open) {
		return
	}
	s.offer(r.open, now)
	r.open = now
}

// settleSummaries replaces what the sessions' newest compactions say.
func (s *State) settleSummaries() {
	if s.todo.compactions {
		now := summariesOf(rowsOf(s.summed, newSumRow), ghostsOf(s.ghosts[KindCompaction]), s.g)
		for id, k := range s.sessions {
			if _, ok := now[id]; !ok && k.summary.Compaction != nil {
				now[id] = summary{}
			}
		}
		for id, sum := range now {
			s.session(id).summary = sum
			s.todo.closed[id] = true
		}
	}
	again := s.todo.closed
	if s.todo.said {
		again = maps.Collect(func(yield func(string, bool) bool) {
			for id := range s.sessions {
				if !yield(id, true) {
					return
				}
			}
		})
	}
	for id := range again {
		k := s.sessions[id]
		for _, c := range k.offers {
			s.offer(c, nil)
		}
		k.offers = nil
		if k.summary.Compaction != nil {
			k.offers = k.summary.candidates(k.closed, s.said)
		}
		for _, c := range k.offers {
			s.offer(nil, c)
		}
	}
}
