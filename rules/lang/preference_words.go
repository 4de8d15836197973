package lang

import "strings"

// leads are words that may stand before a rule in English.
var leads = prefixList("please ", "pls ", "also, ", "also ", "and ", "but ", "so ", "ok, ", "ok ", "okay ", "oh ", "btw ", "note: ",
	"note that ", "remember: ", "remember that ", "remember, ", "important: ", "rule: ", "reminder: ", "for the record, ", "fyi ",
	"just ", "hey ", "as a reminder, ", "keep in mind that ", "keep in mind: ", "and also ", "in general, ", "in general ",
	"generally, ", "one more thing: ", "one thing: ")

// subjects are words that may stand between the start of a sentence and its
// order.
var subjects = prefixList("you should ", "you must ", "you need to ", "you have to ", "we should ", "we must ", "we need to ",
	"we have to ", "make sure that you ", "make sure you ", "make sure to ", "make sure that we ", "make sure we ", "be sure to ",
	"remember to ", "i want you to ", "i need you to ", "i would like you to ", "i'd like you to ", "i expect you to ",
	"please ", "you ", "we ", "i ", "claude ", "agents should ", "agents must ", "also ", "let's ", "ensure you ", "try to ")

// notRules open sentences that only look like rules.
var notRules = prefixList("never mind", "nevermind", "why ", "how ", "what ", "when ", "where ", "is ", "are ", "does ", "do you",
	"did ", "can ", "could ", "would ", "i always ", "i never ", "i've ", "it ", "it's ", "this always", "this never", "that always",
	"that never", "they ", " he ", "she ", "there ", "always the same", "never again", "because ", "if it ",
	"seems ", "looks like", "maybe ", "perhaps ", "we always get", "we never get", "we always had", "we've ", "you always ", "you never ",
	"always fails", "always failing", "never works", "never worked")

// ruleOpeners open standing rules, whatever follows.
var ruleOpeners = prefixList("don't ever ", "do not ever ", "dont ever ", "never ever ", "as a rule", "as a general rule",
	"a general rule:", "the rule is", "house rule", "our convention is", "our rule is", "from here on ", "henceforth ",
	"from this point on", "make it a rule", "i don't ever want", "i never want", "i do not ever want", "i always want",
	"i always prefer", "we always use", "we never use", "you should always ", "you should never ", "you must always ",
	"you must never ", "by convention")

// ruleEnds end standing rules, whatever precedes.
var ruleEnds = []string{"from now on", "going forward", "from here on out", "in the future", "as a standing rule", "as a rule",
	"at all times", "from this point on"}

// timeOpeners say since when a rule holds: whatever follows is ordered.
var timeOpeners = prefixList("from now on", "going forward", "moving forward", "in the future", "in future")

// placeOpeners say where a rule holds: what follows must order something.
var placeOpeners = prefixList("in this project", "in this repository", "in this repo", "in this codebase", "in this code base",
	"in our project", "in our codebase", "in our repo", "in our team", "on this project", "for this project", "for this repo",
	"for this codebase", "for all projects", "in this workspace", "in all projects", "throughout this project",
	"within this project", "across the codebase")

// customs tell what a team does by custom.
var customs = prefixList("we use ", "we don't ", "we do not ", "we only ", "we keep ", "we write ", "we follow ", "we name ",
	"we put ", "we run ", "we target ", "we support ", "we prefer ", "we test ", "we commit ", "we call ", "everything is ",
	"all commits ", "all code ", "all tests ", "no ")

// orders open what, after a place, is ordered for good.
var orders = prefixList("don't ", "do not ", "use ", "only ", "avoid ", "write ", "keep ", "run ", "put ", "follow ", "name ",
	"format ", "document ", "target ", "commit ", "stick to ", "test ", "call ", "prefix ", "ask ", "leave ", "make ")

// choices open a choice of one thing for another, insteadOf joins the two.
var (
	choices   = prefixList("use ", "we use ", "we write ", "we prefer ", "i use ", "stick to ", "stick with ")
	insteadOf = []string{" instead of ", ", not ", " not ", " rather than ", " over ", ", never "}
)

// strongMiddles make a sentence about things a rule.
var strongMiddles = []string{" should always ", " should never ", " must always ", " must never ", " shall never ",
	" are never to be ", " is never to be ", " are always to be ", " must not ever "}

// everyTime say that an order holds again and again.
var everyTime = []string{"before every ", "before each ", "after every ", "after each ", "on every ", "for every ", "every time you",
	"every time we", "each time you", "each time we", "whenever you", "whenever we", "before committing", "before pushing",
	"before you commit", "before you push"}

