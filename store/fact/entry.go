// Package fact holds what is worth keeping: the entry, its types, the order of
// writes and the view of a project that readers get.
//
// It is a leaf: pure data and pure functions. It does not store, extract or
// render.
package fact

// Entry is one fact of the memory, in the form of the API and the export.
type Entry struct {
	Key        string   `json:"key"`
	Value      string   `json:"value"`
	Namespace  string   `json:"namespace,omitempty"`
	Type       Type     `json:"type"`
	References []string `json:"references,omitempty"`
	CreatedAt  int64    `json:"createdAt"` // Unix milliseconds of the event
	UpdatedAt  int64    `json:"updatedAt"` // Unix milliseconds of the winning event
	Origin     *Origin  `json:"origin,omitempty"`
}

// Origin says where an entry came from.
type Origin struct {
	Agent   string `json:"agent,omitempty"`
	Session string `json:"session,omitempty"`
	Record  string `json:"record,omitempty"`
	File    string `json:"file,omitempty"`
	Offset  int64  `json:"offset,omitempty"`
	Role    string `json:"role,omitempty"` // user, assistant, tool, summary
	Via     string `json:"via,omitempty"`  // transcript, tool, cli, import, sync
}

// Captured reports whether the entry was taken from a transcript, as opposed
// to saved by a call or imported.
func (e *Entry) Captured() bool { return e.Origin != nil && e.Origin.Via == ViaTranscript }

// The ways an entry can come in.
const (
	ViaTranscript = "transcript"
	ViaTool       = "tool"
	ViaCLI        = "cli"
	ViaImport     = "import"
	ViaSync       = "sync"
)
