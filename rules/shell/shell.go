// Package shell says what a shell command line means for the memory: whether
// it only reads, what it is called, and whether it is a check or a step of
// version control.
//
// Command lines are parsed as shell, not matched as text. Lines of plain words
// and simple operators take a short cut that gives the same answer; what is no
// shell at all (PowerShell, cut-off text) is split into words as well as can
// be. The package runs nothing, expands nothing and looks at no file.
//
// Parse works in two steps. A walker turns the line into steps (its simple
// commands, those in loops, substitutions and `bash -c` strings included) and
// parts (the pipelines of its outermost list). The verdict is then taken from
// them by tables: readers (readers*.go), checks (checks.go, scripts.go) and
// releases (vcs.go).
package shell

import (
	"strings"
	"unicode/utf8"

	"github.com/kmemd/kmemd/store/fact"
)

// maxCommand bounds what is parsed of one command line, in bytes.
const maxCommand = 64 << 10

// Command is what a command line means.
type Command struct {
	Lookup  bool       // every command in it only reads
	Subject string     // the command without its wrapping, at most 90 bytes on one line; a commit's first line; a pull request's title
	Full    string     // Subject before it is cut: what commands are compared by
	Class   fact.Class // ClassCheck, ClassVCS or ClassOther
	Group   string     // of a check or vcs step: tool and subcommand, "go test", "npm run lint", "git push"; the last one of the line
	Whole   bool       // of a check: it runs everything, without a narrower target, filter or test
	Dir     string     // directory the command ran in: target of a cd before it, of git -C and its like; empty without one
	Piped   bool       // an exit code of 0 says nothing: it is that of a pipe's end, an || or a later command
	Git     string     // commit, push, merge, tag, pr, release or deploy: the step that Subject tells of, else empty
}

// Parse reads a command line as an agent ran it. It is deterministic and never
// fails: what it cannot read it takes for a command that does something.
func Parse(command string) Command {
	src, cut := bound(command)
	if src == "" {
		return Command{}
	}
	w := walker{src: src, line: &line{}}
	if cut || !w.plain() {
		if cut || !w.tree() {
			w = walker{src: src, line: &line{}}
			w.words()
		}
	}
	return w.line.verdict(src)
}

// bound returns the part of the text that is parsed, valid UTF-8, and whether
// it was cut.
func bound(command string) (string, bool) {
	src, cut := strings.TrimSpace(command), false
	if len(src) > maxCommand {
		src, cut = src[:maxCommand], true
	}
	if !utf8.ValidString(src) {
		src = strings.ToValidUTF8(src, "\uFFFD")
	}
	if strings.IndexByte(src, '\r') >= 0 {
		src = strings.ReplaceAll(src, "\r\n", "\n")
	}
	if strings.IndexByte(src, 0) >= 0 {
		src = strings.ReplaceAll(src, "\x00", "")
	}
	return src, cut
}
