package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestShort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"":                   true,
		"ok":                 true,
		"hold up":            true,
		"push":               true,
		"go on please":       true,
		"fix the login":      true,
		"fix the login page": false,
		"... !!! ???":        true,
		"fix #12":            false,
		"use port 8080":      false,
		"see https://x.test": false,
		"www.x.test":         false,
		"src/cart.go":        false,
		"cart.go":            false,
		"fix cart.go":        false,
		"Makefile":           false,
		"@src/cart.go":       false,
		"~/notes":            false,
		"and/or":             true,
		"/clear":             true,
		"/fix the login":     false,
		"C:\\work\\a.go":     false,
		"修正":                 true,
		"登录页面坏了":             true,
		"请修复登录页面的错误":         false,
		"ログインを直して":           false,
		"直して":                true,
		"แก้":                true,
		"แก้ไขหน้าเข้าสู่ระบบ": false,
		"로그인 고쳐":                     true,
		"로그인 페이지 오류를 고쳐 줘":           false,
		"почини вход":                true,
		"почини вход на сайт скорее": false,
		"أصلح الدخول":                true,
	} {
		if got := lang.Short(text); got != want {
			t.Errorf("Short(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestGoAhead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"yes", "Yes.", "YES!", "yep", "yeah", "ok", "OK", "okay", "k", "sure", "sure thing, go ahead", "go", "go ahead", "Go ahead.", "do it", "do it!",
		"yes, do it", "Yes please", "yes please do", "continue", "Continue.", "please continue", "proceed", "please proceed", "sounds good", "sounds good, thanks",
		"looks good to go", "LGTM", "ship it", "let's go", "let’s do it", "ok go", "1", "1.", "(2)", "option 1", "option b", "1 and 3", "yes, 2", "both", "both please",
		"all of them", "implement the plan", "Implement the plan.", "go with the fix", "go ahead with the implementation", "👍", "👍🏽", "yes 🚀", "ok, thanks!",
		"ja", "Ja, bitte", "mach das", "mach weiter", "weiter", "passt", "leg los", "oui", "d'accord", "vas-y", "oui, vas-y !", "sí", "Sí, por favor", "dale", "adelante",
		"vale, sigue", "sim", "pode fazer", "va bene", "tak", "да", "давай", "продолжай", "да, пожалуйста", "evet", "devam et", "ja, gerne",
		"はい", "はい、お願いします", "続けて", "進めてください。", "好", "好的", "好的，继续", "继续", "可以", "没问题", "네", "응", "계속해줘", "네, 진행해주세요",
		"نعم", "हाँ", "ใช่", "ya, lanjutkan", "có", "כן",
	} {
		if !lang.GoAhead(text) {
			t.Errorf("GoAhead(%q) = false", text)
		}
	}
	for _, text := range []string{
		"", "no", "No.", "nope", "stop", "wait", "not yet", "yes?", "ok?", "ok but use tabs", "yes, and add tests for the cart", "continue with the next file after that",
		"hold up", "push", "commit", "thanks", "please", "👎", "fix the login", "why", "10", "2024", "nein", "non", "いいえ", "不", "아니요", "нет",
		"do not do it", "yes\nbut first fix the cart", "it is ok to fail", "undo", "revert it", "ok now it works",
	} {
		if lang.GoAhead(text) {
			t.Errorf("GoAhead(%q) = true", text)
		}
	}
}

func TestLastQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"Done. Shall I push?", "Shall I push?"},
		{"Done.\n\nWould you like me to **push** the `main` branch?", "Would you like me to push the main branch?"},
		{"Which one?\n\nIt is done.", ""},
		{"I asked why? Then it was clear.", "I asked why?"},
		{"First? Second? Done.", "Second?"},
		{"Which do you prefer?\n\n1. Redis\n2. Postgres", "Which do you prefer?"},
		{"Which do you prefer?\n1. Redis\n2. Postgres", "Which do you prefer?"},
		{"Options:\n- Redis?\n- Postgres", "Redis?"},
		{"> Shall we quote?", "Shall we quote?"},
		{"Shall I run this?\n```\nrm -rf x?\n```", "Shall I run this?"},
		{"```\nwhy?\n```", ""},
		{"See https://x.test/?a=b for more", ""},
		{"The `ready?` flag is set", ""},
		{"Let me know if you want me to push it.", "Let me know if you want me to push it."},
		{"If you want, I can also add a chart.", "If you want, I can also add a chart."},
		{"Not pushed — say the word and I'll do it.", "Not pushed — say the word and I'll do it."},
		{"## Next\nShall I go on?", "Shall I go on?"},
		{"続けますか？", "続けますか？"},
		{"プッシュしましょうか。", "プッシュしましょうか。"},
		{"要我继续吗", "要我继续吗"},
		{"Soll ich pushen?", "Soll ich pushen?"},
		{"¿Quieres que lo suba?", "¿Quieres que lo suba?"},
		{"هل أتابع؟", "هل أتابع؟"},
		{"All done.", ""},
		{"", ""},
		{"??", ""},
	} {
		got, ok := lang.LastQuestion(tt.text)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("LastQuestion(%q) = %q, %v, want %q", tt.text, got, ok, tt.want)
		}
	}
}

func TestLastQuestionOfLongText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A line about the shop and its cart.\n\n", 400)
	fenced := long + "```\n" + strings.Repeat("code\n", 2000) + "```\n"
	for _, tt := range []struct{ name, text, want string }{
		{"at the end", long + "Shall I push?", "Shall I push?"},
		{"after long code", fenced + "Shall I push?", "Shall I push?"},
		{"inside long code", long + "```\n" + strings.Repeat("why?\n", 2000), ""},
	} {
		if got, _ := lang.LastQuestion(tt.text); got != tt.want {
			t.Errorf("%s: LastQuestion = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPlanTitle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"# Cart totals\n\nAdd a total row.\n\nMore.", "Cart totals — Add a total row."},
		{"Implement the following plan:\n\n# Plan: Cart totals\n\n## Context\n\nThe cart has **no** total.\nIt should.\n\n## Steps\n1. a", "Cart totals — The cart has no total. It should."},
		{"# Implementation Plan\n\n## Overview\nAdd a total row.", "Add a total row."},
		{"<proposed_plan>\n# Cart panel\n## Summary\nAdd a panel:\n- one\n- two\n</proposed_plan>", "Cart panel — Add a panel: one; two"},
		{"Add a total row\n\nIt sums the cart.", "Add a total row — It sums the cart."},
		{"# Plan for the cart\n\nText.", "Plan for the cart — Text."},
		{"# Cart", "Cart"},
		{"# Cart\n\n```\ncode\n```\n\nText.", "Cart — Text."},
		{"", ""},
	} {
		if got := lang.PlanTitle(tt.text); got != tt.want {
			t.Errorf("PlanTitle(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzPrompt(f *testing.F) {
	f.Add("yes, do it 👍🏽 `x`? 1. <b>\n# T\n\n> q?")
	f.Add("はい、続けますか\xff")
	f.Add("\f")
	f.Fuzz(func(t *testing.T, s string) {
		lang.Short(s)
		lang.GoAhead(s)
		q, ok := lang.LastQuestion(s)
		if ok != (q != "") || utf8.ValidString(s) && !utf8.ValidString(q) || len(q) > 403 {
			t.Errorf("LastQuestion(%q) = %q, %v", s, q, ok)
		}
		if title := lang.PlanTitle(s); len(title) > 540 || !utf8.ValidString(title) {
			t.Errorf("PlanTitle(%q) = %q", s, title)
		}
	})
}
