// Package api holds the vocabulary of the daemon's JSON-RPC interface: the
// names of the methods, one struct for the parameters and one for the result
// of each, and the error codes.
//
// It is a leaf that both sides use: package daemon answers with these structs,
// kmemctl and scripts read them. It neither sends nor checks anything; limits
// and meanings are stated here and held by the daemon. Times are Unix
// milliseconds everywhere. A list that is empty is sent as [], never as null,
// where the field has no omitempty: the daemon makes it so.
//
// # Compatibility
//
// Fields are added, never renamed, removed or given another meaning. Readers
// ignore fields they do not know.
package api

// The methods that the daemon answers.
const (
	MethodToolsList     = "tools/list"
	MethodToolsCall     = "tools/call"
	MethodRender        = "render"
	MethodGet           = "get"
	MethodWhy           = "why"
	MethodList          = "list"
	MethodSearch        = "search"
	MethodSessions      = "sessions"
	MethodProjects      = "projects"
	MethodSessionConfig = "session/config"
	MethodCapture       = "capture"
	MethodForget        = "forget"
	MethodExclude       = "exclude"
	MethodPause         = "pause"
	MethodUnpause       = "unpause"
	MethodRescan        = "rescan"
	MethodErrors        = "errors"
	MethodHandoff       = "handoff"
	MethodAgents        = "agents"
	MethodMetrics       = "metrics"
	MethodSync          = "sync"
	MethodExport        = "export"
	MethodImport        = "import"
	MethodGraph         = "graph"
	MethodStatus        = "status"
	MethodDoctor        = "doctor"
	MethodWatch         = "watch"
)

// The notifications that the daemon sends after a watch.
const (
	// NotifyCaptured carries a [Captured].
	NotifyCaptured = "captured"
	// NotifyMissed carries a [Missed]: the reader was too slow.
	NotifyMissed = "missed"
)

// The error codes beyond the standard ones of JSON-RPC 2.0.
const (
	CodeNotFound    = -32001 // no such key, session, directory
	CodeRefused     = -32002 // rights, paused, excluded
	CodeInvalid     = -32003 // invalid entry or query; data is an [InvalidData]
	CodeUnavailable = -32004 // store unavailable; data is an [UnavailableData]
	CodeBusy        = -32005 // busy or shutting down; worth trying again
)

// The standard error codes of JSON-RPC 2.0.
const (
	CodeParse         = -32700
	CodeRequest       = -32600
	CodeMethod        = -32601
	CodeInvalidParams = -32602
	CodeInternal      = -32603
)

// Limits of pages, here and elsewhere: a limit of 0 means the default.
const (
	DefaultLimit = 100
	MaxLimit     = 500
)

// MaxValue is the longest value that may be saved, in bytes.
const MaxValue = 64 << 10

// InvalidData is the data of [CodeInvalid].
type InvalidData struct {
	Field  string `json:"field,omitempty"`  // which field of an entry
	Column int    `json:"column,omitempty"` // where in a query, from 1, in characters
}

// UnavailableData is the data of [CodeUnavailable].
type UnavailableData struct {
	Reason string `json:"reason"`           // why, naming the file and, where known, its holder
	Safe   string `json:"safe,omitempty"`   // what is kept safe
	File   string `json:"file,omitempty"`   // the database file
	Holder int    `json:"holder,omitempty"` // pid of the process that holds it
}

// None is the parameters of methods that take none, and of those that only
// acknowledge.
type None struct{}
