package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// turnRow is the state of a turn with the contribution that it stands in.
type turnRow struct {
	*fact.Turn
	from *Contribution
}

// turnRows is all that is known of one turn: its copies in all sources.
type turnRows struct {
	rows   []turnRow
	ghosts []ghostRow
}

// turn is a turn as the view has it.
type turn struct {
	fact.Turn
	from  *Contribution // of the copy that gives the content
	parts [3]*Contribution
	end   fact.Stamp // where it closed, or opened where that is not known
}

// partsOf returns the parts that make entries: result, action, files.
func partsOf(t *fact.Turn) [3]*fact.Part { return [3]*fact.Part{&t.Result, &t.Action, &t.Files} }

// settle resolves copies and tombstones of a turn; nil where nothing is left
// of it. The least copy says where the turn belongs, the one that goes
// furthest says what happened in it.
func (k *turnRows) settle(g *Graves) *turn {
	if len(k.rows) == 1 && len(k.ghosts) == 0 {
		return settleOnly(k.rows[0], g)
	}
	rows := make([]turnRow, 0, len(k.rows))
	copies := make([]copyOf[fact.Turn], 0, len(k.rows)+len(k.ghosts))
	for _, row := range k.rows {
		left, gh := g.stripTurn(row.Turn)
		copies = append(copies, copyOf[fact.Turn]{row.Stamp, left, gh, row.ID, "", row.from})
		if left != nil {
			rows = append(rows, turnRow{left, row.from})
		}
	}
	for _, gh := range k.ghosts {
		copies = append(copies, copyOf[fact.Turn]{gh.Stamp, nil, gh.Ghost, gh.Record, "", gh.from})
	}
	if len(rows) == 0 {
		return nil
	}
	best := slices.MaxFunc(rows, compareExtent)
	t := &turn{Turn: *best.Turn, from: best.from}
	least := spokesmen(copies)[0]
	t.Stamp = least.Stamp
	if least.row != nil {
		t.Void = least.row.Void
	}
	for i, p := range partsOf(&t.Turn) {
		t.parts[i] = best.from
		t.originOf(i, p, rows)
	}
	if g.gone(t.Session, t.End) {
		return nil
	}
	t.judge(g, best.Session)
	return t
}

// settleOnly is settle for a turn without copies.
func settleOnly(row turnRow, g *Graves) *turn {
	left, _ := g.stripTurn(row.Turn)
	if left == nil {
		return nil
	}
	t := &turn{Turn: *left, from: row.from, parts: [3]*Contribution{row.from, row.from, row.from}}
	t.judge(g, t.Session)
	return t
}

// originOf gives a part the stamp of its record's least copy; a copy that was
// hidden hides it.
func (t *turn) originOf(i int, p *fact.Part, rows []turnRow) {
	if p.Record == "" {
		return
	}
	for _, row := range rows {
		q := partsOf(row.Turn)[i]
		if q.Record != p.Record || q.Key != "" && q.Key != p.Key {
			continue
		}
		n := compareCopies(q.Stamp, p.Stamp)
		if n < 0 || n == 0 && compareSources(row.from, t.parts[i]) < 0 {
			p.Stamp, t.parts[i] = q.Stamp, row.from
			if q.Key == "" {
				p.Key, p.Value = "", ""
			}
		}
	}
}

// judge takes away what tombstones hide now that it is known whose turn it
// is. The session that a copy calls its own is the turn's.
func (t *turn) judge(g *Graves, called string) {
	// Noted before the outcome may go: deleting it must not bring back what
	// its turn has ended.
	if t.end = t.Stamp; t.Result.Record != "" {
		t.end = t.Result.Stamp
	}
	for _, p := range partsOf(&t.Turn) {
		session := p.Session
		if session == called {
			session = t.Session
		}
		if p.Key == "" || p.Value == "" || g.gone(session, p.Time) || p.Time <= g.buried(p.Key) {
			*p = fact.Part{}
		}
	}
	if g.gone(t.Session, t.Time) {
		t.Prompt = ""
	}
}

// compareExtent orders copies of a turn by how far they go.
func compareExtent(a, b turnRow) int {
	return cmp.Or(
		rank(a.Closed)-rank(b.Closed),
		cmp.Compare(a.End, b.End),
		strings.Compare(a.Result.Record, b.Result.Record),
		-compareCopies(a.Stamp, b.Stamp),
		-compareSources(a.from, b.from),
	)
}

// compareTurns is the order of the turns in a view.
func compareTurns(a, b *fact.Turn) int {
	if n := cmp.Compare(a.Time, b.Time); n != 0 {
		return n // nearly always
	}
	return cmp.Or(
		strings.Compare(a.Session, b.Session),
		cmp.Compare(a.Ordinal, b.Ordinal),
		a.Stamp.Compare(b.Stamp),
		strings.Compare(a.ID, b.ID),
		strings.Compare(a.Agent, b.Agent),
	)
}

// shown reports whether the turn is one of the view's.
func (t *turn) shown() bool { return !t.Void && !t.Sub }

// candidates returns what a turn says of keys. Of a sub-agent's only the files
// count.
func (t *turn) candidates() []*candidate {
	if t.Void {
		return nil
	}
	var out []*candidate
	if !t.Sub && t.Closed && t.Result.Key != "" {
		out = append(out, t.part(0, fact.RowOutcome, t.Result.Key, fact.Result))
	}
	if !t.Sub && t.Action.Value != "" {
		out = append(out, t.part(1, fact.RowAction, keyAction, fact.Action))
	}
	if t.Files.Value != "" {
		out = append(out, t.part(2, fact.RowFiles, keyFiles, fact.FileType))
	}
	return out
}

func (t *turn) part(i int, row fact.Row, key string, typ fact.Type) *candidate {
	p := partsOf(&t.Turn)[i]
	c := &candidate{
		Stamp: p.Stamp, from: t.parts[i], record: p.Record, agent: t.Agent, role: "assistant", row: row,
		key: p.Key, value: p.Value, typ: cmp.Or(p.Type, typ), turn: t.ID, up: t.Parents,
	}
	c.key = cmp.Or(c.key, key)
	return c
}

// openTurn returns what the last turn of a session says of progress:turn, nil
// where it is closed.
func (t *turn) openTurn() *candidate {
	if t.Closed || t.Open == "" {
		return nil
	}
	c := &candidate{
		Stamp: t.Stamp, from: t.from, record: t.ID, agent: t.Agent, role: "assistant", row: fact.RowOpenTurn,
		key: keyOpenTurn, value: t.Open, typ: fact.Progress, turn: t.ID,
	}
	c.Time = t.End
	return c
}
