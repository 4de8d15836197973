package shell

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// A line is a command line taken apart.
type line struct {
	steps []step
	parts []part
}

// A step is one simple command, wherever in the line it stands.
type step struct {
	kind
	reads bool   // only reads
	noise bool   // says nothing about the work: cd, echo, export …
	lost  bool   // its exit code does not reach the end of the line
	dir   string // where it ran, as far as the line says
	title string // commit message's or pull request's first line
}

// A part is one pipeline of the outermost list.
type part struct {
	op       string // operator before it: "&&", "||" or ";"
	text     string // without trailing filters and silent redirects
	from, to int    // its steps
}

// kind is what a simple command is for.
type kind struct {
	class fact.Class
	group string
	git   string
	whole bool
}

// gitRank orders the vcs steps of one line by how much they tell of the work.
var gitRank = map[string]int{
	"pr": 8, "commit": 7, "release": 6, "deploy": 5, "tag": 4, "merge": 3, "push": 2,
}

// verdict sums the line up.
func (l *line) verdict(src string) Command {
	c := Command{Lookup: len(l.steps) > 0}
	c.Lookup = c.Lookup && !l.gives()
	chosen, best := -1, -2
	for i := range l.steps {
		s := &l.steps[i]
		c.Lookup = c.Lookup && s.reads
		if w := s.weight(); w > best || w == best && w >= 3 {
			chosen, best = i, w
		}
	}
	if chosen >= 0 {
		s := &l.steps[chosen]
		c.Class, c.Group, c.Whole, c.Dir, c.Piped = s.class, s.group, s.whole, s.dir, s.lost
	}
	var title string
	if c.Class == fact.ClassVCS {
		c.Whole = false
		c.Git, title = l.told()
	}
	if title == "" {
		title = l.text(c.Class, src)
	}
	c.Full = oneLine(title)
	c.Subject = clip(c.Full)
	return c
}

// gives reports whether the line ends in an error of its own making: "echo
// missing && exit 3" is no lookup that found nothing.
func (l *line) gives() bool {
	if len(l.parts) == 0 {
		return false
	}
	last := l.parts[len(l.parts)-1]
	code, ok := strings.CutPrefix(last.text, "exit ")
	n, err := strconv.Atoi(code)
	return ok && err == nil && n != 0 && last.op != "||"
}

// weight orders steps: noise, lookups, the rest, checks, version control. Of
// equal steps that are more than that the last one counts, since it decides
// how the line ends; of others the first one.
func (s *step) weight() int {
	switch {
	case s.class == fact.ClassVCS:
		return 4
	case s.class == fact.ClassCheck:
		return 3
	case s.noise:
		return -1
	case s.reads:
		return 0
	}
	return 1
}

// told returns the vcs step that says most and the title that goes with the line.
func (l *line) told() (git, title string) {
	for i := range l.steps {
		s := &l.steps[i]
		if s.class != fact.ClassVCS {
			continue
		}
		if gitRank[s.git] >= gitRank[git] {
			git = s.git
			if s.title != "" {
				title = s.title
			}
		} else if title == "" {
			title = s.title
		}
	}
	return git, title
}

// text joins the parts that tell: of a line with a class those that have one,
// else all but the noise.
func (l *line) text(class fact.Class, src string) string {
	var b strings.Builder
	for _, p := range l.parts {
		noise, classless := true, true
		for _, s := range l.steps[p.from:p.to] {
			noise = noise && s.noise
			classless = classless && s.class == fact.ClassOther
		}
		if noise || classless && class != fact.ClassOther || p.text == "" {
			continue
		}
		if b.Len() > 0 {
			if p.op != ";" {
				b.WriteByte(' ')
			}
			b.WriteString(p.op)
			b.WriteByte(' ')
		}
		b.WriteString(p.text)
		if b.Len() > 4*maxSubject {
			break
		}
	}
	if b.Len() == 0 {
		return src
	}
	return b.String()
}
