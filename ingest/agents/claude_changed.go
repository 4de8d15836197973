package agents

import (
	"slices"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// maxChanged bounds the files of one command.
const maxChanged = 100

// changedFiles lists the files that a shell command changed, where the format
// states them: for the first few it says what became of them, the rest it only
// names. Newer versions edit by shell command as often as by tool.
func changedFiles(diff scan.Value) []event.Path {
	var paths []event.Path
	add := func(v scan.Value, op string) bool {
		name := strings.TrimSpace(v.Text(4096))
		if name != "" && !slices.ContainsFunc(paths, func(p event.Path) bool { return p.Name == name }) {
			paths = append(paths, event.Path{Name: name, Op: op})
		}
		return len(paths) < maxChanged
	}
	diff.Get("files").Elements(func(_ int, file scan.Value) bool {
		op := "edit"
		switch {
		case file.Get("created").True():
			op = "create"
		case file.Get("deleted").True():
			op = "delete"
		}
		return add(file.Get("filePath"), op)
	})
	if len(paths) < maxChanged {
		diff.Get("changedFiles").Elements(func(_ int, name scan.Value) bool { return add(name, "edit") })
	}
	return paths
}
