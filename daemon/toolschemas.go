package daemon

import (
	"context"
	"encoding/json"

	"github.com/kmemd/kmemd/ipc/api"
)

// toolEntry is one tool: what it says of itself and what it does.
type toolEntry struct {
	description   string
	input, output string // JSON Schema
	call          func(*Daemon, context.Context, api.ToolsCallParams) (answer, error)
}

const entrySchema = `{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"string"},"namespace":{"type":"string"},"type":{"type":"string"},"references":{"type":"array","items":{"type":"string"}},"createdAt":{"type":"integer"},"updatedAt":{"type":"integer"},"origin":{"type":"object"}},"required":["key","value","type","createdAt","updatedAt"]}`

// toolTable holds the five tools. Names and arguments are the agents' contract.
var toolTable = map[string]toolEntry{
	api.ToolSave: {
		description: "Save one fact to the memory of this project under a key, so that later sessions know it: a decision, a preference, the state of the work, what was found out. Saving under a known key replaces its value.",
		input:       `{"type":"object","properties":{"key":{"type":"string","description":"Short name, at most 200 bytes, e.g. decision:database"},"value":{"type":"string","description":"The fact, at most 64 KiB"},"type":{"type":"string","description":"Worked out from the key if left out","enum":["prompt","purpose","progress","status","decision","preference","error","file","context","result","action","note","fact","tool_result","thinking"]},"namespace":{"type":"string"},"references":{"type":"array","items":{"type":"string"},"description":"Keys of the entries this one follows from"}},"required":["key","value"]}`,
		output:      `{"type":"object","properties":{"entry":` + entrySchema + `,"created":{"type":"boolean"}},"required":["entry","created"]}`,
		call:        (*Daemon).toolSave,
	},
	api.ToolSearch: {
		description: "Search the memory of this project for a text, in keys and values, ignoring case. What contains the text is found; if nothing does, the closest entries are shown. With rank, whole questions work.",
		input:       `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":500},"rank":{"type":"boolean","description":"Order by relevance of the words"}},"required":["query"]}`,
		output:      `{"type":"object","properties":{"entries":{"type":"array","items":` + entrySchema + `},"total":{"type":"integer"}},"required":["entries","total"]}`,
		call:        (*Daemon).toolSearch,
	},
	api.ToolDelete: {
		description: "Delete one entry from the memory of this project. It does not come back when old transcripts are read again.",
		input:       `{"type":"object","properties":{"key":{"type":"string"}},"required":["key"]}`,
		output:      `{"type":"object","properties":{"deleted":{"type":"string"}}}`,
		call:        (*Daemon).toolDelete,
	},
	api.ToolList: {
		description: "List the keys of the memory of this project, most recent first, without their values.",
		input:       `{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":500},"cursor":{"type":"string","description":"next of the page before"}}}`,
		output:      `{"type":"object","properties":{"keys":{"type":"array","items":{"type":"string"}},"total":{"type":"integer"},"next":{"type":"string"}},"required":["keys","total","next"]}`,
		call:        (*Daemon).toolList,
	},
	api.ToolQuery: {
		description: `Query the memory of this project as relations: memory(key, value, namespace, type, references, createdAt, updatedAt, origin), tool_calls(name, args, result, timestamp, failed, session, agent), tasks(id, desc, status, rounds, note, session), sessions(id, agent, model, cwd, startedAt, updatedAt, turns, file, parent), files(path, action, session, timestamp). Examples: filter(memory, .type == "error"); map(memory, {key: .key, value: .value}); join(tool_calls, memory, "name", "key"); union(filter(memory, .type == "error"), filter(memory, .type == "decision")).`,
		input:       `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":500}},"required":["query"]}`,
		output:      `{"type":"object","properties":{"rows":{"type":"array"},"count":{"type":"integer"},"truncated":{"type":"boolean"}},"required":["rows","count","truncated"]}`,
		call:        (*Daemon).toolQuery,
	},
}

func toolNames() []string {
	return []string{api.ToolSave, api.ToolSearch, api.ToolDelete, api.ToolList, api.ToolQuery}
}

// toolsList describes the five tools.
func (d *Daemon) toolsList(context.Context, api.None) (api.ToolsListResult, error) {
	var out api.ToolsListResult
	for _, name := range toolNames() {
		t := toolTable[name]
		out.Tools = append(out.Tools, api.Tool{
			Name: name, Description: t.description,
			InputSchema: json.RawMessage(t.input), OutputSchema: json.RawMessage(t.output),
		})
	}
	return out, nil
}
