package fact

// Type is the kind of an entry.
type Type string

// The types.
const (
	ToolResult Type = "tool_result"
	Thinking   Type = "thinking"
	Action     Type = "action"
	FileType   Type = "file"
	Prompt     Type = "prompt"
	Purpose    Type = "purpose"
	Progress   Type = "progress"
	Status     Type = "status"
	Decision   Type = "decision"
	Preference Type = "preference"
	Error      Type = "error"
	Context    Type = "context"
	Result     Type = "result"
	Note       Type = "note"
	FactType   Type = "fact"
)
