package lang

import "strings"

// exclamations are sentences that say nothing.
var exclamations = set("perfect", "great", "excellent", "awesome", "wonderful", "fantastic", "nice", "sure", "certainly",
	"of course", "absolutely", "got it", "understood", "good", "amazing", "brilliant", "sure thing", "alright", "all right",
	"okay", "ok", "right", "good question", "great question", "good catch", "good point", "great", "you're right",
	"you're absolutely right", "you are right", "you are absolutely right", "that's right", "good idea", "great idea",
	"looks good", "very good", "sounds good", "no problem", "will do", "super", "parfait", "perfekt", "perfecto",
	"great news", "good news", "exactly", "yes", "hello", "hi", "here we go", "here you go")

// announcers open sentences that only announce what follows.
var announcers = prefixList("let me", "now let me", "now i'll", "i'll now", "i will now", "let's", "here's", "here is",
	"here are", "below is", "to summarize", "to summarise", "in summary", "now i can", "now, let me",
	"i'll provide", "i'll summarize", "i'll summarise", "allow me", "this is")

// announcing holds the bytes that such sentences begin with.
var announcing = [256]bool{'l': true, 'L': true, 'n': true, 'N': true, 'i': true, 'I': true, 'h': true, 'H': true, 'b': true, 'B': true,
	't': true, 'T': true, 'a': true, 'A': true}

// announced are what such sentences announce.
var announced = []string{"summar", "overview", "recap", "what i did", "what i changed", "what i've", "what was ",
	"what changed", "what's changed", "what happened", "breakdown", "what i fixed", "what i added", "what i found",
	"what we", "the changes", "the result", "run down", "rundown", "what you need"}

// genericHeadings are headings that say nothing by themselves.
var genericHeadings = set("summary", "changes", "changes made", "what changed", "what i did", "overview", "results",
	"result", "details", "tl;dr", "summary of changes", "what was done", "changes summary", "final summary", "answer",
	"zusammenfassung", "résumé", "resumen", "概要", "まとめ", "总结", "变更", "要約", "摘要")

// genericHeading reports whether a heading can go.
func genericHeading(s string) bool {
	s = strings.Trim(s, " *_:.!#")
	return len(s) <= 32 && genericHeadings[strings.ToLower(s)]
}

// dropFiller removes sentences without content from the first paragraph of a
// text, which ends at first: exclamations that open it and announcements. A
// text that is nothing else keeps it.
func dropFiller(body string, first int) (string, int) {
	rest, after := body[:first], body[first:]
	for range 4 {
		sentence, left := firstSentence(strings.TrimLeft(rest, " \t\n"))
		if !isExclamation(sentence) && !announces(sentence) {
			break
		}
		rest = strings.TrimLeft(left, " \t\n")
	}
	kept := dropAnnouncement(rest)
	if kept == "" {
		after = strings.TrimLeft(after, " \n")
		if after == "" {
			return body, first
		}
		end := strings.IndexByte(after, '\n')
		if end < 0 {
			end = len(after)
		}
		return after, end
	}
	if len(kept) == len(rest) {
		return body[first-len(rest):], len(rest)
	}
	return kept + after, len(kept)
}

// dropAnnouncement removes an announcement that ends a paragraph.
func dropAnnouncement(s string) string {
	line := strings.LastIndexByte(s, '\n') + 1
	for at := line; at < len(s); {
		end := sentenceEnd(s, at)
		if end == len(s) && at > 0 && announces(s[at:]) {
			return strings.TrimRight(s[:at], " \n")
		}
		at = end
		for at < len(s) && isBlank(s[at]) {
			at++
		}
	}
	return s
}

// isExclamation reports whether a sentence is one of exclamations.
func isExclamation(s string) bool {
	if len(s) > 40 {
		return false
	}
	bare := strings.Trim(fold(s), " .!,:;*🎉✅👍")
	return bare != "" && strings.ContainsAny(s, "!.,:") && exclamations[bare]
}

// announces reports whether a sentence only announces what follows.
func announces(s string) bool {
	if len(s) < 8 || len(s) > 160 {
		return false
	}
	switch s[len(s)-1] {
	case ':', '.', '!':
	default:
		return false
	}
	s = strings.TrimLeft(s, " \t*")
	if s == "" || !announcing[s[0]] {
		return false
	}
	rest, ok := announcers.cut(fold(s))
	return ok && rest != "" && (rest[0] == ' ' || rest[0] == ',') && holdsAny(rest, announced)
}
