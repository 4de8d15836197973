package agents

import "github.com/kmemd/kmemd/ingest/scan"

// claudeBlock is one block of a message's content.
type claudeBlock struct {
	kind, text, thinking scan.Value
	id, name, input      scan.Value // of a call
	call, content, err   scan.Value // of an answer
}

func (b *claudeBlock) read(v scan.Value) {
	v.Each(func(key []byte, val scan.Value) bool {
		switch string(key) {
		case "type":
			b.kind = val
		case "text":
			b.text = val
		case "thinking":
			b.thinking = val
		case "id":
			b.id = val
		case "name":
			b.name = val
		case "input":
			b.input = val
		case "tool_use_id":
			b.call = val
		case "content":
			b.content = val
		case "is_error":
			b.err = val
		}
		return true
	})
}

// claudeOutcome is the structured answer of a tool, where there is one.
type claudeOutcome struct {
	object                    bool
	value                     scan.Value
	background, async, agent  scan.Value
	interrupted, meaning      scan.Value
	kind, content, patch, git scan.Value
	plan, answers, notes      scan.Value
	task, tasks, success      scan.Value
	changed                   scan.Value // files that a shell command changed
}

func (o *claudeOutcome) read(v scan.Value) {
	o.value, o.object = v, v.Kind() == scan.Object
	v.Each(func(key []byte, val scan.Value) bool {
		switch string(key) {
		case "backgroundTaskId":
			o.background = val
		case "isAsync":
			o.async = val
		case "agentId":
			o.agent = val
		case "interrupted":
			o.interrupted = val
		case "returnCodeInterpretation":
			o.meaning = val
		case "type":
			o.kind = val
		case "content":
			o.content = val
		case "structuredPatch":
			o.patch = val
		case "gitOperation":
			o.git = val
		case "plan":
			o.plan = val
		case "answers":
			o.answers = val
		case "annotations":
			o.notes = val
		case "task":
			o.task = val
		case "tasks":
			o.tasks = val
		case "success":
			o.success = val
		case "bashEditDiff":
			o.changed = val
		}
		return true
	})
}
