package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// item reads a response_item, or a bare item of an old file: what goes to and
// comes from the model.
func (d *codexDecoder) item(p *codexPart) {
	d.setTurn(p.Path("internal_chat_message_metadata_passthrough", "turn_id"))
	switch p.Get("type").Text(40) {
	case "message":
		d.itemMessage(p)
	case "reasoning":
		d.itemReasoning(p)
	case "function_call", "custom_tool_call", "tool_search_call":
		d.call(p)
	case "local_shell_call":
		d.localShell(p)
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output":
		d.output(p)
	case "web_search_call":
		d.search(fromItem, p)
	case "agent_message":
		d.fromAgent(p)
	}
}

func (d *codexDecoder) itemMessage(p *codexPart) {
	role := p.Get("role")
	switch {
	case role.TextIs("assistant"):
		d.assistantText(fromItem, codexJoin(p.Get("content"), nil), codexFinal(p.Get("phase")))
	case role.TextIs("user"):
		d.itemUser(p)
	}
}

// itemUser takes a message under the user's role. The newest versions say of
// each part who wrote it; older ones leave that to its text.
func (d *codexDecoder) itemUser(p *codexPart) {
	whose := codexWhose(p.Get("internal_chat_message_metadata_passthrough"))
	d.userText(fromItem, codexJoin(p.Get("content"), func(i int, part string) bool {
		if i < len(whose) && whose[i] == "user" {
			return true
		}
		return !d.injected(part) && (i >= len(whose) || whose[i] == "")
	}))
}

// codexWhose reads who wrote each part of a message: "user", another word, or
// "" where the record does not say.
func codexWhose(meta scan.Value) []string {
	var whose []string
	meta.Get("content_item_metadata").Elements(func(i int, m scan.Value) bool {
		whose = append(whose, m.Path("provenance", "type").Text(40))
		return i < 64
	})
	meta.Get("content_item_kinds").Elements(func(i int, kind scan.Value) bool {
		if i == len(whose) {
			whose = append(whose, "")
		}
		if whose[i] == "" && !kind.TextIs("unknown") {
			whose[i], _, _ = strings.Cut(kind.Text(80), ".")
		}
		return i < 64
	})
	return whose
}

// codexJoin joins the text parts of a message that keep allows. Images, and
// the tags that frame them, are left out.
func codexJoin(content scan.Value, keep func(i int, part string) bool) string {
	if content.Kind() == scan.String {
		text := content.Text(MaxText)
		if keep != nil && !keep(0, text) {
			return ""
		}
		return text
	}
	var parts []string
	size := 0
	content.Elements(func(i int, c scan.Value) bool {
		text := c.Get("text")
		if text.Kind() != scan.String {
			return true
		}
		part := text.Text(MaxText)
		if codexBlank(part) || codexImageTag(part) || keep != nil && !keep(i, part) {
			return true
		}
		parts = append(parts, part)
		size += len(part)
		return size < MaxText
	})
	return headOf(strings.Join(parts, "\n"), MaxText)
}

func codexImageTag(part string) bool {
	part = strings.TrimSpace(part)
	return part == "</image>" || part == "<image>" ||
		strings.HasPrefix(part, "<image name=") && strings.IndexByte(part, '>') == len(part)-1
}

func (d *codexDecoder) itemReasoning(p *codexPart) {
	p.Get("summary").Elements(func(_ int, part scan.Value) bool {
		d.thinking(fromItem, part.Get("text").Text(MaxText))
		return true
	})
	p.Get("content").Elements(func(_ int, part scan.Value) bool {
		d.thinking(fromItem, part.Get("text").Text(MaxText))
		return true
	})
}

// completed reads item_completed, the one event of the newest versions.
func (d *codexDecoder) completed(p *codexPart) {
	d.setTurn(p.Get("turn_id"))
	item := &d.inner
	item.read(p.Get("item"))
	switch item.Get("type").Text(40) {
	case "UserMessage":
		d.userText(fromCompleted, codexJoin(item.Get("content"), nil))
	case "AgentMessage":
		d.assistantText(fromCompleted, codexJoin(item.Get("content"), nil), codexFinal(item.Get("phase")))
	case "Plan":
		d.assistantText(fromCompleted, item.Get("text").Text(MaxText), event.Yes)
	case "Reasoning":
		for _, key := range []string{"summary_text", "raw_content"} {
			item.Get(key).Elements(func(_ int, part scan.Value) bool {
				d.thinking(fromCompleted, part.Text(MaxText))
				return true
			})
		}
	case "CommandExecution":
		d.s.Items = true
		d.commandEnd(item)
	case "FileChange":
		d.patchEnd(item)
	case "McpToolCall":
		d.mcpEnd(item)
	case "WebSearch":
		d.search(fromCompleted, item)
	case "ContextCompaction":
		d.compaction(fromCompleted, "")
	case "ExitedReviewMode":
		d.assistantText(fromCompleted, item.Get("review").Text(MaxText), event.Unknown)
	}
}
