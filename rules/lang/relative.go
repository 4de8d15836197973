package lang

import (
	"path"
	"strconv"
	"strings"
)

// maxNamed is how many paths a list names.
const maxNamed = 20

// Relative returns a path below the project's directory relative to it, with
// slashes; "." for the directory itself. Any other path is returned as it is,
// without a leading "./". Drives and paths on them are compared without
// regard to case.
func Relative(name, project string) string {
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, `.\`) {
		return cleanRelative(name)
	}
	project = strings.TrimRight(project, `/\`)
	if project == "" || len(name) < len(project) {
		return name
	}
	windows := hasDrive(project + "/")
	head, rest := name[:len(project)], name[len(project):]
	switch {
	case windows:
		if !strings.EqualFold(slashes(head), slashes(project)) {
			return name
		}
		rest = slashes(rest)
	case head != project:
		return name
	}
	if rest == "" {
		return "."
	}
	if rest[0] != '/' {
		return name
	}
	cleaned := path.Clean(strings.TrimLeft(rest, "/"))
	if cleaned == ".." || strings.HasPrefix(cleaned, "../") {
		return name
	}
	return cleaned
}

// cleanRelative cleans a path that begins with a dot and a separator.
func cleanRelative(name string) string {
	if strings.HasPrefix(name, `.\`) {
		name = slashes(name)
	}
	return path.Clean(name)
}

// slashes turns backslashes into slashes.
func slashes(s string) string { return strings.ReplaceAll(s, `\`, "/") }

// JoinPaths joins paths with ", ": at most twenty, then "+N more".
func JoinPaths(paths []string) string {
	if len(paths) <= maxNamed {
		return strings.Join(paths, ", ")
	}
	return strings.Join(paths[:maxNamed], ", ") + ", +" + strconv.Itoa(len(paths)-maxNamed) + " more"
}
