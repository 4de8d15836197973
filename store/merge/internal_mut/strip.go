package merge

import (
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// The strip functions give what tombstones leave of a row: the row itself
// where they do not touch it, a changed copy without the hidden text, or nil,
// with ghosts in its place. What they say depends on nothing but the row and
// the tombstones, so it is all the same when they are asked.

func (g *Graves) stripWrite(w *fact.Write) (*fact.Write, *Ghost) {
	if g == nil {
		return w, nil
	}
	if g.hides(w.Stamp, w.Key) {
		return nil, ghostOfWrite(w)
	}
	if parents, changed := g.stripParents(w.Parents, w.Time); changed {
		c := *w
		c.Parents = parents
		return &c, nil
	}
	return w, nil
}

func ghostOfWrite(w *fact.Write) *Ghost {
	gh := &Ghost{
		Stamp: w.Stamp, Kind: KindWrite, Record: w.Record, Key: KeyHash("", w.Key),
		Row: w.Row, Type: w.Type, Group: groupOf(w.Type, w.Key),
	}
	if byContent(w.Row) {
		gh.Content = ContentHash(w.Value)
	}
	return gh
}

// stripParents drops the candidates that can count no more: a deleted key
// lives again only with a later event, and no edge leads to a later entry.
func (g *Graves) stripParents(parents []string, time int64) ([]string, bool) {
	if len(g.keys) == 0 {
		return parents, false
	}
	dead := func(key string) bool { return time <= g.buriedHash(g.hash(key)) }
	if !slices.ContainsFunc(parents, dead) {
		return parents, false
	}
	return slices.DeleteFunc(slices.Clone(parents), dead), true
}

func (g *Graves) stripTurn(t *fact.Turn) (*fact.Turn, *Ghost) {
	if g == nil {
		return t, nil
	}
	if g.gone(t.Session, t.End) {
		return nil, &Ghost{Stamp: t.Stamp, Kind: KindTurn, Record: t.ID, Row: fact.RowOpenTurn}
	}
	c := *t
	changed := false
	for _, p := range []*fact.Part{&c.Result, &c.Action, &c.Files} {
		if p.Key != "" && g.hides(p.Stamp, p.Key) {
			*p = fact.Part{Stamp: p.Stamp, Record: p.Record}
			changed = true
		}
	}
	if c.Prompt != "" && (g.gone(c.Session, c.Time) || c.Time <= g.buried(c.Prompt)) {
		c.Prompt, changed = "", true
	}
	if c.Open != "" && c.End <= g.buried(keyOpenTurn) {
		c.Open, changed = "", true
	}
	var parents bool
	c.Parents, parents = g.stripParents(c.Parents, c.End)
	if changed || parents {
		return &c, nil
	}
	return t, nil
}

// stripRun hides failures only. A success loses the words that name it; what
// it has resolved stays resolved.
func (g *Graves) stripRun(r *fact.Run) (*fact.Run, *Ghost) {
	if g == nil {
		return r, nil
	}
	if !r.Failed {
		if r.Label != "" && g.hides(r.Stamp, r.Key) {
			c := *r
			c.Label = ""
			return &c, nil
		}
		return r, nil
	}
	if g.hides(r.Stamp, r.Key) {
		return nil, &Ghost{
			Stamp: r.Stamp, Kind: KindRun, Record: r.Record, Key: KeyHash("", r.Key), Row: fact.RowFailure, Slot: r.Subject,
		}
	}
	if parents, changed := g.stripParents(r.Parents, r.Time); changed {
		c := *r
		c.Parents = parents
		return &c, nil
	}
	return r, nil
}

func (g *Graves) stripTask(t *fact.TaskItem) (*fact.TaskItem, *Ghost) {
	if g == nil {
		return t, nil
	}
	key := taskKey(t)
	if g.hides(t.Stamp, key) {
		return nil, &Ghost{
			Stamp: t.Stamp, Kind: KindTask, Record: t.Record, Key: KeyHash("", key), Row: fact.RowTask,
			Group: slugHash(t.Slug), Slot: taskSlot(t),
		}
	}
	if parents, changed := g.stripParents(t.Parents, t.Time); changed {
		c := *t
		c.Parents = parents
		return &c, nil
	}
	return t, nil
}

func taskSlot(t *fact.TaskItem) string { return t.Session + "\x00" + slugHash(t.Slug) }

func slugHash(slug string) string { return hash("slug\x00" + slug) }

func (g *Graves) stripList(l *fact.TaskList) *fact.TaskList {
	if g == nil {
		return l
	}
	if g.gone(l.Session, l.Time) {
		return nil
	}
	if len(g.keys) == 0 {
		return l
	}
	dead := func(slug string) bool { return l.Time <= g.buriedHash(g.hash("progress:"+slug)) }
	if !slices.ContainsFunc(l.Slugs, dead) {
		return l
	}
	c := *l
	c.Slugs = slices.DeleteFunc(slices.Clone(l.Slugs), dead)
	return &c
}

// stripCompaction hides sections one by one; nil where all of it is hidden.
func (g *Graves) stripCompaction(p *fact.Compaction) (*fact.Compaction, []*Ghost) {
	if g == nil {
		return p, nil
	}
	if g.gone(p.Session, p.Time) {
		return nil, traces(p)
	}
	c := *p
	c.Sections = nil
	var ghosts []*Ghost
	for i := range p.Sections {
		if s := &p.Sections[i]; g.hides(p.Stamp, s.Key) {
			ghosts = append(ghosts, ghostOfSection(p, s))
		} else {
			c.Sections = append(c.Sections, *s)
		}
	}
	hidden := p.Checkpoint != "" && g.hides(p.Stamp, keyCheckpoint)
	if hidden {
		c.Checkpoint = ""
	}
	var parents bool
	c.Parents, parents = g.stripParents(p.Parents, p.Time)
	if hidden || parents || len(ghosts) > 0 {
		return &c, ghosts
	}
	return p, nil
}

// traces are what stays of a compaction that is hidden or was replaced by a
// newer one of its session: that it was there, and what its sections said.
func traces(p *fact.Compaction) []*Ghost {
	out := []*Ghost{{
		Stamp: p.Stamp, Kind: KindCompaction, Record: p.Record, Key: KeyHash("", keyCheckpoint), Row: fact.RowCheckpoint,
	}}
	for i := range p.Sections {
		out = append(out, ghostOfSection(p, &p.Sections[i]))
	}
	return out
}

func ghostOfSection(p *fact.Compaction, s *fact.Section) *Ghost {
	return &Ghost{
		Stamp: p.Stamp, Kind: KindSection, Record: p.Record, Key: KeyHash("", s.Key), Content: ContentHash(s.Value),
		Row: fact.RowSection, Type: s.Type,
	}
}

func (g *Graves) hidesCall(l *fact.Call) bool {
	return g != nil && (g.gone(l.Session, l.Time) || l.Key != "" && l.Time <= g.buried(l.Key))
}

func (g *Graves) stripSession(s *fact.Session) *fact.Session {
	if g == nil {
		return s
	}
	if g.gone(s.ID, s.UpdatedAt) {
		return nil
	}
	if s.Title != "" && s.StartedAt <= floor(g.sessions, s.ID) {
		c := *s
		c.Title = ""
		return &c
	}
	return s
}
