package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// The lines of a patch in Codex's own form that say something.
const (
	codexPatchBegin = "*** Begin Patch"
	codexPatchEnd   = "*** End Patch"
)

// codexPathsMax bounds the files of one call.
const codexPathsMax = 100

// takePatch makes the call one that applies this patch.
func (c *codexCall) takePatch(patch string) {
	c.Patch = true
	c.Paths, c.Added, c.Removed = codexPatch(patch)
	c.Subject = codexFirstPath(c.Paths)
}

// codexPatch reads which files a patch touches and how many lines it adds and
// removes. A file that it moves counts under its new name.
func codexPatch(patch string) (paths []event.Path, added, removed int) {
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "*** "); ok {
			paths = codexPatchLine(paths, name)
			continue
		}
		switch {
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return paths, added, removed
}

func codexPatchLine(paths []event.Path, line string) []event.Path {
	what, name, ok := strings.Cut(line, ": ")
	if name = headOf(strings.TrimSpace(name), 1000); !ok || name == "" {
		return paths
	}
	op := map[string]string{"Add File": "create", "Update File": "edit", "Delete File": "delete"}[what]
	switch {
	case what == "Move to" && len(paths) > 0:
		paths[len(paths)-1] = event.Path{Name: name, Op: "move"}
	case op != "" && len(paths) < codexPathsMax:
		paths = append(paths, event.Path{Name: name, Op: op})
	}
	return paths
}

// codexFirstPath is what a write is about: its first file.
func codexFirstPath(paths []event.Path) string {
	if len(paths) == 0 {
		return ""
	}
	return paths[0].Name
}

// codexChanges reads the files that an event says were changed.
func codexChanges(changes scan.Value) []event.Path {
	var paths []event.Path
	changes.Each(func(key []byte, change scan.Value) bool {
		p := event.Path{Name: headOf(strings.ToValidUTF8(string(key), "\uFFFD"), 1000), Op: "edit"}
		kind := change.Get("type")
		switch {
		case kind.TextIs("add"):
			p.Op = "create"
		case kind.TextIs("delete"):
			p.Op = "delete"
		}
		if moved := change.Get("move_path").Text(1000); moved != "" {
			p.Name, p.Op = moved, "move"
		}
		paths = append(paths, p)
		return len(paths) < codexPathsMax
	})
	return paths
}
