package rules

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// The statuses of tasks, whatever the agent calls them.
const (
	statusPending   = "pending"
	statusActive    = "in_progress"
	statusDone      = "completed"
	statusCancelled = "cancelled"
)

// statusOf normalises what an agent calls the status of a task.
func statusOf(s string) string {
	switch strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(s)) {
	case "completed", "complete", "done", "closed", "finished":
		return statusDone
	case "in_progress", "inprogress", "active", "doing", "started":
		return statusActive
	case "cancelled", "canceled", "deleted", "removed", "skipped", "abandoned", "wontfix":
		return statusCancelled
	}
	return statusPending
}

// tasks takes the agent's whole list: what changed on it, and what stands on it.
func (x *Extractor) tasks(s *session, ev *event.Event) {
	if s.Info.Sub {
		return
	}
	d := x.delta(s.Dir)
	var slugs []string
	for i := range s.Tasks {
		s.Tasks[i].Listed = false
	}
	for _, item := range ev.Tasks {
		text := lang.OneLine(x.clean(item.Text))
		if text == "" {
			continue
		}
		x.env.Text, x.env.Status, x.env.Role = text, statusOf(item.Status), "assistant"
		for _, c := range x.run.run(OnTask, &x.env) {
			if c.rule.Row != fact.RowTask {
				x.write(s, ev, c, "assistant", "", s.parents(c.typ))
				continue
			}
			slugs = append(slugs, c.key)
			if known := s.task(c.key, c.value); known.Status != x.env.Status {
				known.Status = x.env.Status
				known.Rounds++
				x.taskRow(s, ev, d, item, known)
			}
		}
	}
	d.Lists = append(d.Lists, fact.TaskList{Stamp: x.stamp(s), Record: ev.Record, Slugs: slugs})
}

// task returns the state of the item with this slug, new where there is none.
func (s *session) task(slug, text string) *task {
	for i := range s.Tasks {
		if s.Tasks[i].Slug == slug {
			s.Tasks[i].Listed = true
			return &s.Tasks[i]
		}
	}
	s.Tasks = push(s.Tasks, task{Slug: slug, Text: text, Listed: true}, maxTasks)
	return &s.Tasks[len(s.Tasks)-1]
}

func (x *Extractor) taskRow(s *session, ev *event.Event, d *fact.Delta, item event.Task, t *task) {
	typ := fact.Progress
	if t.Status == statusDone || t.Status == statusCancelled {
		typ = fact.Result
	}
	row := fact.TaskItem{
		Stamp: x.stamp(s), Record: ev.Record, Agent: x.src.Agent, Slug: t.Slug, ID: item.ID, Text: t.Text,
		Status: t.Status, Note: lang.Clip(lang.OneLine(x.clean(item.Note)), ringLimit), Rounds: t.Rounds, Parents: s.parents(typ),
	}
	if s.Turn != nil {
		row.Turn = s.Turn.Row.ID
	}
	d.Tasks = append(d.Tasks, row)
}