// habits are orders that may hold every time.
var habits = set("run", "use", "write", "check", "format", "lint", "test", "build", "ask", "update", "commit", "keep", "add",
	"rebase", "squash", "verify", "regenerate", "bump", "remember", "read", "put", "follow", "include", "explain", "show")

// reports are words after "always" and "never" with which a sentence reports
// and orders nothing.
var reports = set("get", "gets", "got", "getting", "fails", "failed", "fail", "failing", "happens", "happened", "seems", "works",
	"worked", "is", "was", "been", "had", "has", "have", "see", "saw", "seeing", "returns", "returned", "shows", "showed", "says",
	"said", "crashes", "crashed", "breaks", "broke", "throws", "gives", "gave", "ends", "ended", "the", "a", "it", "this",
	"that", "on", "works,", "there", "wondered", "thought", "knew", "comes", "goes", "went", "returning", "showing", "being",
	"succeeds", "passes", "passed", "hangs", "times", "forget", "forgets", "wrong", "true", "false", "null", "empty", "zero")

// neverReports are such words after "never" only.
var neverReports = set("mind", "seen", "heard", "tried", "used", "finished", "finishes", "ran", "runs", "did", "does", "do",
	"called", "gets", "reached", "fired", "executed", "done", "again", "ever", "in", "happen", "know", "worked", "once", "know,",
	"got", "came", "resolved", "reported", "intended", "asked", "told", "wanted", "needed", "updated", "closed", "shown")

// picks are words after "prefer" with which a sentence picks one thing for
// once.
var picks = set("this", "that", "the", "option", "it", "your", "these", "those", "to", "1", "2", "3", "a", "b", "first", "second",
	"not", "if", "we", "you", "one")

// onceOnly are words with which a choice holds here only.
var onceOnly = []string{" here ", " here.", " this ", " that ", " for now ", " these ", " those ", " the ", " it ", " now ", " instead.",
	" line ", " today ", " when ", " because ", " since ", " error ", " my ", " your "}

// foreign are the rules of one more language that sets blanks between words:
// what opens a standing rule, what says "always" or "never" in an order, and
// what shows that a sentence only reports.
type foreign struct {
	openers *prefixes // with what follows they are a rule
	strong  []string  // in the first words of a sentence
	reports []string  // anywhere
}

// languages are the rules of other languages, folded.
var languages = []foreign{
	{ // German
		prefixList("ab jetzt ", "ab sofort ", "von nun an ", "in diesem projekt ", "in diesem repo ", "künftig ", "in zukunft ",
			"zukünftig ", "grundsätzlich ", "generell ", "wir verwenden nie", "wir verwenden immer", "bevorzuge "),
		[]string{"immer ", "niemals ", "nie ", "stets "},
		[]string{"warum", "wieso", "funktioniert", "bekomme", "schlägt", "kommt immer", "ist immer", " es ", "das ist", " ich ", "immer noch",
			"immer wieder", "hat nie", "wird nie", " habe", " hat ", " war ", "tritt", " gibt", "immer mehr", "noch immer", " läuft", "geht nie"},
	},
	{ // French
		prefixList("à partir de maintenant", "désormais", "dorénavant", "dans ce projet", "dans ce dépôt", "en règle générale", "préfère ", "préférez ",
			"à l'avenir"),
		[]string{"toujours ", "jamais "},
		[]string{"pourquoi", "c'est toujours", "ça ne ", "toujours pas", "j'ai", " je ", " il ", " elle ", "n'a jamais", "est toujours", "toujours la même",
			"toujours une erreur", "a toujours", "échoue"},
	},
	{ // Spanish
		prefixList("a partir de ahora", "de ahora en adelante", "en este proyecto", "en este repositorio", "como regla", "prefiere ", "en adelante"),
		[]string{"siempre ", "nunca ", "jamás "},
		[]string{"por qué", "porque ", "siempre falla", "siempre me ", "siempre da", "siempre sale", "nunca funciona", "nunca ha ", "está siempre",
			"es siempre", "me da", "nunca me", "lo de siempre", " he "},
	},
	{ // Portuguese
		prefixList("a partir de agora", "daqui em diante", "daqui pra frente", "neste projeto", "neste repositório", "como regra"),
		[]string{"sempre ", "nunca ", "jamais "},
		[]string{"por que", "sempre falha", "sempre dá", "sempre me", "nunca funciona", "está sempre", "é sempre", "nunca foi", "nunca vi"},
	},
	{ // Italian
		prefixList("d'ora in poi", "da ora in poi", "in questo progetto", "come regola", "d'ora in avanti"),
		[]string{"sempre ", "mai ", "non usare mai ", "non fare mai "},
		[]string{"perché", "fallisce", "sempre errore", "mi dà", "è sempre", "ha mai", "non ha", "ottengo"},
	},
	{ // Russian
		prefixList("с этого момента", "отныне", "впредь", "в этом проекте", "в этом репозитории", "с этого времени", "в дальнейшем"),
		[]string{"всегда ", "никогда не "},
		[]string{"почему", "всегда падает", "всегда получаю", "у меня", "никогда не работал", "это всегда", "всегда ошибка", " я "},
	},
	{ // Dutch
		prefixList("vanaf nu ", "voortaan ", "in dit project "),
		[]string{"altijd ", "nooit "},
		[]string{"waarom", " het ", " ik ", "werkt", "faalt", "krijg"},
	},
	{ // Polish
		prefixList("od teraz ", "w tym projekcie "),
		[]string{"zawsze ", "nigdy nie "},
		[]string{"dlaczego", "zawsze się", "dostaję", "nie działa"},
	},
	{ // Korean, which sets blanks
		prefixList("앞으로는 ", "앞으로 ", "지금부터 ", "이 프로젝트에서는 ", "이 프로젝트에서 ", "이제부터 "),
		[]string{"항상 ", "절대 ", "절대로 ", "반드시 ", "무조건 "},
		[]string{"왜 ", "실패", "에러가", "오류가", "나와요", "안 돼", "안돼", "발생"},
	},
}

