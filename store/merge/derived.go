package merge

import (
	"cmp"
	"math"
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// derived is what accumulating needs to know of the rows of a contribution
// beyond their identity.
type derived struct {
	ghosts  bool           // there are ghosts of writes: keys are told by their hashes
	singles map[string]Ref // of keys of which only the newest write counts, by name
	groups  map[string]*group
	rings   map[string]*ring // calls by session
}

// name is how keys are told apart within the contribution.
func (d *derived) name(w *fact.Write) string {
	if d.ghosts {
		return KeyHash("", w.Key)
	}
	return w.Key
}

func derive(c *Contribution, caps Caps) *derived {
	d := &derived{singles: map[string]Ref{}, groups: map[string]*group{}, rings: map[string]*ring{}}
	for id, gh := range c.ghosts {
		if gh.Kind != KindWrite {
			continue
		}
		d.ghosts = true
		ref := Ref{KindGhost, id}
		if single(gh.Row) {
			d.singles[gh.Key] = ref
		}
		d.group(gh.Group, caps).load(item{gh.Time, gh.Key, ref})
	}
	for id, w := range c.writes {
		ref, name := Ref{KindWrite, id}, d.name(w)
		if single(w.Row) {
			d.singles[name] = ref
		}
		d.group(groupOf(w.Type, w.Key), caps).load(item{w.Time, name, ref})
	}
	for _, g := range d.groups {
		slices.SortFunc(g.items, func(a, b item) int { return cmp.Compare(a.time, b.time) })
	}
	for id, l := range c.calls {
		r := d.ring(l.Session)
		r.items = append(r.items, ringItem{l.Stamp, id})
	}
	for _, r := range d.rings {
		slices.SortFunc(r.items, ringItem.compare)
	}
	return d
}

// group returns the group of that name; nil where no cap holds.
func (d *derived) group(name string, caps Caps) *group {
	limit := caps.limit(name)
	if limit == 0 {
		return nil
	}
	g := d.groups[name]
	if g == nil {
		g = &group{limit: limit, places: map[string]int64{}}
		d.groups[name] = g
	}
	return g
}

func (d *derived) ring(session string) *ring {
	r := d.rings[session]
	if r == nil {
		r = &ring{}
		d.rings[session] = r
	}
	return r
}

// group is one cap group of a contribution: the writes, and the places that
// their keys take. It decides by time alone and keeps all that are equal at
// the edge, since ghosts no longer know their keys; the view decides between
// those.
type group struct {
	limit  int
	items  []item           // oldest first
	places map[string]int64 // newest time of each key, by name
	full   bool             // edge is known
	edge   int64            // time of the last place that the limit leaves
}

type item struct {
	time int64
	name string
	ref  Ref
}

// load adds an item without regard to order.
func (g *group) load(it item) {
	if g == nil {
		return
	}
	g.items = append(g.items, it)
	g.place(it)
}

func (g *group) place(it item) {
	if t, ok := g.places[it.name]; !ok || it.time > t {
		g.places[it.name] = it.time
	}
}

// add takes an item in and returns those that are pushed out, which may be
// the item itself.
func (g *group) add(it item) []item {
	if g == nil {
		return nil
	}
	at := len(g.items)
	for at > 0 && g.items[at-1].time > it.time {
		at--
	}
	g.items = slices.Insert(g.items, at, it)
	g.place(it)
	// One more at the edge moves nothing: without this, files whose records
	// bear no times would make each step as long as the file.
	if len(g.places) < g.limit || g.full && it.time == g.edge {
		return nil
	}
	g.measure()
	n := 0
	for n < len(g.items) && g.items[n].time < g.edge {
		n++
	}
	if n == 0 {
		return nil
	}
	out := g.items[:n:n]
	g.items = g.items[n:]
	for name, t := range g.places {
		if t < g.edge {
			delete(g.places, name)
		}
	}
	return out
}

// measure finds the edge. Files are read in the order of time, so there is
// mostly one place too many, if any.
func (g *group) measure() {
	g.full = true
	if over := len(g.places) - g.limit; over <= 1 {
		least, second := int64(math.MaxInt64), int64(math.MaxInt64)
		for _, t := range g.places {
			if t < least {
				least, second = t, least
			} else {
				second = min(second, t)
			}
		}
		if g.edge = least; over == 1 {
			g.edge = second
		}
		return
	}
	times := make([]int64, 0, len(g.places))
	for _, t := range g.places {
		times = append(times, t)
	}
	slices.SortFunc(times, func(a, b int64) int { return cmp.Compare(b, a) })
	g.edge = times[g.limit-1]
}

// remove takes an item out again.
func (g *group) remove(ref Ref) {
	if g == nil {
		return
	}
	at := slices.IndexFunc(g.items, func(it item) bool { return it.ref == ref })
	if at < 0 {
		return
	}
	name := g.items[at].name
	g.items = slices.Delete(g.items, at, at+1)
	g.full = false
	delete(g.places, name)
	for _, it := range g.items {
		if it.name == name {
			g.place(it)
		}
	}
}

// ring is the newest calls of one session, oldest first.
type ring struct{ items []ringItem }

type ringItem struct {
	fact.Stamp
	id string
}

func (a ringItem) compare(b ringItem) int {
	return cmp.Or(a.Stamp.Compare(b.Stamp), cmp.Compare(a.id, b.id))
}

// add takes a call in and returns the id of the one that is pushed out.
func (r *ring) add(it ringItem) (id string, full bool) {
	at, _ := slices.BinarySearchFunc(r.items, it, ringItem.compare)
	r.items = slices.Insert(r.items, at, it)
	if len(r.items) <= ringSize {
		return "", false
	}
	id = r.items[0].id
	r.items = r.items[1:]
	return id, true
}

func (r *ring) remove(it ringItem) {
	if at, ok := slices.BinarySearchFunc(r.items, it, ringItem.compare); ok {
		r.items = slices.Delete(r.items, at, at+1)
	}
}
