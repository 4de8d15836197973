package fact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// endLength is how much of a text's end says whether something is left, in
// characters.
const endLength = 220

// cutMark stands where the middle of a text was left out.
const cutMark = " […] "

// leftWords say that work is left. Like all lists of words they are matched at
// word boundaries.
var leftWords = []string{
	"not pushed", "not committed", "not merged", "not deployed", "not tested", "not yet", "not done",
	"not finished", "not complete", "not run", "not started", "not implemented", "not verified",
	"unpushed", "uncommitted", "untested", "unverified", "unfinished", "incomplete",
	"remaining", "remain", "remains", "still", "pending", "blocked", "todo", "to do", "wip", "tbd",
	"in progress", "next step", "next steps", "left to", "is left", "are left", "waiting", "awaiting",
	"outstanding", "haven't", "hasn't", "have not", "has not", "yet to", "unresolved", "needs to be",
	"need to be", "follow up needed", "should i", "shall i", "would you like", "do you want", "want me to",
	// German, French, Spanish, Portuguese, Italian, Russian
	"noch nicht", "ausstehend", "offen", "verbleibt", "verbleiben", "soll ich", "fehlt noch",
	"pas encore", "en attente", "il reste", "reste à", "aún no", "todavía no", "pendiente", "falta", "faltan",
	"ainda não", "pendente", "non ancora", "in sospeso", "rimane", "осталось", "ещё не", "еще не",
}

// leftMarks say the same in scripts that set no blanks between words.
var leftMarks = []string{
	"尚未", "还没", "還沒", "还需", "還需", "未完成", "待处理", "待處理", "剩余", "剩餘", "是否",
	"まだ", "残り", "未完了", "未対応", "保留中", "ましょうか", "아직", "남은", "남아",
}

// settled are words that, right before one of leftWords, turn its meaning
// round: "nothing remaining", "no longer blocked".
var settled = []string{"no", "nothing", "none", "not", "longer", "without", "zero", "0", "kein", "keine", "nichts", "rien", "nada"}

// stillGood are words that, after "still", tell of no work: "still passes".
var stillGood = []string{"pass", "work", "green", "holds", "valid", "the same"}

// Unfinished reports whether the end of a text, such as an outcome, asks
// something or says that something is left.
func Unfinished(text string) bool {
	if at := strings.LastIndex(text, cutMark); at >= 0 {
		text = text[at+len(cutMark):] // what stands before is the beginning
	}
	end := fold(lastCharacters(strings.TrimSpace(text), endLength))
	if asks(end) {
		return true
	}
	for _, mark := range leftMarks {
		if strings.Contains(end, mark) {
			return true
		}
	}
	for _, phrase := range leftWords {
		if saysLeft(end, phrase) {
			return true
		}
	}
	return false
}

// lastCharacters returns the last n characters of a text.
func lastCharacters(text string, n int) string {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:]
}

// asks reports whether a question mark ends a sentence of the text: not one
// inside a URL or an expression.
func asks(text string) bool {
	for i, r := range text {
		switch r {
		case '？', '؟', '⁇', '⁈', '՞':
			return true
		case '?':
			next, size := utf8.DecodeRuneInString(text[i+1:])
			if size == 0 || unicode.IsSpace(next) || strings.ContainsRune(`?!)]}>*_"'”’»、。`, next) {
				return true
			}
		}
	}
	return false
}

// saysLeft reports whether a phrase stands in the text with its own meaning.
func saysLeft(text, phrase string) bool {
	for {
		at := indexPhrase(text, phrase)
		if at < 0 {
			return false
		}
		after := text[at+len(phrase):]
		if !negated(text[:at]) && !(phrase == "still" && good(after)) {
			return true
		}
		text = after
	}
}

// negated reports whether one of the last two words of a text, in the same
// sentence, is one of settled.
func negated(before string) bool {
	if at := strings.LastIndexAny(before, ".;:!?,\n"); at >= 0 {
		before = before[at+1:]
	}
	words := strings.Fields(before)
	for _, word := range words[max(0, len(words)-2):] {
		for _, s := range settled {
			if word == s {
				return true
			}
		}
	}
	return false
}

// good reports whether what follows "still" is one of stillGood.
func good(after string) bool {
	after = strings.TrimLeft(after, " \t")
	for _, word := range stillGood {
		if strings.HasPrefix(after, word) {
			return true
		}
	}
	return false
}
