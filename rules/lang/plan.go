package lang

import "strings"

const (
	maxTitle         = 120 // bytes
	maxPlanParagraph = 400
)

// planLeads are words before a plan that are no part of it.
var planLeads = []string{"implement the following plan", "execute the following plan", "implement this plan",
	"please implement", "here is the plan", "here's the plan", "proposed plan"}

// planSections are headings that say nothing of a plan's subject.
var planSections = set("plan", "context", "summary", "overview", "goal", "goals", "background", "problem", "introduction",
	"objective", "implementation plan", "the plan", "approach", "tl;dr", "intro", "motivation")

// PlanTitle names a plan: "TITLE — first paragraph", each without Markdown and
// shortened. A plan without a title or without a paragraph is named by what it
// has.
func PlanTitle(text string) string {
	title, paragraph := "", ""
	lines := mdLines{text: text}
	for paragraph == "" || title == "" {
		line, kind, ok := lines.next()
		if !ok {
			break
		}
		line = strings.TrimSpace(line)
		if kind != proseLine || line == "" || isRule(line) || lonelyTag(line) {
			continue
		}
		heading, level := headingText(line)
		switch {
		case level > 0 && title == "":
			if name := planName(heading); name != "" {
				title = name
			}
		case level > 0 || planLead(line):
		case line[0] == '|':
		case paragraph == "":
			paragraph = planParagraph(&lines, line)
		default:
			title, paragraph = paragraph, planParagraph(&lines, line)
		}
	}
	title, paragraph = Clip(title, maxTitle), Clip(paragraph, maxPlanParagraph)
	if title == "" || paragraph == "" || title == paragraph {
		return title + strings.TrimPrefix(paragraph, title)
	}
	return title + " — " + paragraph
}

// planName cleans a heading that may name a plan, "" where it names nothing.
func planName(heading string) string {
	name := strings.Trim(OneLine(plain(heading)), " :*")
	for _, lead := range []string{"implementation plan", "plan"} {
		if len(name) <= len(lead) || !strings.EqualFold(name[:len(lead)], lead) {
			continue
		}
		rest := strings.TrimLeft(name[len(lead):], " ")
		if after := strings.TrimLeft(rest, " :-–—"); after != "" && len(after) < len(rest) {
			name = after
			break
		}
	}
	if planSections[strings.ToLower(name)] {
		return ""
	}
	return name
}

// planLead reports whether a line only introduces a plan.
func planLead(line string) bool {
	folded := fold(strings.Trim(line, " *_:.#"))
	for _, lead := range planLeads {
		if strings.HasPrefix(folded, lead) && len(folded) < len(lead)+24 {
			return true
		}
	}
	return false
}

// planParagraph reads on to the end of the paragraph that begins with a line.
func planParagraph(lines *mdLines, line string) string {
	line = line[:boundaryBefore(line, 4*maxPlanParagraph)]
	dst := appendPlain(nil, line[bulletWidth(line):], plainOptions{ticks: true})
	bullet := bulletWidth(line) > 0
	for len(dst) < maxPlanParagraph {
		next, kind, ok := lines.next()
		next = strings.TrimSpace(next)
		if _, level := headingText(next); !ok || kind != proseLine || level > 0 || isRule(next) || lonelyTag(next) {
			break
		}
		if n := bulletWidth(next); n > 0 {
			next = next[n:]
			if bullet {
				dst = append(dst, ';')
			}
			bullet = true
		}
		dst = append(dst, ' ')
		dst = appendPlain(dst, next, plainOptions{ticks: true})
	}
	return OneLine(string(dst))
}
