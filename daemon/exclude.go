package daemon

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// excluded reports whether a directory or a file is never read or stored: by a
// command, or by a pattern of the configuration.
func (d *Daemon) excluded(path string) bool {
	return d.pool.IsExcluded(path) || matchesAny(d.config().Exclude, path)
}

// matchesAny reports whether a path, or a directory above it, matches one of
// the patterns. "~/clients/**" also covers ~/clients itself.
func matchesAny(patterns []string, path string) bool {
	path = filepath.ToSlash(path)
	for _, p := range patterns {
		p = filepath.ToSlash(p)
		if path == strings.TrimSuffix(p, "/**") {
			return true
		}
		for at := path; at != ""; {
			if ok, err := doublestar.Match(p, at); err == nil && ok {
				return true
			}
			cut := strings.LastIndexByte(at, '/')
			if cut <= 0 {
				break
			}
			at = at[:cut]
		}
	}
	return false
}
