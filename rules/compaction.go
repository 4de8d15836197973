package rules

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// compacted keeps what a compaction says. Where the agent writes no readable
// summary the checkpoint is made from what the session itself has shown.
func (x *Extractor) compacted(s *session, ev *event.Event) {
	if s.Info.Sub {
		return
	}
	text := strings.TrimSpace(x.clean(ev.Text))
	row := fact.Compaction{Stamp: x.stamp(s), Record: ev.Record, Agent: x.src.Agent, Parents: s.parents(fact.Status)}
	x.env.Role, x.env.Text = "summary", text
	if text != "" {
		for _, c := range x.run.run(OnSummary, &x.env) {
			if c.rule.Row != fact.RowSection {
				x.write(s, ev, c, "summary", "", s.parents(c.typ))
				continue
			}
			row.Sections = append(row.Sections, fact.Section{Key: c.key, Value: c.value, Type: c.typ, Progress: c.typ == fact.Progress})
		}
	} else {
		x.env.Text = x.ownSummary(s)
	}
	for _, c := range x.run.run(OnCompact, &x.env) {
		if c.rule.Row == fact.RowCheckpoint {
			row.Checkpoint = c.value
			continue
		}
		x.write(s, ev, c, "summary", "", s.parents(c.typ))
	}
	d := x.delta(s.Dir)
	d.Compactions = append(d.Compactions, row)
}

// goalLimit is how much of the session's own prompts a checkpoint shows, in
// bytes.
const goalLimit = 400

// itemLimit is how much of one prompt, task, decision or outcome it shows.
const itemLimit = 200

// newest gives the newest of the lines, in their order, that together fit into
// limit bytes.
func newest(lines []string, limit int) []string {
	from := len(lines)
	for from > 0 {
		if limit -= min(len(lines[from-1]), itemLimit) + len("; "); limit < 0 && from < len(lines) {
			break
		}
		from--
	}
	return lines[from:]
}

// ownSummary states the session's prompts, open tasks, decisions and last
// outcome under the headings of a summary.
func (x *Extractor) ownSummary(s *session) string {
	var pending []string
	for _, t := range s.Tasks {
		if t.Listed && (t.Status == statusActive || t.Status == statusPending) {
			pending = append(pending, t.Status+": "+t.Text)
		}
	}
	outcome := s.Outcome
	if t := s.Turn; t != nil {
		x.settleOutcome(t)
		if t.Result.Value != "" {
			outcome = t.Result.Value
		}
	}
	var b strings.Builder
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"Pending Tasks", pending},
		{"Current Work", []string{outcome}},
		{"Goal", newest(s.Prompts, goalLimit)},
		{"Key Decisions", s.Decisions},
	} {
		wrote := false
		for _, line := range part.lines {
			if line = lang.OneLine(lang.Clip(line, itemLimit)); line == "" {
				continue
			}
			if !wrote {
				b.WriteString("## " + part.title + "\n")
				wrote = true
			}
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}
