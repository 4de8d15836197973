package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// Events that tell the end of a call in fields instead of text: exec_command_end,
// patch_apply_end and mcp_tool_call_end, or the items that took their place.

// endOf finds the call that an event ends.
func (d *codexDecoder) endOf(p *codexPart) (id string, c *codexCall) {
	id = p.Get("call_id").Text(codexIDLimit)
	if id == "" {
		id = p.Get("id").Text(codexIDLimit)
	}
	return id, d.s.find(id)
}

// commandEnd reads how a command ended.
func (d *codexDecoder) commandEnd(p *codexPart) {
	d.setTurn(p.Get("turn_id"))
	id, c := d.endOf(p)
	command := codexCommand(p.Get("command"))
	if source := p.Get("source"); source.TextIs("user_shell") || source.TextIs("userShell") {
		d.userCommand(fromEvent, command)
		return
	}
	if c == nil {
		if c = d.scriptCommand(id, command, codexDir(p.Get("cwd"))); c == nil {
			return
		}
	}
	if c.Silent || p.Get("status").TextIs("in_progress") {
		return
	}
	lookup := codexLookup(p.Get("parsed_cmd"))
	limit := c.wanted()
	if lookup != nil {
		limit = codexLookupText
	}
	r := codexResult{Head: true, limit: limit}
	r.setExit(p.Get("exit_code"))
	r.fine = r.Exit != nil && *r.Exit == 0
	if r.Text = r.take(p.Get("aggregated_output")); r.Text == "" {
		r.Text = strings.TrimSpace(r.take(p.Get("stdout")) + "\n" + p.Get("stderr").Text(MaxTail))
	}
	out := c.verdict(r)
	switch status := p.Get("status"); {
	case status.TextIs("declined"):
		out.Failed, out.Why = true, event.Rejected
	case c.Running != "" && r.Exit != nil && *r.Exit < 0:
		out.Failed, out.Why = true, event.Cancelled // stopped with the session that had left it running
	case status.TextIs("failed"):
		out.Failed = true
	}
	out.Lookup = lookup
	d.answer(*c, r.Text, out, nil)
}

// codexLookup reports what Codex itself found a command to be: yes when all
// its parts read, list or search; nil where it could not tell.
func codexLookup(parsed scan.Value) *bool {
	some, all := false, true
	parsed.Elements(func(_ int, cmd scan.Value) bool {
		kind := cmd.Get("type")
		some = true
		all = kind.TextIs("read") || kind.TextIs("list_files") || kind.TextIs("search")
		return all
	})
	if !some || !all {
		return nil
	}
	return &all
}

// patchEnd reads which files a patch changed.
func (d *codexDecoder) patchEnd(p *codexPart) {
	d.setTurn(p.Get("turn_id"))
	id, c := d.endOf(p)
	changes := p.Get("changes")
	if c == nil {
		if c = d.scriptPatch(id, changes); c == nil {
			return
		}
	}
	status := p.Get("status")
	done, known := p.Get("success").Bool()
	if !known {
		done = status.TextIs("completed")
	}
	if done {
		d.answer(*c, "", event.Result{}, codexChanges(changes))
		return
	}
	out := event.Result{Failed: true, Why: event.Refused}
	if status.TextIs("declined") {
		out.Why = event.Rejected
	}
	text := strings.TrimSpace(p.Get("stderr").Text(4000) + "\n" + p.Get("stdout").Text(4000))
	d.answer(*c, text, out, nil)
}

// mcpEnd reads the answer of an MCP server's tool.
func (d *codexDecoder) mcpEnd(p *codexPart) {
	d.setTurn(p.Get("turn_id"))
	_, c := d.endOf(p)
	if c == nil || c.Silent || p.Get("status").TextIs("in_progress") {
		return
	}
	result := p.Get("result")
	ok, failed := result.Get("Ok"), result.Get("Err")
	if !ok.Exists() && !failed.Exists() {
		ok, failed = result, p.Get("error")
	}
	out := event.Result{Failed: ok.Get("isError").True() || ok.Get("is_error").True() || p.Get("status").TextIs("failed")}
	text := codexJoin(ok.Get("content"), nil)
	if failed.Exists() && failed.Kind() != scan.Null {
		out.Failed = true
		if text = failed.Text(MaxText); text == "" {
			text = failed.Get("message").Text(MaxText)
		}
		if codexDenied(headOf(text, 1000)) {
			out.Why = event.Rejected
		}
	}
	d.answer(*c, headOf(text, c.wanted()), out, nil)
}

// search reads a search of the web. Its results are not in the transcript; the
// page that was opened is a look-up.
func (d *codexDecoder) search(from codexSource, p *codexPart) {
	action := p.Get("action")
	query, what := action.Get("query").Text(400), event.Search
	if query == "" {
		query = p.Get("query").Text(400)
	}
	if kind := action.Get("type"); kind.Exists() && !kind.TextIs("search") {
		what = event.Read
		if url := action.Get("url").Text(400); url != "" {
			query = url
		}
	}
	if codexBlank(query) {
		return
	}
	key := "w" + codexHash(query)
	n, first := d.twin(key, from)
	if !first {
		return
	}
	d.s.Busy = true
	record := d.recordID(key, n)
	e := event.Event{Kind: event.ToolCalled, Record: record + "/call", Call: record, Tool: "web_search", Action: what, Subject: query}
	d.emit(e)
	e.Kind, e.Record = event.ToolReturned, record+"/return"
	d.emit(e)
}
