package agents

import "github.com/kmemd/kmemd/ingest/scan"

// codexPart is an object with the members that decoding asks for looked up
// beforehand, in one pass: payloads are large, and each look-up in a
// [scan.Value] walks over all of it.
type codexPart struct {
	all    scan.Value
	n      int
	names  [codexPartMembers]string
	values [codexPartMembers]scan.Value
}

// codexPartMembers is more than any payload has of the known members.
const codexPartMembers = 24

func (p *codexPart) read(v scan.Value) {
	p.all, p.n = v, 0
	v.Each(func(key []byte, val scan.Value) bool {
		if name := codexMember(key); name != "" && p.n < len(p.names) {
			p.names[p.n], p.values[p.n] = name, val
			p.n++
		}
		return true
	})
}

// Get returns a member, as [scan.Value.Get] does.
func (p *codexPart) Get(name string) scan.Value {
	for i := p.n - 1; i >= 0; i-- {
		if p.names[i] == name {
			return p.values[i]
		}
	}
	if p.n < len(p.names) && codexMember([]byte(name)) != "" {
		return scan.Value{}
	}
	return p.all.Get(name)
}

// Path follows keys through nested objects.
func (p *codexPart) Path(name string, more ...string) scan.Value { return p.Get(name).Path(more...) }

// codexMember returns the name of a known member, "" for others.
func codexMember(key []byte) string {
	for _, name := range codexMembers[len(key)%len(codexMembers)] {
		if string(key) == name {
			return name
		}
	}
	return ""
}

// codexMembers are the members of items and of events that many records have,
// by their length.
var codexMembers = func() (byLength [32][]string) {
	for _, name := range []string{
		"type", "id", "call_id", "turn_id", "role", "content", "phase", "status", "name", "namespace",
		"arguments", "input", "output", "action", "summary", "message", "text", "item", "command", "cwd",
		"parsed_cmd", "source", "aggregated_output", "stdout", "stderr", "exit_code", "changes", "success",
		"result", "query", "kind", "error", "internal_chat_message_metadata_passthrough",
	} {
		byLength[len(name)%len(byLength)] = append(byLength[len(name)%len(byLength)], name)
	}
	return byLength
}()
