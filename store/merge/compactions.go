package merge

import (
	"cmp"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// compactionRow is a compaction with the contribution that it stands in.
type compactionRow struct {
	*fact.Compaction
	from *Contribution
}

// summary is the newest compaction of a session.
type summary struct {
	*fact.Compaction
	from *Contribution
}

// summariesOf resolves copies and tombstones and returns the newest compaction
// of each session.
func summariesOf(rows []compactionRow, ghosts []ghostRow, g *Graves) map[string]summary {
	copies := make([]copyOf[fact.Compaction], 0, len(rows)+len(ghosts))
	for _, row := range rows {
		left, _ := g.stripCompaction(row.Compaction)
		copies = append(copies, copyOf[fact.Compaction]{row.Stamp, left, nil, row.Record, "", row.from})
	}
	for _, gh := range ghosts {
		if gh.Kind == KindCompaction {
			copies = append(copies, copyOf[fact.Compaction]{gh.Stamp, nil, gh.Ghost, gh.Record, "", gh.from})
		}
	}
	out := map[string]summary{}
	for _, c := range spokesmen(copies) {
		if c.row == nil {
			continue
		}
		old, ok := out[c.Session]
		if !ok || cmp.Or(
			c.Stamp.Compare(old.Stamp), strings.Compare(c.record, old.Record), compareSources(c.from, old.from),
		) > 0 {
			out[c.Session] = summary{c.row, c.from}
		}
	}
	return out
}

// candidates returns what a session's newest compaction says of keys. closed
// is where the session's newest closed turn ended, nil without one.
func (s summary) candidates(closed *fact.Stamp, said *statements) []*candidate {
	p := s.Compaction
	base := candidate{Stamp: p.Stamp, from: s.from, record: p.Record, agent: p.Agent, role: "summary"}
	var out []*candidate
	if p.Checkpoint != "" {
		c := base
		c.row, c.key, c.value, c.typ, c.up = fact.RowCheckpoint, keyCheckpoint, p.Checkpoint, fact.Status, p.Parents
		out = append(out, &c)
	}
	over := closed != nil && closed.Compare(p.Stamp) > 0
	up := append([]string{keyCheckpoint}, p.Parents...)
	for i := range p.Sections {
		sec := &p.Sections[i]
		if said.hides(fact.RowSection, sec.Key, sec.Value, p.Session) {
			continue
		}
		c := base
		c.row, c.key, c.value, c.typ, c.up = fact.RowSection, sec.Key, sec.Value, sec.Type, up
		c.withdrawn = sec.Progress && over
		out = append(out, &c)
	}
	return out
}
