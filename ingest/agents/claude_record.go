package agents

import (
	"bytes"
	"hash/fnv"
	"strconv"

	"github.com/kmemd/kmemd/ingest/scan"
)

// claudeKind is what a cheap look at a record says of it.
type claudeKind uint8

const (
	claudeUnknown claudeKind = iota // no member tells: broken, or no record of this agent
	claudeSkip
	claudeConversation
	claudeAttachment
	claudeSystem
	claudeQueueOp
	claudeTitle
)

// claudeSkim decides by the first members what a record is, so that the bulk
// of a file (progress, snapshots, whole requests) is neither checked nor
// decoded. Large members stand after the ones that decide, or decide themselves.
func claudeSkim(line []byte) claudeKind {
	kind := claudeUnknown
	scan.Members(line, func(key []byte, rest []byte) bool {
		switch string(key) {
		case "type":
			kind = claudeKindOf(rest)
			return false
		case "message":
			kind = claudeConversation
			return false
		case "attachment":
			kind = claudeSkip
			if claudeAttachmentCounts(rest) {
				kind = claudeAttachment
			}
			return false
		case "data", "snapshot":
			kind = claudeSkip
			return false
		}
		return true
	})
	return kind
}

// claudeKindOf reads the value of "type", which rest begins with.
func claudeKindOf(rest []byte) claudeKind {
	name := firstString(rest)
	switch string(name) {
	case "user", "assistant":
		return claudeConversation
	case "attachment":
		return claudeAttachment
	case "system":
		return claudeSystem
	case "queue-operation":
		return claudeQueueOp
	case "ai-title", "custom-title":
		return claudeTitle
	}
	return claudeSkip
}

// claudeAttachmentCounts looks at the type of an attachment, its first member.
func claudeAttachmentCounts(rest []byte) bool {
	inner, ok := bytes.CutPrefix(rest, []byte(`{"type":`))
	if !ok {
		return len(rest) > 0 && rest[0] == '{' // not in its usual order: look closer
	}
	switch string(firstString(inner)) {
	case "queued_command", "hook_success", "hook_additional_context":
		return true
	}
	return false
}

func firstString(b []byte) []byte {
	if len(b) == 0 || b[0] != '"' {
		return nil
	}
	b = b[1:]
	if n := bytes.IndexByte(b[:min(len(b), 64)], '"'); n >= 0 {
		return b[:n]
	}
	return nil
}

// gluedRecord reports whether another record may begin inside the line. A raw
// {" cannot stand inside a string, so false alarms are rare.
func gluedRecord(line []byte) bool {
	if len(line) < 2 {
		return false
	}
	return bytes.Contains(line[1:], []byte(`{"parentUuid"`)) || bytes.Contains(line[1:], []byte(`}{"`))
}

// claudeRecord is one parsed record, its members not decoded yet unless they are short.
type claudeRecord struct {
	offset, end int64
	time        int64
	uuid        string
	typ         scan.Value
	subtype     scan.Value
	session     scan.Value
	agent       scan.Value
	team        scan.Value
	teammate    scan.Value
	cwd         scan.Value
	version     scan.Value
	branch      scan.Value
	message     scan.Value
	attachment  scan.Value
	result      scan.Value // toolUseResult
	source      scan.Value // sourceToolUseID
	plan        scan.Value
	origin      scan.Value
	promptFrom  scan.Value
	entrypoint  scan.Value
	denial      scan.Value
	turn        scan.Value
	request     scan.Value
	body        scan.Value // the record itself, for what is rare
	meta        bool
	sidechain   bool
	summary     bool
	apiError    bool
}

// member takes one member of the record.
func (r *claudeRecord) member(key []byte, val scan.Value) {
	switch string(key) {
	case "type":
		r.typ = val
	case "subtype":
		r.subtype = val
	case "uuid":
		r.uuid = val.Text(128)
	case "timestamp":
		r.time = timestamp(val)
	case "sessionId":
		r.session = val
	case "agentId":
		r.agent = val
	case "teamName":
		r.team = val
	case "agentName":
		r.teammate = val
	case "cwd":
		r.cwd = val
	case "version":
		r.version = val
	case "gitBranch":
		r.branch = val
	case "message":
		r.message = val
	case "attachment":
		r.attachment = val
	case "toolUseResult":
		r.result = val
	case "sourceToolUseID":
		r.source = val
	case "planContent":
		r.plan = val
	case "origin":
		r.origin = val
	case "promptSource":
		r.promptFrom = val
	case "entrypoint":
		r.entrypoint = val
	case "turnPosition":
		r.turn = val
	case "toolDenialKind":
		r.denial = val
	case "requestId":
		r.request = val
	case "isMeta":
		r.meta = val.True()
	case "isSidechain":
		r.sidechain = val.True()
	case "isCompactSummary":
		r.summary = val.True()
	case "isApiErrorMessage":
		r.apiError = val.True()
	}
}

// contentID names a record that has no id of its own by its content.
func contentID(b []byte) string { return strconv.FormatUint(hash64(b), 16) }

func hash64(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}
