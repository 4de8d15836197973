package agents

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// assistant reads a record of the agent: usually one block of an API message,
// sometimes a snapshot that repeats the blocks of the record before.
func (d *claudeDecoder) assistant() {
	var fields [4]scan.Value
	d.rec.message.Fields(messageKeys, fields[:])
	id, model, content := fields[0], fields[1], fields[2]
	if d.rec.apiError || model.TextIs("<synthetic>") {
		return
	}
	d.release()
	d.beginMessage(id)
	d.open(model.Text(128), false)
	final := finality(fields[3])
	if content.Kind() == scan.String {
		d.reply(content, 0, final)
		return
	}
	last := -1
	if final == event.Yes {
		last = lastText(content)
	}
	content.Elements(func(i int, v scan.Value) bool {
		var b claudeBlock
		b.read(v)
		switch {
		case b.kind.TextIs("text"):
			ends := final
			if i != last && final == event.Yes {
				ends = event.No
			}
			d.reply(b.text, i, ends)
		case b.kind.TextIs("thinking"):
			d.thinking(b.thinking, i)
		case b.kind.TextIs("tool_use"):
			d.call(&b, i)
		}
		return true
	})
}

var messageKeys = []string{"id", "model", "content", "stop_reason"}

// beginMessage forgets the blocks of the API message before.
func (d *claudeDecoder) beginMessage(id scan.Value) {
	key := id.Text(128) + "/" + d.rec.request.Text(128)
	if key != d.state.Message || key == "/" {
		d.state.Message, d.state.Blocks = key, nil
	}
}

// known reports whether a block was reported by an earlier record of the same
// API message, and remembers it.
func (d *claudeDecoder) known(block scan.Value) bool {
	h := hash64(block.Raw())
	if slices.Contains(d.state.Blocks, h) {
		return true
	}
	if len(d.state.Blocks) < 64 {
		d.state.Blocks = append(d.state.Blocks, h)
	}
	return false
}

// reply reports a text of the agent. A snapshot's repetition says at most that
// the turn ends.
func (d *claudeDecoder) reply(v scan.Value, i int, final event.Tristate) {
	text := strings.TrimSpace(v.Text(MaxText))
	if text == "" || text == "(no content)" {
		return
	}
	if d.known(v) {
		if final == event.Yes {
			d.emit(d.event(event.TurnClosed, blockSuffix(i)))
		}
		return
	}
	e := d.event(event.AssistantMessage, blockSuffix(i))
	e.Text, e.Final = text, final
	d.emit(e)
}

func (d *claudeDecoder) thinking(v scan.Value, i int) {
	if text := strings.TrimSpace(v.Text(MaxText)); text != "" && !d.known(v) {
		e := d.event(event.Thinking, blockSuffix(i))
		e.Text = text
		d.emit(e)
	}
}

// blockSuffix tells the blocks of one record apart.
func blockSuffix(i int) string {
	if i == 0 {
		return ""
	}
	return "#" + strconv.Itoa(i)
}

// finality says what a stop reason says of the turn. Most records have none.
func finality(reason scan.Value) event.Tristate {
	switch {
	case reason.TextIs("end_turn"), reason.TextIs("stop_sequence"):
		return event.Yes
	case reason.TextIs("tool_use"), reason.TextIs("pause_turn"):
		return event.No
	}
	return event.Unknown
}

// lastText is the index of the last text block, -1 without one.
func lastText(content scan.Value) int {
	last := -1
	content.Elements(func(i int, block scan.Value) bool {
		if block.Get("type").TextIs("text") {
			last = i
		}
		return true
	})
	return last
}
