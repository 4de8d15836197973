package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kmemd/kmemd/rules/lang"
)

// rules are sentences that state a standing rule.
var rules = []string{
	"Always run the linter before you commit.",
	"always use tabs",
	"Please always write tests first.",
	"Also, always answer in English.",
	"You should always ask before deleting files.",
	"Make sure to always rebase.",
	"Make sure you never push to main.",
	"Never push to main.",
	"never commit generated files",
	"Please never use mocks in these tests.",
	"Don't ever force-push.",
	"Do not ever edit the schema by hand.",
	"Never ever touch the vendor folder.",
	"From now on use pnpm.",
	"From now on, write commit messages in English.",
	"Going forward, tests live next to the code.",
	"Use pnpm from now on.",
	"In this project we use tabs.",
	"In this repo, always squash.",
	"In this project, don't use default exports.",
	"In this codebase we never mock the database.",
	"For this project use British spelling.",
	"We use pnpm, not npm.",
	"we use tabs not spaces",
	"We use Vitest instead of Jest.",
	"Use uv instead of pip.",
	"Please use const rather than let.",
	"Prefer small commits.",
	"I prefer tabs over spaces.",
	"We prefer composition over inheritance.",
	"I never want emojis in commit messages.",
	"We always use UTC.",
	"I want you to always show the diff first.",
	"Commit messages should always be in English.",
	"Public functions must never panic.",
	"Run the formatter before every commit.",
	"Update the changelog after each change.",
	"As a rule, keep functions short.",
	"Remember to always bump the version.",
	"- Always use `ctx` as the first parameter.",
	"Immer zuerst die Tests schreiben.",
	"Verwende immer Tabs.",
	"Bitte nie auf main pushen.",
	"Ab jetzt bitte auf Deutsch antworten.",
	"In diesem Projekt verwenden wir pnpm statt npm.",
	"Utilise toujours des tabulations.",
	"Ne pousse jamais sur main.",
	"À partir de maintenant, réponds en français.",
	"Dans ce projet, on utilise pnpm.",
	"Usa siempre tabulaciones.",
	"Nunca hagas push a main.",
	"A partir de ahora responde en español.",
	"Sempre rode os testes antes.",
	"Usa sempre i tab.",
	"Всегда пиши тесты.",
	"Никогда не пушь в main.",
	"Gebruik altijd tabs.",
	"Zawsze pisz testy.",
	"항상 테스트를 먼저 작성해 주세요.",
	"앞으로는 한국어로 대답해 주세요.",
	"常にタブを使ってください。",
	"今後はコミットメッセージを英語で書いてください。",
	"このプロジェクトではpnpmを使うこと。",
	"npmではなくpnpmを使ってください。",
	"总是使用制表符。",
	"从现在开始请用中文回答。",
	"永远不要直接推送到 main，必须开 PR。",
	"请使用 pnpm 而不是 npm。",
	"以后提交信息要用英文。",
}

// reports are sentences that state none.
var reports = []string{
	"Never mind.",
	"nevermind, it works",
	"I always get this error.",
	"Why does it always fail?",
	"It always fails on CI.",
	"This always returns null.",
	"The cache is never invalidated.",
	"The test never finishes.",
	"Should we always use tabs?",
	"Do you always rebase?",
	"I've never seen this before.",
	"We never got an answer.",
	"Never worked for me.",
	"always the same error",
	"It should never happen.",
	"Use the first one instead of the second here.",
	"Use this instead of that.",
	"I prefer option 2.",
	"I prefer the second one.",
	"prefer this",
	"Add a retry to the upload job.",
	"Do not add the full name.",
	"Don't push yet.",
	"Fix the login.",
	"Run the tests.",
	"In this project there is a bug in the cart.",
	"In this repo the build takes long.",
	"In the future of the web, who knows?",
	"Can you make sure it always rebases?",
	"He said \"always use tabs\" once: ignore it?",
	"\"Always use tabs\" is what the guide says.",
	"> Always use tabs.",
	"```\nalways use tabs\n```",
	"    always use tabs",
	"2026-01-02 10:11:12 always retry the upload",
	"ERROR always fails to connect",
	"error: never used",
	"warning: field is never read",
	"const x = always();",
	"// always use tabs",
	"| always | use tabs |",
	"When I always click twice it breaks.",
	"Warum schlägt es immer fehl?",
	"Ich bekomme immer diesen Fehler.",
	"Es funktioniert immer noch nicht.",
	"Pourquoi ça échoue toujours ?",
	"J'ai toujours la même erreur.",
	"Siempre me da este error.",
	"¿Por qué siempre falla?",
	"Sempre me dá esse erro.",
	"Всегда получаю эту ошибку.",
	"Почему всегда падает?",
	"항상 에러가 나와요.",
	"いつも失敗します。",
	"なぜ常に落ちるのですか？",
	"为什么总是失败？",
	"总是报错。",
	"always",
	"",
}

func TestPreferences(t *testing.T) {
	t.Parallel()
	for _, text := range rules {
		if got := lang.Preferences(text); len(got) != 1 {
			t.Errorf("Preferences(%q) = %q, want one", text, got)
		}
	}
	for _, text := range reports {
		if got := lang.Preferences(text); len(got) != 0 {
			t.Errorf("Preferences(%q) = %q, want none", text, got)
		}
	}
}

func TestPreferencesOfPrompt(t *testing.T) {
	t.Parallel()
	text := "Please fix the cart total. From now on, **always** run `make lint` first!\n" +
		"- Never push to main.\n- Never push to main.\n\nThe log:\n```\nalways retry\n```\nWhy does it never stop?"
	want := []string{"From now on, always run make lint first!", "Never push to main."}
	if diff := cmp.Diff(want, lang.Preferences(text), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var many strings.Builder
	for _, rule := range rules {
		many.WriteString(rule + "\n")
	}
	if got := lang.Preferences(many.String()); len(got) != 8 {
		t.Errorf("a pasted guide gives %d preferences, want 8", len(got))
	}
}

func FuzzPreferences(f *testing.F) {
	f.Add("From now on, **always** `x`. 今後は必ず使うこと。 never\xff")
	f.Fuzz(func(t *testing.T, s string) {
		for _, rule := range lang.Preferences(s) {
			if rule == "" || len(rule) > 400 || utf8.ValidString(s) && !utf8.ValidString(rule) {
				t.Errorf("Preferences(%q) gives %q", s, rule)
			}
		}
	})
}
