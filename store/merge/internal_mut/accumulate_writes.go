package merge

import (
	"reflect"

	"github.com/kmemd/kmemd/store/fact"
)

func (r *recorder) writes(list []fact.Write, caps Caps) {
	if len(list) == 0 {
		return
	}
	d := r.derived(caps)
	for i := range list {
		r.write(d, caps, &list[i])
	}
}

func (r *recorder) derived(caps Caps) *derived {
	if r.c.derived == nil {
		r.c.derived = derive(r.c, caps)
	}
	return r.c.derived
}

// write puts one write: of copies the least, of rows that keep one write a key
// the newest, of capped groups what the cap leaves.
func (r *recorder) write(d *derived, caps Caps, w *fact.Write) {
	ref, _ := RefOf(w)
	name := d.name(w)
	if old := r.c.writes[ref.ID]; old != nil {
		n := compareCopies(w.Stamp, old.Stamp)
		if n > 0 || n == 0 && reflect.DeepEqual(old, w) {
			return
		}
		r.unwrite(d, caps, ref, name)
	}
	if d.ghosts {
		gref, _ := RefOf(&Ghost{Kind: KindWrite, Record: w.Record, Key: name})
		if old := r.c.ghosts[gref.ID]; old != nil {
			if compareCopies(w.Stamp, old.Stamp) >= 0 {
				return
			}
			r.unwrite(d, caps, gref, name)
		}
	}
	if single(w.Row) {
		if old, ok := d.singles[name]; ok {
			if w.Compare(r.stampOf(old)) < 0 {
				return
			}
			r.unwrite(d, caps, old, name)
		}
		d.singles[name] = ref
	}
	r.set(ref, fresh(w))
	for _, out := range d.group(groupOf(w.Type, w.Key), caps).add(item{w.Time, name, ref}) {
		r.set(out.ref, nil)
		if d.singles[out.name] == out.ref {
			delete(d.singles, out.name)
		}
	}
}

// unwrite removes a write or the ghost of one.
func (r *recorder) unwrite(d *derived, caps Caps, ref Ref, name string) {
	group := ""
	switch v := r.c.get(ref).(type) {
	case *fact.Write:
		group = groupOf(v.Type, v.Key)
	case *Ghost:
		group = v.Group
	}
	d.group(group, caps).remove(ref)
	if d.singles[name] == ref {
		delete(d.singles, name)
	}
	r.set(ref, nil)
}

func (r *recorder) stampOf(ref Ref) fact.Stamp {
	switch v := r.c.get(ref).(type) {
	case *fact.Write:
		return v.Stamp
	case *Ghost:
		return v.Stamp
	}
	return fact.Stamp{}
}

// calls puts calls into the rings of their sessions.
func (r *recorder) calls(list []fact.Call, caps Caps) {
	if len(list) == 0 {
		return
	}
	d := r.derived(caps)
	for i := range list {
		l := &list[i]
		ref, _ := RefOf(l)
		if old := r.c.calls[ref.ID]; old != nil {
			n := compareCopies(l.Stamp, old.Stamp)
			if n > 0 || n == 0 && *old == *l {
				continue
			}
			d.ring(old.Session).remove(ringItem{old.Stamp, ref.ID})
		}
		r.set(ref, fresh(l))
		if id, full := d.ring(l.Session).add(ringItem{l.Stamp, ref.ID}); full {
			r.set(Ref{KindCall, id}, nil)
		}
	}
}
