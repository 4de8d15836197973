package lang

import (
	"strings"
	"unicode"
)

// Bullet is what one bullet of a compaction summary says. Section is decision,
// context, progress or error; Key is ready for use: it classifies as that.
type Bullet struct{ Section, Key, Value string }

const (
	maxBullets      = 60
	maxBulletValue  = 500 // bytes
	maxLabelWords   = 6
	maxBulletNested = 8
)

// SummaryBullets returns the top-level bullets of the sections of a compaction
// summary that are worth an entry. Nested bullets count only for a bullet that
// has nothing of its own behind its label. Bullets of errors with fixes come
// with "resolved: " in front.
func SummaryBullets(summary string) []Bullet {
	var found []Bullet
	for _, b := range summaryBlocks(summary) {
		name := b.title.section.name()
		if name == "" {
			continue
		}
		for _, item := range bulletItems(b.lines) {
			if bullet, ok := readBullet(item, b.title.section); ok && len(found) < maxBullets {
				bullet.Section = name
				bullet.Key = typedKey(bullet.Key, name)
				found = append(found, bullet)
			}
		}
	}
	return found
}

// item is a top-level bullet as written, with the bullets nested in it.
type item struct {
	text   string
	nested []string
}

// bulletItems collects the top-level bullets among the lines of a section.
func bulletItems(lines []string) []item {
	var items []item
	level := -1 // column of the top-level bullets
	inNested := false
	for _, line := range lines {
		column, at := indent(line)
		rest := strings.TrimSpace(line[at:])
		width := bulletWidth(rest)
		switch {
		case rest == "":
		case width > 0 && (level < 0 || column <= level):
			level = max(column, 0)
			inNested = false
			items = append(items, item{text: rest[width:]})
		case len(items) == 0:
		case width > 0:
			last := &items[len(items)-1]
			inNested = true
			if len(last.nested) < maxBulletNested {
				last.nested = append(last.nested, rest[width:])
			}
		case column > level && !inNested:
			last := &items[len(items)-1]
			if len(last.text) < maxBulletValue {
				last.text += " " + rest
			}
		}
	}
	return items
}

// readBullet splits a bullet into key and value.
func readBullet(it item, sec section) (Bullet, bool) {
	text, state := itemState(it.text)
	if state == "done" {
		return Bullet{}, false
	}
	label, value := splitLabel(text)
	if strings.TrimSpace(value) == "" && len(it.nested) > 0 {
		value = strings.Join(it.nested, "; ")
	}
	label = strings.Trim(OneLine(plain(label)), " :.*_")
	value = strings.Trim(OneLine(plain(value)), " *")
	if nothing(value) || nothing(label) && label != "" {
		return Bullet{}, false
	}
	key := label
	if key == "" || !isLabel(key) {
		if label != "" && !strings.HasPrefix(value, label) {
			value = label + ": " + value
		}
		key = value
	}
	if state != "" {
		value = state + ": " + value
	}
	if sec == fixedSection && !holdsAny(fold(value), stillOpen) {
		value = "resolved: " + value
	}
	return Bullet{Key: Slug(key), Value: Clip(value, maxBulletValue)}, true
}

// stillOpen says of an error listed with its fix that it has none.
var stillOpen = []string{"not yet fixed", "not fixed", "not yet resolved", "not resolved", "unresolved", "still failing", "still broken"}

// itemState reads a check box or a status in brackets that a bullet begins
// with.
func itemState(s string) (text, state string) {
	s = strings.TrimSpace(s)
	end := strings.IndexByte(s, ']')
	if s == "" || s[0] != '[' || end < 0 || end > 16 {
		return s, ""
	}
	text = strings.TrimSpace(s[end+1:])
	switch strings.ToLower(strings.TrimSpace(s[1:end])) {
	case "x", "done", "completed", "complete", "✓", "✔":
		return text, "done"
	case "in progress", "in_progress", "in-progress", "~", "wip", "active":
		return text, "in progress"
	case "", "todo", "pending", "to do":
		return text, ""
	}
	return s, ""
}

