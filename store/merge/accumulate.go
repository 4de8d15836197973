package merge

import (
	"reflect"

	"github.com/kmemd/kmemd/store/fact"
)

// Accumulate takes what a pass over the source added and returns the rows that
// have changed. It is idempotent, and how the source is split into passes does
// not show: rows are taken one by one in the order of the delta, which is the
// order of the file. Rows of capped groups and of the ring of calls that newer
// ones of the same source push out are deleted.
//
// What the tombstones hide is erased in the same step, so that its text is in
// no row that the changes put. g may be nil.
func Accumulate(c *Contribution, d *fact.Delta, caps Caps, g *Graves) Changes {
	r := recorder{c: c, had: map[Ref]bool{}}
	r.writes(d.Writes, caps)
	for i := range d.Turns {
		r.turn(&d.Turns[i])
	}
	for i := range d.Runs {
		r.failure(&d.Runs[i])
	}
	for i := range d.Tasks {
		r.task(&d.Tasks[i])
	}
	for i := range d.Lists {
		keepNewest(&r, &d.Lists[i], func(l *fact.TaskList) fact.Stamp { return l.Stamp })
	}
	for i := range d.Compactions {
		r.compaction(&d.Compactions[i])
	}
	r.calls(d.Calls, caps)
	for i := range d.Files {
		keepNewest(&r, &d.Files[i], func(f *fact.File) fact.Stamp { return f.Stamp })
	}
	for i := range d.Sessions {
		r.session(&d.Sessions[i])
	}
	if g != nil {
		r.erase(g, r.order)
	}
	return r.changes()
}

// recorder changes rows of a contribution and remembers which.
type recorder struct {
	c     *Contribution
	had   map[Ref]bool // touched rows: whether they were there before
	order []Ref
}

// set puts a row, or removes it where value is nil.
func (r *recorder) set(ref Ref, value any) {
	if _, touched := r.had[ref]; !touched {
		r.had[ref] = r.c.get(ref) != nil
		r.order = append(r.order, ref)
	}
	r.c.set(ref, value)
}

func (r *recorder) changes() Changes {
	var ch Changes
	for _, ref := range r.order {
		if v := r.c.get(ref); v != nil {
			ch.Put = append(ch.Put, Row{ref, v})
		} else if r.had[ref] {
			ch.Deleted = append(ch.Deleted, ref)
		}
	}
	return ch
}

// keepNewest puts a register unless a newer state of it is there.
func keepNewest[T any](r *recorder, v *T, stamp func(*T) fact.Stamp) {
	ref, _ := RefOf(v)
	if old, _ := r.c.get(ref).(*T); old != nil && (stamp(v).Compare(stamp(old)) < 0 || reflect.DeepEqual(old, v)) {
		return
	}
	r.set(ref, fresh(v))
}

// fresh returns a copy that the caller's next pass cannot overwrite.
func fresh[T any](v *T) *T {
	c := *v
	return &c
}

// turn puts the state of a turn. A turn only grows, so that one which ends
// earlier is an older state read again.
func (r *recorder) turn(t *fact.Turn) {
	ref := Ref{KindTurn, t.ID}
	if old := r.c.turns[t.ID]; old != nil && (t.End < old.End || reflect.DeepEqual(old, t)) {
		return
	}
	r.set(ref, fresh(t))
	r.unghost(&Ghost{Kind: KindTurn, Record: t.ID})
}

// failure puts a failure or a success. Several sessions of a file may have the
// same subject, and a pass states only the last of them: the order of the file
// decides, not that of the sessions' ids.
func (r *recorder) failure(v *fact.Run) {
	ref, _ := RefOf(v)
	slot := &Ghost{Kind: KindRun, Slot: v.Subject}
	if old := r.c.runs[ref.ID]; old != nil {
		if compareInFile(v.Stamp, old.Stamp) < 0 || reflect.DeepEqual(old, v) {
			return
		}
	} else if v.Failed && r.covered(slot, v.Stamp) {
		return
	}
	r.set(ref, fresh(v))
	if v.Failed {
		r.unghost(slot)
	}
}

func (r *recorder) task(t *fact.TaskItem) {
	ref, _ := RefOf(t)
	slot := &Ghost{Kind: KindTask, Slot: taskSlot(t)}
	if old := r.c.tasks[ref.ID]; old != nil {
		if t.Compare(old.Stamp) < 0 || reflect.DeepEqual(old, t) {
			return
		}
	} else if r.covered(slot, t.Stamp) {
		return
	}
	r.set(ref, fresh(t))
	r.unghost(slot)
}

// compaction puts the newest compaction of a session; older ones leave traces.
func (r *recorder) compaction(p *fact.Compaction) {
	ref := Ref{KindCompaction, p.Session}
	p = oneSectionAKey(p)
	old := r.c.compactions[p.Session]
	switch {
	case old == nil:
	case reflect.DeepEqual(old, p):
		return
	case p.Compare(old.Stamp) < 0:
		r.ghosts(traces(p))
		return
	case p.Compare(old.Stamp) > 0:
		r.ghosts(traces(old))
	}
	r.set(ref, p)
}

// oneSectionAKey returns a copy in which of sections with the same key only
// the last is left.
func oneSectionAKey(p *fact.Compaction) *fact.Compaction {
	c := fresh(p)
	c.Sections = nil
	last := make(map[string]int, len(p.Sections))
	for i := range p.Sections {
		last[p.Sections[i].Key] = i
	}
	for i := range p.Sections {
		if last[p.Sections[i].Key] == i {
			c.Sections = append(c.Sections, p.Sections[i])
		}
	}
	return c
}

// session puts what is known of a session, unless more is known.
func (r *recorder) session(s *fact.Session) {
	ref, _ := RefOf(s)
	if old := r.c.sessions[ref.ID]; old != nil && (s.UpdatedAt < old.UpdatedAt || *old == *s) {
		return
	}
	r.set(ref, fresh(s))
}

func (r *recorder) ghosts(list []*Ghost) {
	for _, gh := range list {
		ref, _ := RefOf(gh)
		if old := r.c.ghosts[ref.ID]; old == nil || *old != *gh {
			r.set(ref, gh)
		}
	}
}

// unghost removes the ghost of a register that has a row again.
func (r *recorder) unghost(slot *Ghost) {
	if len(r.c.ghosts) == 0 {
		return
	}
	if ref, _ := RefOf(slot); r.c.ghosts[ref.ID] != nil {
		r.set(ref, nil)
	}
}

// covered reports whether the ghost of a register is as new as a state of it.
func (r *recorder) covered(slot *Ghost, st fact.Stamp) bool {
	if len(r.c.ghosts) == 0 {
		return false
	}
	ref, _ := RefOf(slot)
	old := r.c.ghosts[ref.ID]
	return old != nil && compareInFile(st, old.Stamp) <= 0
}
