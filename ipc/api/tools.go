package api

import (
	"encoding/json"

	"github.com/kmemd/kmemd/store/fact"
)

// The five tools.
const (
	ToolSave   = "memory_save"
	ToolSearch = "memory_search"
	ToolDelete = "memory_delete"
	ToolList   = "memory_list"
	ToolQuery  = "memory_query"
)

// ToolsListResult is the result of tools/list, which takes [None].
type ToolsListResult struct {
	Tools []Tool `json:"tools"`
}

// Tool describes one tool. The schemas are JSON Schema objects.
type Tool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
}

// ToolsCallParams is the parameters of tools/call. Arguments is one of the
// Arguments structs below. Via is "tool" where it is empty; the command line
// says "cli".
type ToolsCallParams struct {
	Cwd       string          `json:"cwd"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Agent     string          `json:"agent,omitempty"`
	Session   string          `json:"session,omitempty"`
	Via       string          `json:"via,omitempty"`
}

// ToolsCallResult is the result of tools/call. With IsError the structured
// content is a [ToolFailure] and the text its sentence.
type ToolsCallResult struct {
	Content           []Content       `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"`
	IsError           bool            `json:"isError"`
}

// Content is one piece of a tool's answer; Type is always "text".
type Content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// ToolFailure is the structured content of a tool's own failure: the code that
// the same failure of a method would have, so that a program need not read the
// sentence.
type ToolFailure struct {
	Code int             `json:"code"`
	Data json.RawMessage `json:"data,omitempty"`
}

// SaveArguments is the arguments of memory_save. An empty type is worked out
// from the key.
type SaveArguments struct {
	Key        string   `json:"key"`
	Value      string   `json:"value"`
	Type       string   `json:"type,omitempty"`
	Namespace  string   `json:"namespace,omitempty"`
	References []string `json:"references,omitempty"`
}

// SaveOutput is the structured content of memory_save.
type SaveOutput struct {
	Entry   fact.Entry `json:"entry"`
	Created bool       `json:"created"`
}

// SearchArguments is the arguments of memory_search.
type SearchArguments struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"`
	Rank  bool   `json:"rank,omitempty"`
}

// SearchOutput is the structured content of memory_search.
type SearchOutput struct {
	Entries []fact.Entry `json:"entries"`
	Total   int          `json:"total"`
}

// DeleteArguments is the arguments of memory_delete. Namespace is for the
// command line; the tool's schema does not show it.
type DeleteArguments struct {
	Key       string `json:"key"`
	Namespace string `json:"namespace,omitempty"`
}

// DeleteOutput is the structured content of memory_delete: the key.
type DeleteOutput struct {
	Deleted string `json:"deleted"`
}

// KeysArguments is the arguments of memory_list.
type KeysArguments struct {
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// KeysOutput is the structured content of memory_list, most recent first.
// Next is empty on the last page.
type KeysOutput struct {
	Keys  []string `json:"keys"`
	Total int      `json:"total"`
	Next  string   `json:"next"`
}

// QueryArguments is the arguments of memory_query.
type QueryArguments struct {
	Query string `json:"query"`
	Limit int    `json:"limit,omitempty"` // 50 where it is 0, at most 500
}

// QueryOutput is the structured content of memory_query. Count is the matches
// before the limit.
type QueryOutput struct {
	Rows      []json.RawMessage `json:"rows"`
	Count     int               `json:"count"`
	Truncated bool              `json:"truncated"`
}
