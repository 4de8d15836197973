package agents

import (
	"slices"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// claudeQueued is a text typed while the agent was at work. Where it ends up
// depends on the version: as a user's record, as an attachment, or nowhere
// else; so it is kept until it is known which.
type claudeQueued struct {
	Text    string `json:"t"`
	Said    bool   `json:"s,omitempty"` // reported by its other copy
	Waiting bool   `json:"w,omitempty"` // taken off the queue; its other copy may be the next record
	Record  string `json:"r,omitempty"`
	Time    int64  `json:"m,omitempty"`
	Offset  int64  `json:"o,omitempty"`
	End     int64  `json:"e,omitempty"`
}

const maxQueue = 32

func (d *claudeDecoder) queueOperation() {
	r := &d.rec
	text := queuedText(r.body.Get("content"))
	switch op := r.body.Get("operation"); {
	case op.TextIs("enqueue"):
		d.release()
		if len(d.state.Queue) == maxQueue {
			d.state.Queue = slices.Delete(d.state.Queue, 0, 1)
		}
		d.state.Queue = append(d.state.Queue, claudeQueued{Text: text})
	case op.TextIs("dequeue"):
		// It becomes a user's record of its own.
		if i := d.taken(text); i >= 0 {
			d.state.Queue = slices.Delete(d.state.Queue, i, i+1)
		}
	case op.TextIs("remove"):
		d.removed(text)
	case op.TextIs("popAll"):
		// Back in the editor: nothing was said.
		d.state.Queue = slices.DeleteFunc(d.state.Queue, func(q claudeQueued) bool { return !q.Waiting })
	}
}

func queuedText(v scan.Value) string { return strings.TrimSpace(userText(v)) }

// taken is the index of the text that an operation takes off the queue: the
// one it names, else one that was already said, else the oldest.
func (d *claudeDecoder) taken(text string) int {
	if text != "" {
		if i := slices.IndexFunc(d.state.Queue, func(q claudeQueued) bool { return !q.Waiting && q.Text == text }); i >= 0 {
			return i
		}
	}
	if i := slices.IndexFunc(d.state.Queue, func(q claudeQueued) bool { return q.Said }); i >= 0 {
		return i
	}
	return slices.IndexFunc(d.state.Queue, func(q claudeQueued) bool { return !q.Waiting })
}

// removed marks a text as given to the agent in the middle of its work.
func (d *claudeDecoder) removed(text string) {
	r := &d.rec
	i := d.taken(text)
	if i < 0 {
		return
	}
	q := &d.state.Queue[i]
	if q.Said {
		d.state.Queue = slices.Delete(d.state.Queue, i, i+1)
		return
	}
	id, _ := d.session()
	q.Waiting = true
	q.Record = id + "/queue/" + contentID([]byte(string(r.body.Raw())+q.Text))
	q.Time, q.Offset, q.End = r.time, r.offset, r.end
}

// release reports the texts that were given to the agent and have no other copy.
func (d *claudeDecoder) release() {
	for i := 0; i < len(d.state.Queue); {
		q := d.state.Queue[i]
		if !q.Waiting {
			i++
			continue
		}
		d.state.Queue = slices.Delete(d.state.Queue, i, i+1)
		words, kind := UserWords(q.Text)
		if words == "" || kind == event.Summary {
			continue
		}
		e := d.event(event.UserMessage, "")
		e.Record, e.Time, e.Offset, e.End = q.Record, q.Time, q.Offset, q.End
		e.Text, e.User = words, kind
		d.emit(e)
	}
}

// queuedCommand reports a queued text by the attachment that holds it.
func (d *claudeDecoder) queuedCommand(a scan.Value) {
	text := queuedText(a.Get("prompt"))
	mode := a.Get("commandMode")
	human := !mode.Exists() || mode.TextIs("prompt") || mode.Kind() == scan.Null
	d.markSaid(text)
	if !human || notHuman(a.Path("origin", "kind")) {
		d.notification(text)
		return
	}
	if words, kind := UserWords(text); kind != event.Injected && kind != event.Summary && !d.sub() {
		d.say(words, kind, "")
	} else {
		d.notification(text)
	}
}

// markSaid notes that a queued text has been reported by another record.
func (d *claudeDecoder) markSaid(text string) {
	i := slices.IndexFunc(d.state.Queue, func(q claudeQueued) bool { return !q.Said && q.Text == text })
	switch {
	case i < 0:
	case d.state.Queue[i].Waiting:
		d.state.Queue = slices.Delete(d.state.Queue, i, i+1)
	default:
		d.state.Queue[i].Said = true
	}
}

// queuedTwin reports whether words were already reported by another copy, and
// settles what waits before them.
func (d *claudeDecoder) queuedTwin(words string) bool {
	if i := slices.IndexFunc(d.state.Queue, func(q claudeQueued) bool { return q.Said && q.Text == words }); i >= 0 {
		d.state.Queue = slices.Delete(d.state.Queue, i, i+1)
		return true
	}
	if i := slices.IndexFunc(d.state.Queue, func(q claudeQueued) bool { return q.Waiting && q.Text == words }); i >= 0 {
		d.state.Queue = slices.Delete(d.state.Queue, i, i+1)
	}
	d.release()
	return false
}
