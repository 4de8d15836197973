package agents

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kmemd/kmemd/ingest/scan"
)

// timestamp reads an ISO 8601 time or a number of (milli)seconds since 1970
// as Unix milliseconds; 0 where it is neither.
func timestamp(v scan.Value) int64 {
	switch v.Kind() {
	case scan.Number:
		n, ok := v.Int()
		if !ok || n < 0 {
			return 0
		}
		if n < 1e11 {
			n *= 1000
		}
		return n
	case scan.String:
		return parseTime(v.Text(64))
	}
	return 0
}

func parseTime(s string) int64 {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1971 || t.Year() > 9998 {
		return 0
	}
	return t.UnixMilli()
}

// resultText decodes the output of a tool: its head, and where that is not
// all, its tail.
func resultText(v scan.Value, head int) string {
	text := v.Text(head + MaxTail + 1)
	if len(text) <= head+MaxTail {
		return text
	}
	return headOf(text, head) + "\n…\n" + v.Tail(MaxTail)
}

// headOf cuts s to at most n bytes at the beginning of a character.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// argsText returns the arguments of a call as JSON text of at most about
// [MaxArgs] bytes: long strings in it are cut, what does not fit is left out.
func argsText(v scan.Value) string {
	raw := v.Raw()
	if len(raw) == 0 {
		return ""
	}
	if len(raw) <= MaxArgs && utf8.Valid(raw) {
		return string(raw)
	}
	if v.Kind() != scan.Object {
		return ""
	}
	var b bytes.Buffer
	b.WriteByte('{')
	v.Each(func(key []byte, val scan.Value) bool {
		if len(key) > 100 {
			return true
		}
		part := argument(val)
		if len(part) == 0 || b.Len()+len(part)+len(key) > MaxArgs {
			return true
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(string(bytes.ToValidUTF8(key, []byte("\uFFFD")))) // a string always marshals
		b.Write(name)
		b.WriteByte(':')
		b.Write(part)
		return true
	})
	b.WriteByte('}')
	return b.String()
}

// argument is one member of the arguments, cut; nil where it is left out.
func argument(v scan.Value) []byte {
	const limit = 1 << 10
	if v.Kind() == scan.String {
		text, _ := json.Marshal(v.Text(limit)) // a string always marshals
		return text
	}
	if raw := v.Raw(); len(raw) <= limit && utf8.Valid(raw) {
		return raw
	}
	return nil
}

// readingVerbs open the names of tools that only look something up.
var readingVerbs = map[string]bool{
	"get": true, "list": true, "read": true, "view": true, "show": true, "describe": true,
	"fetch": true, "find": true, "search": true, "query": true, "status": true, "recall": true,
}

// reads reports whether the name of an unknown tool begins with a reading verb.
func reads(name string) bool {
	end := 0
	for end < len(name) && (name[end] >= 'a' && name[end] <= 'z' || end == 0 && name[end] >= 'A' && name[end] <= 'Z') {
		end++
	}
	return readingVerbs[strings.ToLower(name[:end])]
}

// memoryTools are kmem's own tools and those of other memories: what a memory
// hands out must not come back as news.
var memoryTools = []string{"memory_save", "memory_search", "memory_delete", "memory_list", "memory_query"}

// memoryTool reports whether a tool belongs to a memory. Prefixes of servers
// ("mcp__server__") may stand before its name.
func memoryTool(name string) bool {
	for _, own := range memoryTools {
		if strings.HasSuffix(name, own) {
			return true
		}
	}
	server, _, ok := strings.Cut(strings.TrimPrefix(name, "mcp__"), "__")
	return ok && strings.HasPrefix(name, "mcp__") && memoryServers[strings.ToLower(server)]
}

var memoryServers = map[string]bool{
	"memory": true, "kmem": true, "kdeps": true, "mem0": true, "openmemory": true,
	"claude-mem": true, "plugin_claude-mem_mcp-search": true, "episodic-memory": true, "agentmemory": true,
}
