package agents

import (
	"slices"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

const maxTasks = 200

// claudeTask is what a TaskCreate or TaskUpdate call says.
type claudeTask struct {
	ID      string `json:"i,omitempty"`
	Subject string `json:"s,omitempty"`
	Status  string `json:"t,omitempty"`
}

func readTask(input scan.Value) *claudeTask {
	id := input.Get("taskId")
	t := &claudeTask{
		ID:      strings.TrimSpace(id.Text(64)),
		Subject: trimmedText(input, "subject", 1<<10),
		Status:  trimmedText(input, "status", 64),
	}
	if id.Kind() == scan.Number {
		t.ID = string(id.Raw())
	}
	return t
}

// readTodos reads the whole list that TodoWrite sets.
func readTodos(list scan.Value) []event.Task {
	tasks := []event.Task{}
	list.Elements(func(_ int, item scan.Value) bool {
		if text := trimmedText(item, "content", 1<<10); text != "" {
			tasks = append(tasks, event.Task{ID: item.Get("id").Text(64), Text: text, Status: item.Get("status").Text(64)})
		}
		return len(tasks) < maxTasks
	})
	return tasks
}

func (d *claudeDecoder) tasksChanged(suffix string) {
	e := d.event(event.TasksChanged, suffix)
	e.Tasks = slices.Clone(d.state.Tasks)
	d.emit(e)
}

// taskAnswer applies one change to the list and reports the whole of it.
func (d *claudeDecoder) taskAnswer(c *claudeCall, text string, o *claudeOutcome, suffix string) {
	before := slices.Clone(d.state.Tasks)
	switch c.Tool {
	case "TodoWrite":
		d.state.Tasks = c.Todos
	case "TaskCreate":
		id := o.task.Get("id").Text(64)
		if id == "" {
			id, _, _ = strings.Cut(strings.TrimPrefix(text, "Task #"), " ")
		}
		if c.Task != nil && c.Task.Subject != "" {
			d.setTask(headOf(id, 64), c.Task.Subject, "pending")
		}
	case "TaskUpdate":
		if c.Task != nil && c.Task.ID != "" && !o.success.IsFalse() {
			d.setTask(c.Task.ID, c.Task.Subject, c.Task.Status)
		}
	case "TaskList":
		d.listTasks(o.tasks)
	}
	if c.Tool == "TodoWrite" || !slices.Equal(before, d.state.Tasks) {
		d.tasksChanged(suffix)
	}
}

// setTask creates, changes or deletes one task; empty values change nothing.
func (d *claudeDecoder) setTask(id, subject, status string) {
	i := slices.IndexFunc(d.state.Tasks, func(t event.Task) bool { return t.ID == id })
	switch {
	case status == "deleted":
		if i >= 0 {
			d.state.Tasks = slices.Delete(d.state.Tasks, i, i+1)
		}
	case i >= 0:
		if subject != "" {
			d.state.Tasks[i].Text = subject
		}
		if status != "" {
			d.state.Tasks[i].Status = status
		}
	case subject != "" && len(d.state.Tasks) < maxTasks:
		d.state.Tasks = append(d.state.Tasks, event.Task{ID: id, Text: subject, Status: status})
	}
}

// listTasks takes over the list that the program itself shows.
func (d *claudeDecoder) listTasks(list scan.Value) {
	if list.Kind() != scan.Array {
		return
	}
	d.state.Tasks = nil
	list.Elements(func(_ int, t scan.Value) bool {
		d.setTask(t.Get("id").Text(64), trimmedText(t, "subject", 1<<10), t.Get("status").Text(64))
		return true
	})
}
