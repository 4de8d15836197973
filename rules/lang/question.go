package lang

import "strings"

// maxQuestion is the longest question that is returned, in bytes.
const maxQuestion = 400

// LastQuestion returns the question that an agent's text ends with, without
// Markdown: the last one of its last paragraph, or, where that is a list of
// answers to choose from, of the paragraph before. Offers without a question
// mark ("Let me know if …", "If you want, I can …") count.
func LastQuestion(text string) (string, bool) {
	last, before := lastParagraphs(text)
	if q := questionIn(last); q != "" {
		return clipQuestion(q), true
	}
	if last != "" && bulletWidth(last) > 0 {
		if q := questionIn(before); q != "" {
			return clipQuestion(q), true
		}
	}
	return "", false
}

func clipQuestion(q string) string { return Clip(q, maxQuestion) }

// lastParagraphs returns the last two paragraphs of a text as lines of plain
// text. Code ends a paragraph and is left out; a list is a paragraph of its own.
func lastParagraphs(text string) (last, before string) {
	lines := mdLines{text: tailFrom(text)}
	var present, done, earlier []string
	list := false // the present paragraph is a list
	end := func() {
		if len(present) > 0 {
			earlier, done, present = done, present, earlier[:0]
		}
	}
	for {
		line, kind, ok := lines.next()
		if !ok {
			break
		}
		if kind != proseLine && kind != quoteLine || isRule(line) {
			end()
			continue
		}
		line = strings.TrimLeft(line, " \t#>")
		bullet := bulletWidth(line) > 0
		if bullet && !list {
			end()
		}
		list = bullet || list && len(present) > 0
		present = append(present, line)
	}
	end()
	return plainLines(done), plainLines(earlier)
}

// plainLines joins lines without their inline Markdown but for back-ticks.
func plainLines(lines []string) string {
	var dst []byte
	for i, line := range lines {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = appendPlain(dst, line, plainOptions{ticks: true})
	}
	return string(dst)
}

// tailWindow is how much of a text's end is searched for a question, in bytes.
const tailWindow = 8192

// tailFrom returns the end of a text from the start of a paragraph that is no
// code on.
func tailFrom(text string) string {
	if len(text) <= tailWindow {
		return text
	}
	from := len(text) - tailWindow
	lines := mdLines{text: text}
	for {
		_, kind, ok := lines.next()
		if !ok || lines.pos >= from && (kind == blankLine || kind == fenceLine && lines.fence.size == 0) {
			return text[lines.pos:]
		}
	}
}

// questionIn returns the last sentence of a paragraph that asks.
func questionIn(paragraph string) string {
	found := ""
	for _, line := range strings.Split(paragraph, "\n") {
		line = line[bulletWidth(line):]
		for line != "" {
			var sentence string
			if sentence, line = firstSentence(line); asks(sentence) || offers(sentence) {
				found = strings.Trim(OneLine(sentence), "*_ ")
			}
		}
	}
	return strings.ReplaceAll(found, "`", "")
}

// asks reports whether a sentence ends in a question mark. One inside a URL or
// inline code asks nothing.
func asks(sentence string) bool {
	sentence = strings.TrimRight(sentence, " \t*_\"')]”’»」）")
	for _, mark := range []string{"?", "？", "؟", "՞", "⁇", "⁈", "?!", "!?"} {
		if strings.HasSuffix(sentence, mark) {
			return len(sentence) > len(mark)+2
		}
	}
	// Languages that ask without the mark.
	sentence = strings.TrimRight(sentence, "。.！!")
	for _, end := range []string{"ですか", "ますか", "ましょうか", "でしょうか", "吗", "嗎", "呢", "할까요", "될까요", "을까요", "ㄹ까요", "나요", "습니까"} {
		if strings.HasSuffix(sentence, end) {
			return true
		}
	}
	return false
}

// offerOpeners open sentences that leave the next step to the user.
var offerOpeners = prefixList("let me know ", "just let me know", "tell me ", "say the word", "just say ", "if you want, ",
	"if you'd like, ", "if you like, ", "if you prefer, ", "if you agree, ", "if you would like, ", "if you want me to ",
	"if you'd like me to ", "if you want i ", "if you approve, ", "if that works", "if this looks good", "say if you ",
	"sag bescheid", "wenn du möchtest", "wenn sie möchten", "falls gewünscht", "dis-moi", "dites-moi", "si tu veux",
	"si vous voulez", "si vous le souhaitez", "si quieres", "si lo deseas", "dime si", "se quiser", "se vuoi",
	"если хотите", "если хочешь", "скажи", "скажите", "dacă vrei", "istersen")

// offers reports whether a sentence, without asking, leaves the next step to
// the user.
func offers(sentence string) bool {
	if len(sentence) < 12 || len(sentence) > 600 {
		return false
	}
	s := fold(strings.TrimLeft(sentence, " *_"))
	return offerOpeners.start(s) || strings.Contains(s, "say the word") || strings.Contains(s, ", let me know") || strings.Contains(s, "ご希望でしたら") ||
		strings.Contains(s, "如果需要") || strings.Contains(s, "如果你愿意") || strings.Contains(s, "告诉我")
}