// splitLabel splits a bullet at its label: bold, or up to the first ": ".
func splitLabel(s string) (label, value string) {
	if strings.HasPrefix(s, "**") {
		inner, rest, ok := strings.Cut(s[2:], "**")
		if ok {
			rest = strings.TrimSpace(rest)
			if after, colon := strings.CutPrefix(rest, ":"); colon {
				return inner, after
			}
			if strings.HasSuffix(strings.TrimSpace(inner), ":") || rest == "" {
				return inner, rest
			}
			for _, dash := range []string{"— ", "– ", "- ", "-> ", "→ "} {
				if after, found := strings.CutPrefix(rest, dash); found {
					return inner, after
				}
			}
			return "", s
		}
	}
	at := strings.Index(s, ": ")
	if at < 0 {
		if strings.HasSuffix(s, ":") {
			return s[:len(s)-1], ""
		}
		return "", s
	}
	if label = s[:at]; !isLabel(plain(label)) {
		return "", s
	}
	return label, s[at+2:]
}

// isLabel reports whether words may be the key of a bullet: at most six, and
// none that is a path or a name with a dot in it.
func isLabel(s string) bool {
	fields := strings.Fields(s)
	if len(fields) == 0 || len(fields) > maxLabelWords || strings.ContainsAny(s, "/\\") {
		return false
	}
	for _, field := range fields {
		if at := strings.IndexByte(field, '.'); at >= 0 && at < len(field)-1 {
			return false
		}
	}
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// nothing reports whether the text of a bullet says that there is none.
func nothing(s string) bool {
	s = fold(strings.Trim(s, " .()[]-–—*_"))
	switch s {
	case "", "none", "n/a", "na", "nothing", "nil", "null", "not applicable", "none identified", "none yet", "none explicitly", "empty":
		return true
	}
	for _, opener := range []string{"none ", "none,", "none.", "none;", "none—", "none)", "no explicit", "no pending", "no further", "no outstanding",
		"no remaining", "nothing pending", "nothing remaining", "n/a "} {
		if strings.HasPrefix(s, opener) {
			return !strings.HasPrefix(s, "none of ")
		}
	}
	return false
}

// typedKey puts a section's type in front of a slug that would not classify as
// it by its own words.
func typedKey(slug, typ string) string {
	if slugType(slug) == typ {
		return slug
	}
	return typ + ":" + slug
}

// slugTypes say, in order, what the words of a slug make of it: the rows of the
// table of types that a key without a prefix can meet.
var slugTypes = []struct {
	typ   string
	words []string // as they are or with -s
	stems []string
}{
	{"prompt", []string{"goal", "task"}, []string{"prompt"}},
	{"purpose", []string{"why"}, []string{"purpose", "reason"}},
	{"progress", []string{"wip"}, []string{"progress"}},
	{"status", []string{"state"}, []string{"status"}},
	{"decision", nil, []string{"decision", "decided"}},
	{"preference", []string{"like"}, []string{"prefer"}},
	{"error", []string{"bug", "bugfix"}, []string{"error", "fail"}},
	{"file", []string{"file", "path", "dir", "filename", "filepath", "directory", "directories"}, nil},
	{"context", []string{"env", "environment"}, []string{"context", "config"}},
	{"result", []string{"done"}, []string{"result", "output"}},
}

// slugType returns the type that a slug classifies as by its words.
func slugType(slug string) string {
	switch slug {
	case "last_action", "last_files":
		return ""
	}
	for _, row := range slugTypes {
		if row.typ == "progress" && strings.Contains(slug, "in_progress") {
			return row.typ
		}
		for word := range strings.SplitSeq(slug, "_") {
			for _, w := range row.words {
				if word == w || word == w+"s" {
					return row.typ
				}
			}
			for _, stem := range row.stems {
				if strings.HasPrefix(word, stem) {
					return row.typ
				}
			}
		}
	}
	return ""
}
