package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// job is the id of work that goes on in the background: what was
// answered is that it started, not how it ended.
func (o *claudeOutcome) job() string {
	if id := o.background.Text(128); id != "" {
		return id
	}
	if o.async.True() {
		return o.agent.Text(128)
	}
	return ""
}

// jobTools fetch the output of background work.
var jobTools = map[string]bool{"BashOutput": true, "TaskOutput": true, "AgentOutput": true, "TaskList": true}

// jobOutput looks at the output of background work that the agent fetched: it
// is the answer to the call that started it once the work has ended.
func (d *claudeDecoder) jobOutput(o *claudeOutcome) {
	task := o.value
	if o.task.Kind() == scan.Object {
		task = o.task
	}
	id := ""
	for _, key := range []string{"shellId", "task_id", "agentId"} {
		if id = task.Get(key).Text(128); id != "" {
			break
		}
	}
	text := ""
	for _, key := range []string{"output", "result", "stdout", "stderr"} {
		if part := strings.TrimSpace(resultText(task.Get(key), MaxText)); part != "" {
			if text != "" {
				text += "\n"
			}
			text += part
		}
	}
	var exit *int
	if code, ok := task.Get("exitCode").Int(); ok {
		n := int(code)
		exit = &n
	}
	d.jobEnded(id, "", task.Get("status").Text(64), text, exit)
}

// notification looks for the end of background work in a notice to the agent.
func (d *claudeDecoder) notification(notice string) {
	notice = strings.TrimSpace(notice)
	if !strings.HasPrefix(notice, "<task-notification") {
		return
	}
	id, _ := between(notice, "task-id")
	call, _ := between(notice, "tool-use-id")
	status, _ := between(notice, "status")
	text, ok := between(notice, "result")
	if !ok {
		text, _ = between(notice, "summary")
	}
	d.jobEnded(strings.TrimSpace(id), strings.TrimSpace(call), strings.TrimSpace(status), headOf(strings.TrimSpace(text), MaxText), exitCode(text))
}

// exitCode reads "(exit code 1)" or "exit code 1" in a notice.
func exitCode(text string) *int {
	_, rest, ok := strings.Cut(text, "exit code ")
	if !ok {
		return nil
	}
	end := 0
	for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
		end++
	}
	code, err := strconv.Atoi(rest[:end])
	if err != nil {
		return nil
	}
	return &code
}

// jobEnded answers the call that started a job, found by the job's id or the
// call's own, once it has ended.
func (d *claudeDecoder) jobEnded(job, call, status, text string, exit *int) {
	failed := false
	switch status {
	case "completed", "success":
	case "failed", "error":
		failed = true
	case "killed", "stopped", "cancelled":
	default:
		return
	}
	id := d.jobCall(job, call)
	if id == "" {
		return
	}
	c := d.state.Calls[id]
	delete(d.state.Calls, id)
	e := d.answer(id, c, "#job")
	e.Text = text
	e.Result.Failed = failed || exit != nil && *exit != 0
	e.Result.Exit = exit
	if status != "completed" && status != "success" && !failed {
		e.Result.Failed, e.Result.Why = true, event.Cancelled
	}
	d.emit(e)
}

// jobCall is the id of the call that started a job, "" if none waits.
func (d *claudeDecoder) jobCall(job, call string) string {
	if c := d.state.Calls[call]; c != nil && c.Job != "" {
		return call
	}
	found := ""
	for id, c := range d.state.Calls {
		if job != "" && c.Job == job && (found == "" || id < found) {
			found = id
		}
	}
	return found
}
