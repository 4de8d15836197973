package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// taskRow is a task's status with the contribution that it stands in.
type taskRow struct {
	*fact.TaskItem
	from *Contribution
}

// tasks is what the sessions say of the agents' lists.
type tasks struct {
	items []fact.TaskItem // newest of each session and slug, newest first
	wins  []win           // newest of each slug
}

// win is the newest status of a slug over all sessions.
type win struct {
	*fact.TaskItem // nil: it was deleted, and older ones do not come back
	from           *Contribution
}

// tasksOf resolves copies, tombstones and sessions.
func tasksOf(rows []taskRow, ghosts []ghostRow, g *Graves) tasks {
	copies := make([]copyOf[fact.TaskItem], 0, len(rows)+len(ghosts))
	for _, row := range rows {
		left, gh := g.stripTask(row.TaskItem)
		copies = append(copies, copyOf[fact.TaskItem]{row.Stamp, left, gh, row.Record, slugName(row.Slug, len(ghosts) > 0 || g != nil), row.from})
	}
	for _, gh := range ghosts {
		copies = append(copies, copyOf[fact.TaskItem]{gh.Stamp, nil, gh.Ghost, gh.Record, gh.Group, gh.from})
	}
	newest := map[string]copyOf[fact.TaskItem]{}    // by slug
	latest := map[[2]string]copyOf[fact.TaskItem]{} // by session and slug
	for _, c := range spokesmen(copies) {
		if c.row == nil && g.gone(c.Session, c.Time) {
			continue // the session is forgotten: as if it had said nothing
		}
		if old, ok := newest[c.part]; !ok || newerTask(&c, &old) {
			newest[c.part] = c
		}
		if c.row == nil {
			continue
		}
		id := [2]string{c.Session, c.part}
		if old, ok := latest[id]; !ok || newerTask(&c, &old) {
			latest[id] = c
		}
	}
	var t tasks
	for _, c := range newest {
		if c.row != nil {
			t.wins = append(t.wins, win{c.row, c.from})
		}
	}
	for _, c := range latest {
		t.items = append(t.items, *c.row)
	}
	slices.SortFunc(t.items, func(a, b fact.TaskItem) int {
		return cmp.Or(b.Stamp.Compare(a.Stamp), strings.Compare(a.Slug, b.Slug), strings.Compare(a.Record, b.Record))
	})
	return t
}

// slugName tells slugs apart; ghosts know only their hashes.
func slugName(slug string, hashed bool) string {
	if hashed {
		return slugHash(slug)
	}
	return slug
}

func newerTask(a, b *copyOf[fact.TaskItem]) bool {
	return cmp.Or(
		a.Stamp.Compare(b.Stamp),
		strings.Compare(a.record, b.record),
		rank(a.row == nil)-rank(b.row == nil),
		compareSources(a.from, b.from),
	) > 0
}

// listRow is a session's list with the contribution that it stands in.
type listRow struct {
	*fact.TaskList
	from *Contribution
}

// lists is the newest list of each session.
type lists map[string]*fact.TaskList

func listsOf(rows []listRow, g *Graves) lists {
	out := lists{}
	for _, row := range rows {
		l := g.stripList(row.TaskList)
		if l == nil {
			continue
		}
		old := out[l.Session]
		if old == nil || cmp.Or(l.Stamp.Compare(old.Stamp), strings.Compare(l.Record, old.Record), slices.Compare(l.Slugs, old.Slugs)) > 0 {
			out[l.Session] = l
		}
	}
	return out
}

// dropped reports whether a task stands no more on its session's list.
func (l lists) dropped(t *fact.TaskItem) bool {
	list := l[t.Session]
	return list != nil && list.Stamp.Compare(t.Stamp) >= 0 && !slices.Contains(list.Slugs, t.Slug)
}

// candidate returns what the newest status of a slug says of its key.
func (w win) candidate(l lists, overtaken func(fact.Stamp) bool) *candidate {
	t := w.TaskItem
	c := &candidate{
		Stamp: t.Stamp, from: w.from, record: t.Record, agent: t.Agent, role: "assistant", row: fact.RowTask,
		key: taskKey(t), value: t.Status + ": " + t.Text, typ: fact.Result, turn: t.Turn, up: t.Parents, status: t.Status,
	}
	if taskOpen(t) {
		c.typ, c.task = fact.Progress, true
		c.withdrawn = l.dropped(t) || overtaken(t.Stamp)
	}
	return c
}
