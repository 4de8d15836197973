package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// consequences reports what an answer means beside itself: words of the user,
// answers to questions, an approved plan, a changed task list, work in the
// background that has come to its end.
func (d *claudeDecoder) consequences(e *event.Event, c *claudeCall, text string, o *claudeOutcome, suffix string) {
	if e.Result.Why == event.Rejected {
		d.say(rejectionWords(text), event.Typed, suffix+"#words")
		return
	}
	switch c.Tool {
	case "AskUserQuestion":
		d.answers(text, o, suffix)
	case "ExitPlanMode", "exit_plan_mode":
		if !e.Result.Failed {
			d.approved(c, o, suffix)
		}
	case "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList":
		if !e.Result.Failed {
			d.taskAnswer(c, text, o, suffix+"#tasks")
		}
	case "BashOutput", "TaskOutput", "AgentOutput":
		d.jobOutput(o)
	}
}

// rejectionWords is what the user said while rejecting a call.
func rejectionWords(text string) string {
	for _, mark := range []string{
		"To tell you how to proceed, the user said:",
		"The user provided the following reason for the rejection:",
	} {
		if _, words, ok := strings.Cut(text, mark); ok {
			words, _, _ = strings.Cut(words, "\n\nNote: The user's next message")
			words, _ = UserWords(words)
			return words
		}
	}
	if spokenInstead(text) {
		return text
	}
	return ""
}

// answers reports the user's answers to the agent's questions.
func (d *claudeDecoder) answers(text string, o *claudeOutcome, suffix string) {
	n := 0
	report := func(question, answer string) {
		question, answer = strings.TrimSpace(question), strings.TrimSpace(answer)
		if question == "" || answer == "" || n == 16 {
			return
		}
		e := d.event(event.Answered, suffix+"#answer"+strconv.Itoa(n))
		e.Tool, e.Question, e.Answer = "AskUserQuestion", question, answer
		d.emit(e)
		n++
	}
	if given := o.answers; given.Kind() == scan.Object {
		given.Each(func(key []byte, val scan.Value) bool {
			question := headOf(strings.ToValidUTF8(string(key), "\uFFFD"), 4<<10)
			answer := choiceText(val)
			if note := trimmedText(o.notes.Get(string(key)), "notes", 4<<10); note != "" {
				answer += " (" + note + ")"
			}
			report(question, answer)
			return n < 16
		})
		return
	}
	for _, pair := range quotedAnswers(text) {
		report(pair[0], pair[1])
	}
}

// choiceText is an answer: a text, or several that were chosen.
func choiceText(v scan.Value) string {
	if v.Kind() != scan.Array {
		return v.Text(4 << 10)
	}
	var parts []string
	v.Elements(func(_ int, e scan.Value) bool {
		parts = append(parts, e.Text(1<<10))
		return len(parts) < 16
	})
	return strings.Join(parts, ", ")
}

// quotedAnswers reads `"question"="answer"` pairs out of a text.
func quotedAnswers(text string) [][2]string {
	var pairs [][2]string
	for len(pairs) < 16 {
		head, rest, ok := strings.Cut(text, `"="`)
		if !ok {
			break
		}
		open := strings.LastIndexByte(head, '"')
		answer, after, ok := strings.Cut(rest, `"`)
		if open < 0 || !ok {
			break
		}
		pairs = append(pairs, [2]string{head[open+1:], answer})
		text = after
	}
	return pairs
}

// approved reports a plan that the user agreed to. The question is what the
// plan is about.
func (d *claudeDecoder) approved(c *claudeCall, o *claudeOutcome, suffix string) {
	plan := strings.TrimSpace(o.plan.Text(MaxText))
	if plan == "" {
		plan = strings.TrimSpace(c.Plan)
	}
	if plan == "" || d.sub() {
		return
	}
	e := d.event(event.Answered, suffix+"#plan")
	e.Tool, e.Question, e.Answer = "ExitPlanMode", planQuestion(plan), "approved"
	d.emit(e)
}

// planQuestion is the title of a plan and its first paragraph.
func planQuestion(plan string) string {
	title, rest, _ := strings.Cut(plan, "\n")
	title = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(title), "#"))
	for _, word := range []string{"Plan:", "plan:", "Plan to ", "Plan for "} {
		title = strings.TrimPrefix(title, word)
	}
	title = headOf("plan: "+strings.TrimSpace(title), 300)
	for paragraph := range strings.SplitSeq(rest, "\n\n") {
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		if paragraph != "" && paragraph[0] != '#' {
			return title + " — " + headOf(paragraph, 600)
		}
	}
	return title
}
