package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// codexPlan reads the whole list of an update_plan.
func codexPlan(args scan.Value) []event.Task {
	var tasks []event.Task
	args.Get("plan").Elements(func(_ int, step scan.Value) bool {
		if text := strings.TrimSpace(step.Get("step").Text(2000)); text != "" {
			tasks = append(tasks, event.Task{Text: text, Status: step.Get("status").Text(40)})
		}
		return len(tasks) < 200
	})
	return tasks
}

func (d *codexDecoder) plan(base string, tasks []event.Task) {
	if len(tasks) > 0 {
		d.emit(event.Event{Kind: event.TasksChanged, Record: base + "/tasks", Tasks: tasks})
	}
}

// ask reports the questions of a request_user_input.
func (d *codexDecoder) ask(c *codexCall, args scan.Value) {
	args.Get("questions").Elements(func(i int, q scan.Value) bool {
		ask := codexAsk{ID: q.Get("id").Text(100), Text: strings.TrimSpace(q.Get("question").Text(2000))}
		if ask.Text != "" {
			c.Ask = append(c.Ask, ask)
			d.emit(event.Event{
				Kind: event.Asked, Record: c.Base + "/ask" + strconv.Itoa(i), Call: c.ID, Question: ask.Text, Text: ask.Text,
			})
		}
		return len(c.Ask) < 10
	})
}

// answered reports what the user chose or wrote.
func (d *codexDecoder) answered(c codexCall, text string) {
	answers := scanText(text).Get("answers")
	for i, ask := range c.Ask {
		var words []string
		answers.Path(ask.ID, "answers").Elements(func(_ int, v scan.Value) bool {
			if word := strings.TrimSpace(strings.TrimPrefix(v.Text(4000), "user_note: ")); word != "" {
				words = append(words, word)
			}
			return len(words) < 20
		})
		if len(words) > 0 {
			answer := strings.Join(words, ", ")
			d.emit(event.Event{
				Kind: event.Answered, Record: c.Base + "/answer" + strconv.Itoa(i), Call: c.ID,
				Question: ask.Text, Answer: answer, Text: answer,
			})
		}
	}
	d.answer(c, "", event.Result{}, nil)
}

// spawned notes which sub-agent a call started; its answer comes later.
func (c *codexCall) spawned(text string) bool {
	v := scanText(text)
	for _, key := range []string{"agent_id", "agent_path", "task_name", "thread_id", "id"} {
		if id := v.Get(key).Text(codexIDLimit); id != "" {
			c.Agent = id
			return true
		}
	}
	return false
}

// notified reads the notice that a sub-agent has ended.
func (d *codexDecoder) notified(text string) {
	v := scanText(strings.TrimSpace(text))
	id := v.Get("agent_id").Text(codexIDLimit)
	if id == "" {
		id = v.Get("agent_path").Text(codexIDLimit)
	}
	d.agentDone(id, v.Get("status"))
}

// agentsDone reads the states of sub-agents that a wait returned, by their ids.
func (d *codexDecoder) agentsDone(states scan.Value) {
	states.Each(func(key []byte, state scan.Value) bool {
		d.agentDone(string(key), state)
		return true
	})
}

func (d *codexDecoder) agentDone(id string, state scan.Value) {
	if text := state.Get("completed"); text.Kind() == scan.String {
		d.agentAnswer(id, resultText(text, MaxText), false)
	} else if text := state.Get("errored"); text.Kind() == scan.String {
		d.agentAnswer(id, resultText(text, MaxText), true)
	}
}

// agentAnswer ends the call that started a sub-agent.
func (d *codexDecoder) agentAnswer(id, text string, failed bool) {
	if id == "" {
		return
	}
	c := d.s.findBy(func(c *codexCall) bool {
		return c.Agent != "" && (c.Agent == id || strings.HasSuffix(id, "/"+c.Agent) || strings.HasSuffix(c.Agent, "/"+id))
	})
	if c != nil {
		d.answer(*c, text, event.Result{Failed: failed}, nil)
	}
}

// fromAgent reads a message between agents.
func (d *codexDecoder) fromAgent(p *codexPart) {
	if !d.s.Sub {
		d.delivered(codexJoin(p.Get("content"), nil), p.Get("author").Text(codexIDLimit))
	}
}

// delivered takes the final answer of a sub-agent out of its message.
func (d *codexDecoder) delivered(text, sender string) {
	head, payload, found := strings.Cut(text, "Payload:\n")
	if !found || !strings.HasPrefix(head, "Message Type: FINAL_ANSWER") {
		return
	}
	if named, _, ok := strings.Cut(codexAfter(head, "Sender: "), "\n"); ok {
		sender = strings.TrimSpace(named)
	}
	d.agentAnswer(sender, strings.TrimSpace(payload), false)
}