// strongWindow is how far into a sentence "always" of another language may
// stand, in words: an order has it early.
const strongWindow = 3

// foreignLeads are words that may stand before a rule in other languages.
var foreignLeads = prefixList("bitte ", "s'il te plaît", "stp ", "por favor", "per favore", "пожалуйста", "und ", "et ", "y ", "e ", "и ")

// foreignRule reports whether a folded sentence of another language with
// blanks between words states a standing rule.
func foreignRule(s string) bool {
	s = withoutLead(s, foreignLeads)
	for i := range languages {
		l := &languages[i]
		opened := l.openers.start(s) && strings.Count(s, " ") >= 3
		if !opened && !strongIn(s, l.strong) {
			continue
		}
		if indexAny(" "+s, l.reports) >= 0 {
			return false
		}
		return true
	}
	return false
}

// strongIn reports whether one of the words stands among the first ones of s
// and something follows.
func strongIn(s string, strong []string) bool {
	for _, word := range strong {
		at := strings.Index(s, word)
		if at < 0 || at > 0 && s[at-1] != ' ' || len(s) == at+len(word) {
			continue
		}
		if strings.Count(s[:at], " ") < strongWindow {
			return true
		}
	}
	return false
}

// unspacedOpeners, unspacedStrong, unspacedOrders and unspacedReports are the
// same for Japanese and Chinese.
var (
	unspacedOpeners = prefixList("今後は", "これからは", "このプロジェクトでは", "このリポジトリでは", "以降は", "从现在开始", "从现在起", "從現在開始",
		"今后", "今後", "以后", "以後", "在这个项目中", "在这个项目里", "这个项目里", "本项目", "在本项目中", "這個專案")
	unspacedStrong = []string{"必ず", "常に", "絶対に", "決して", "いつも", "总是", "總是", "始终", "始終", "永远不要", "永遠不要", "务必", "務必", "一律",
		"不要再", "绝不", "絕不", "每次都"}
	unspacedOrders = []string{"ください", "下さい", "こと", "使う", "使い", "しない", "するな", "して", "书写", "请", "請", "用", "使用", "不要", "应该", "應該",
		"必须", "必須", "要", "写", "写在", "保持", "运行", "提交", "遵循", "お願い", "ほしい", "禁止"}
	unspacedReports = []string{"为什么", "為什麼", "なぜ", "失败", "失敗", "エラー", "报错", "報錯", "出错", "落ちる", "落ちて", "吗", "嗎"}
)

// unspacedRule is foreignRule for languages without blanks between words.
func unspacedRule(s string) bool {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x3041 && r <= 0x9FFF }) < 0 {
		return false
	}
	if indexAny(s, unspacedReports) >= 0 || indexAny(s, unspacedOrders) < 0 {
		return false
	}
	return unspacedOpeners.start(s) || indexAny(s, unspacedStrong) >= 0 ||
		strings.Contains(s, "ではなく") && strings.Contains(s, "使") && strings.Contains(s, "ください") ||
		strings.Contains(s, "而不是") && (strings.HasPrefix(s, "请") || strings.HasPrefix(s, "使用") || strings.HasPrefix(s, "用"))
}
