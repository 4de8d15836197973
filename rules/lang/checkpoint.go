package lang

import "strings"

const (
	maxCheckpoint     = 2000 // bytes
	maxCheckpointPart = 420  // bytes a section
)

// parts are the parts of a checkpoint in its order. Of pending and next only
// one is shown.
var parts = [...]struct {
	part part
	name string
}{
	{pendingPart, "Pending"},
	{nextPart, "Next"},
	{currentPart, "Current work"},
	{goalPart, "Goal"},
	{progressPart, "Progress"},
	{decisionPart, "Decisions"},
	{contextPart, "Context"},
}

// Checkpoint condenses a compaction summary to at most 2,000 bytes, a line a
// section: what is pending or next, the current work, the goal, progress,
// decisions and context. A summary without such sections gives its condensed
// text.
func Checkpoint(summary string) string {
	var found [partCount]string
	blocks := summaryBlocks(summary)
	for _, b := range blocks {
		if p := b.title.part; p != noPart && len(found[p]) < maxCheckpointPart {
			text := sectionText(b.lines, p == pendingPart || p == nextPart)
			if found[p] != "" && text != "" {
				text = found[p] + "; " + text
			}
			if text != "" {
				found[p] = text
			}
		}
	}
	var b strings.Builder
	for _, p := range parts {
		text := found[p.part]
		if text == "" || p.part == nextPart && found[pendingPart] != "" {
			continue
		}
		text = p.name + ": " + cutSection(text, maxCheckpointPart-len(p.name)-2)
		if b.Len() > 0 {
			text = "\n" + text
		}
		if b.Len()+len(text) > maxCheckpoint {
			break
		}
		b.WriteString(text)
	}
	if b.Len() == 0 {
		return OneLine(Condense(withoutPreface(summaryBody(summary)), maxCheckpointPart))
	}
	return b.String()
}

// sectionText joins the lines of a section: one item after the other. A section
// that says there is nothing gives nothing; open leaves out what is ticked off.
func sectionText(lines []string, open bool) string {
	var b strings.Builder
	for _, line := range lines {
		_, at := indent(line)
		rest := strings.TrimSpace(line[at:])
		width := bulletWidth(rest)
		text, state := itemState(rest[width:])
		if text == "" || isRule(text) || nothing(plain(text)) || open && state == "done" {
			continue
		}
		if state != "" {
			text = state + ": " + text
		}
		if text = OneLine(plain(text)); !strings.HasSuffix(text, ellipsis) {
			text = strings.TrimSuffix(text, ".")
		}
		switch before := b.String(); {
		case before == "":
		case width > 0 && !strings.HasSuffix(before, ":"):
			b.WriteString("; ")
		case strings.HasSuffix(before, ":"):
			b.WriteString(" ")
		default:
			b.WriteString(". ")
		}
		b.WriteString(text)
		if b.Len() > 4*maxCheckpointPart {
			break
		}
	}
	return b.String()
}

// cutSection cuts a section at limit bytes, mark included, where possible after
// an item or a sentence.
func cutSection(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = s[:boundaryBefore(s, limit-len(ellipsis))]
	if at := max(strings.LastIndex(s, "; "), strings.LastIndex(s, ". ")); at > limit*2/3 {
		s = s[:at+1]
	}
	return strings.TrimRight(s, " ;.") + ellipsis
}

// withoutPreface cuts off the sentence with which an agent hands a summary on.
func withoutPreface(s string) string {
	s = strings.TrimSpace(s)
	for _, preface := range []string{"This session is being continued", "Another language model started", "Context summary:"} {
		if strings.HasPrefix(s, preface) {
			if _, rest, ok := strings.Cut(s, "\n"); ok {
				return rest
			}
		}
	}
	return s
}
