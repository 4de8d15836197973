package fact

import "slices"

// upwards is the workflow chain from its newest link to its root. Status
// comes before result and has no child.
var upwards = []Type{Result, ToolResult, Progress, Purpose, Prompt}

// Parents returns the types that an entry's parent may have, best first. The
// slice is shared and must not be changed.
func (t Type) Parents() []Type {
	switch t {
	case Purpose, Context, Preference, Thinking:
		return upwards[4:]
	case Progress:
		return upwards[3:]
	case ToolResult:
		return upwards[2:]
	case Result, Action, Error, FileType, Decision, FactType, Note:
		return upwards[1:]
	case Status:
		return upwards
	}
	return nil
}

// Low reports whether entries of the type are low-signal: they give way first.
func (t Type) Low() bool { return t == Note || t == FactType }

// Resumable reports whether work can be taken up at an entry of the type.
func (t Type) Resumable() bool { return t == Progress || t == Result || t == Status }

// Valid reports whether t is one of the types.
func Valid(t Type) bool {
	return t == ToolResult || t == Thinking || t == FactType || slices.Contains(named, t)
}
