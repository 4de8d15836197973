package lang

import (
	"slices"
	"strings"
)

const (
	maxPreferences   = 8     // of one prompt
	maxPreference    = 400   // bytes
	minPreference    = 8     // bytes
	preferenceWindow = 16384 // bytes of a prompt that are read: a longer one is pasted
)

// Preferences returns the sentences of a typed prompt that state a standing
// rule: what is always or never to be done, from now on or in this project.
// Questions, reports ("it always fails"), orders for once, quotes, code and
// pasted logs state none; in doubt a sentence is left out.
func Preferences(text string) []string {
	if len(text) > preferenceWindow {
		text = text[:boundaryBefore(text, preferenceWindow)]
	}
	var found []string
	lines := mdLines{text: text}
	for len(found) < maxPreferences {
		line, kind, ok := lines.next()
		if !ok {
			break
		}
		if kind != proseLine || looksPasted(line) {
			continue
		}
		line = strings.TrimSpace(line)
		line = line[bulletWidth(line):]
		for line != "" {
			var sentence string
			sentence, line = firstSentence(line)
			if rule := standingRule(sentence); rule != "" && !slices.Contains(found, rule) && len(found) < maxPreferences {
				found = append(found, rule)
			}
		}
	}
	return found
}

// standingRule returns the sentence without Markdown where it states a
// standing rule, else "".
func standingRule(sentence string) string {
	if len(sentence) < minPreference || len(sentence) > maxPreference {
		return ""
	}
	rule := strings.Trim(OneLine(plain(sentence)), " *_-")
	s := fold(rule)
	if asks(s) || strings.HasSuffix(s, ":") || quoted(s) {
		return ""
	}
	if englishRule(s) || foreignRule(s) || unspacedRule(s) {
		return rule
	}
	return ""
}

// quoted reports whether a sentence is somebody else's words.
func quoted(s string) bool {
	return strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "“") || strings.HasPrefix(s, "«") || strings.HasPrefix(s, "'")
}

// looksPasted reports whether a line of a prompt is rather a log's, a trace's
// or a program's than the user's.
func looksPasted(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '|' || line[0] == '$' || line[0] == '<' || line[0] == '{' || line[0] == '}' {
		return true
	}
	if strings.HasSuffix(line, ";") || strings.HasSuffix(line, "{") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "at ") {
		return true
	}
	head := line[:min(len(line), 48)]
	for _, sign := range []string{"ERROR", "WARN", "INFO ", "INFO:", "DEBUG", "FATAL", "error:", "Error:", "warning:", "Traceback", "Exception"} {
		if strings.Contains(head, sign) {
			return true
		}
	}
	digits := 0 // a time stamp
	for i := 0; i < min(len(head), 24); i++ {
		if '0' <= head[i] && head[i] <= '9' {
			digits++
		}
	}
	return digits >= 8
}

// englishRule reports whether a folded English sentence states a standing rule.
func englishRule(s string) bool {
	s = withoutLead(s, leads)
	if ruleOpeners.start(s) {
		return true
	}
	if s == "" || notRules.start(s) {
		return false
	}
	if endsIn(strings.TrimRight(s, " .!,;"), ruleEnds) {
		return true
	}
	if rest, ok := placeOpeners.cut(s); ok {
		return ordersThere(withoutLead(rest, leads))
	}
	if rest, ok := timeOpeners.cut(s); ok {
		rest = withoutLead(rest, leads)
		return strings.Contains(rest, " ") && !notRules.start(rest)
	}
	return directive(s)
}

// directive reports whether the beginning of a sentence orders something for
// good.
func directive(s string) bool {
	s = withoutLead(s, subjects)
	word, rest := asWord(s)
	rest = strings.TrimLeft(rest, " ,")
	second, _ := asWord(rest)
	switch word {
	case "always":
		return second != "" && !reports[second]
	case "never":
		return second != "" && !reports[second] && !neverReports[second]
	case "prefer":
		return second != "" && !picks[second]
	}
	if strings.HasPrefix(s, "only ever ") || usesInstead(s) {
		return true
	}
	// "commit messages should always be in English", "run lint before every commit"
	if at := indexAny(s, strongMiddles); at > 0 && !reports[firstOf(s)] && !strings.Contains(s[at:], "happen") {
		return true
	}
	return habits[word] && indexAny(s, everyTime) > 0
}

// ordersThere reports whether what follows "in this project" orders something
// and does not only tell of it.
func ordersThere(s string) bool {
	return directive(s) || customs.start(s) || orders.start(withoutLead(s, subjects))
}

// usesInstead reports whether a sentence chooses one thing for another in a
// short and general way: "use pnpm instead of npm", "we use tabs, not spaces".
func usesInstead(s string) bool {
	rest, ok := choices.cut(s)
	if !ok {
		return false
	}
	at := indexAny(rest, insteadOf)
	if at <= 0 || strings.Count(rest, " ") > 10 {
		return false
	}
	return indexAny(" "+rest+" ", onceOnly) < 0 && !strings.ContainsAny(rest, "/")
}

// withoutLead removes words that may stand before a rule, as often as they
// come.
func withoutLead(s string, leads *prefixes) string {
	for {
		s = strings.TrimLeft(s, " ,;:-–—")
		rest, ok := leads.cut(s)
		if !ok {
			return s
		}
		s = rest
	}
}

func firstOf(s string) string {
	word, _ := asWord(s)
	return word
}
