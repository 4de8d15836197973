package store

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameBytes is how much of a directory's readable name goes into its store's name.
const nameBytes = 100

// maxPath is the longest directory that is taken for one, in bytes.
const maxPath = 4096

// Encode returns the name of the store of a directory: its readable path, then
// "-" and 16 hex digits of the path's SHA-256. It is at most 117 bytes long and
// differs for any two directories; it looks at no disk.
func Encode(cwd string) string {
	dir := normal(cwd)
	sum := sha256.Sum256([]byte(dir))
	return readable(dir) + "-" + hex.EncodeToString(sum[:8])
}

// readable turns every run of characters other than letters, digits, "." and
// "_" into one "-" and cuts at a character.
func readable(dir string) string {
	var b strings.Builder
	gap := false
	for _, r := range dir {
		if r != utf8.RuneError && (r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			if b.Len()+utf8.RuneLen(r) > nameBytes {
				break
			}
			b.WriteRune(r)
			gap = false
			continue
		}
		if !gap {
			if b.Len()+1 > nameBytes {
				break
			}
			b.WriteByte('-')
		}
		gap = true
	}
	return b.String()
}

// normal brings a directory into the one form that is compared and hashed:
// cleaned, forward slashes, drive letters in upper case. It looks at no disk.
func normal(cwd string) string {
	if cwd == "" {
		return ""
	}
	if drive(cwd) || strings.HasPrefix(cwd, `\\`) {
		cwd = strings.ReplaceAll(cwd, `\`, "/")
		cwd = strings.TrimPrefix(cwd, "//?/")
		if drive(cwd) {
			return strings.ToUpper(cwd[:1]) + ":" + path.Clean("/"+cwd[2:])
		}
		return "/" + path.Clean(cwd)
	}
	return path.Clean(cwd)
}

// drive reports whether a path begins with a Windows drive letter.
func drive(p string) bool {
	if len(p) < 2 || p[1] != ':' || len(p) > 2 && p[2] != '/' && p[2] != '\\' {
		return false
	}
	c := p[0] | 0x20
	return 'a' <= c && c <= 'z'
}

// absolute reports whether a normalised path can be a working directory at all.
// Transcripts are hostile: nothing else may name a store.
func absolute(dir string) bool {
	if len(dir) > maxPath || strings.ContainsFunc(dir, func(r rune) bool { return r < 0x20 || r == 0x7f }) {
		return false
	}
	return strings.HasPrefix(dir, "/") || drive(dir)
}

// within reports whether dir is base or lies below it.
func within(base, dir string) bool {
	if base == dir {
		return true
	}
	if strings.HasSuffix(base, "/") {
		return strings.HasPrefix(dir, base)
	}
	return len(dir) > len(base) && dir[len(base)] == '/' && dir[:len(base)] == base
}

// parent returns the directory above, and false at a root.
func parent(dir string) (string, bool) {
	up := path.Dir(dir)
	if up == dir || up == "." || len(dir) == 3 && drive(dir) {
		return "", false
	}
	if len(up) == 2 && drive(up) {
		up += "/"
	}
	return up, true
}
