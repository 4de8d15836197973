package merge

import "github.com/kmemd/kmemd/store/fact"

// Erase removes the text of all rows that the tombstones hide, and leaves
// ghosts in their place. The view that Build gives with these tombstones is
// the same before and after, and stays so whatever is accumulated later.
//
// Rows that are hidden only because another session's words were deleted keep
// their text: a record read later may show that they are rightly there.
func (c *Contribution) Erase(g *Graves) Changes {
	if g == nil {
		return Changes{}
	}
	r := recorder{c: c, had: map[Ref]bool{}}
	for _, kind := range kinds {
		if kind == KindGhost {
			continue
		}
		for _, id := range c.ids(kind) {
			r.strip(g, Ref{kind, id})
		}
	}
	return r.changes()
}

// erase strips the rows that were touched.
func (r *recorder) erase(g *Graves, refs []Ref) {
	for _, ref := range refs {
		r.strip(g, ref)
	}
}

// strip replaces one row by what the tombstones leave of it.
func (r *recorder) strip(g *Graves, ref Ref) {
	switch v := r.c.get(ref).(type) {
	case *fact.Write:
		left, ghost := g.stripWrite(v)
		if ghost != nil {
			r.c.derived = nil // places of rows move to ghosts
		}
		replace(r, ref, v, left, ghost)
	case *fact.Turn:
		left, ghost := g.stripTurn(v)
		replace(r, ref, v, left, ghost)
	case *fact.Run:
		left, ghost := g.stripRun(v)
		replace(r, ref, v, left, ghost)
	case *fact.TaskItem:
		left, ghost := g.stripTask(v)
		replace(r, ref, v, left, ghost)
	case *fact.TaskList:
		replace(r, ref, v, g.stripList(v))
	case *fact.Compaction:
		left, ghosts := g.stripCompaction(v)
		replace(r, ref, v, left, ghosts...)
	case *fact.Call:
		if g.hidesCall(v) {
			r.c.derived = nil
			r.set(ref, nil)
		}
	case *fact.File:
		if g.gone(v.Session, v.Time) {
			r.set(ref, nil)
		}
	case *fact.Session:
		replace(r, ref, v, g.stripSession(v))
	}
}

func replace[T any](r *recorder, ref Ref, was, left *T, ghosts ...*Ghost) {
	if left == was {
		return
	}
	if left == nil {
		r.set(ref, nil)
	} else {
		r.set(ref, left)
	}
	for _, gh := range ghosts {
		if gh != nil {
			r.ghosts([]*Ghost{gh})
		}
	}
}
