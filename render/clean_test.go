package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "",
		"  plain  ":                     "plain",
		"a\nb":                          "a / b",
		"a\r\n\r\n  b  \r\n":            "a / b",
		"\n\n":                          "",
		"a\u2028b\u2029c\u0085d\ve\ff":  "a / b / c / d / e / f",
		"x\ty":                          "x y",
		"two  blanks":                   "two  blanks",
		"a\x00b\x07c\x7f":               "abc",
		"\x1b[1;31mred\x1b[0m end":      "red end",
		"\x1b]0;title\aafter":           "after",
		"\x1b]8;;http://x\x1b\\link":    "link",
		"\x1b]never ends":               "never ends",
		"\x1bPq#0\x1b\\after":           "after",
		"\x1b(Bafter\x1b=end":           "afterend",
		"\u009b31mred":                  "red",
		"cut\x1b":                       "cut",
		"\u202eabc\u202c":               "abc",
		"a\u200bb\ufeffc\u2060d\u00ade": "abcde",
		"\u2066x\u2069\u200e\u061c":     "x",
		"👩\u200d👩\u200d👧":               "👩\u200d👩\u200d👧",
		"🏳️\u200d🌈":                     "🏳️\u200d🌈",
		"👍🏽\u200d":                      "👍🏽",
		"a\u200db":                      "ab",
		"👩\u200d \u200d👧":               "👩 👧",
		"❤️":                            "❤️",
		"\ufe0f\ufe0fx\ufe0f\ufe0f":     "x\ufe0f",
		"\U000e0041\U000e0001x":         "x",
		"\u3164\u115fx":                 "x",
		"\xffx":                         "\ufffdx",
		"\u0601x":                       "\u0601x",
		"e\u0301":                       "e\u0301",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzOneLine(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := oneLine(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\x1b\x00\u2028\u202e") {
			t.Errorf("oneLine(%q) = %q", s, got)
		}
		if again := oneLine(got); again != got {
			t.Errorf("oneLine(%q) = %q, and of that %q", s, got, again)
		}
		if strings.ContainsAny(escape(got), "<>") {
			t.Errorf("escape(%q) = %q", got, escape(got))
		}
	})
}

func TestCut(t *testing.T) {
	t.Parallel()
	family := "👩\u200d👩\u200d👧" // 18 bytes
	for _, test := range []struct {
		in     string
		limit  int
		middle bool
		want   string
	}{
		{"short", 5, false, "short"},
		{"longer text", 6, false, "longer..."},
		{"longer text", 7, false, "longer..."},
		{"longer", 0, false, "..."},
		{"a" + family, 10, false, "a..."},
		{family + "b", 18, false, family + "..."},
		{"e\u0301e\u0301", 4, false, "e\u0301..."},
		{"🇩🇪🇫🇷", 12, false, "🇩🇪..."},
		{strings.Repeat("head ", 12) + strings.Repeat("tail ", 12) + "end", 60, true, "head head head head […] tail tail tail tail tail end"},
		{"first part here" + cutMiddle + strings.Repeat("tail ", 20) + "end", 60, true, "first part here […] tail tail tail tail tail tail end"},
		{strings.Repeat("漢", 40), 60, true, strings.Repeat("漢", 7) + cutMiddle + strings.Repeat("漢", 10)},
		{strings.Repeat("word ", 40), 40, true, "word word word word word word word word..."},
	} {
		if got := cut(test.in, test.limit, test.middle); got != test.want {
			t.Errorf("cut(%q, %d, %v) = %q, want %q", test.in, test.limit, test.middle, got, test.want)
		}
	}
}

func TestCutProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := oneLine(genValue.Draw(t, "value"))
		limit := rapid.IntRange(0, 700).Draw(t, "limit")
		got := cut(s, limit, rapid.Bool().Draw(t, "middle"))
		if len(got) > max(len(s), limit)+len(cutEnd) || len(s) > limit && len(got) > limit+len(cutEnd) {
			t.Errorf("%d bytes of %d for a limit of %d", len(got), len(s), limit)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8", got)
		}
		if head, ok := strings.CutSuffix(got, cutEnd); ok && got != s {
			if before, _ := strings.CutPrefix(s, head); len(before)+len(head) == len(s) && !boundary(s, len(head)) {
				t.Errorf("%q is cut inside a character of %q", got, s)
			}
		}
	})
}

// boundary reports whether s may be cut at a place.
func boundary(s string, at int) bool {
	n := 0
	for rest, state := s, -1; rest != "" && n < at; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n += len(cluster)
	}
	return n == at
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"": 0, "a": 1, "abcd": 1, "abcde": 2, "é": 1, "aé": 2, "abcdé": 2, "漢字": 2, "👩\u200d👧": 3, "\xff\xfe": 2,
	} {
		if got := Tokens(s); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]string{
		-500: "just now", 0: "just now", 59: "just now", 60: "1m ago", 3599: "59m ago", 3600: "1h ago", 86399: "23h ago", 86400: "1d ago", 200_000: "2d ago",
	} {
		if got := age(1_800_000_000_000, 1_800_000_000_000-seconds*1000); got != want {
			t.Errorf("age of %d s = %q, want %q", seconds, got, want)
		}
	}
}

func TestPromptWords(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"":                       "",
		"fix the API":            "fix api",
		"Why does the SQL fail?": "sql fail",
		"config.yaml re-try":     "config yaml",
		"it's the user's error":  "user error",
		"don't rename foo_bar":   "rename foo bar",
		"добавь почту и ЕЩЁ":     "добавь почту ещё",
		"漢字テスト":                  "漢字 字テ テス スト",
		"カート合計 total":            "カー ート ト合 合計 total",
		"장바구니":                   "장바 바구 구니",
		"db io":                  "",
	} {
		if got := strings.Join(promptWords(prompt), " "); got != want {
			t.Errorf("words of %q = %q, want %q", prompt, got, want)
		}
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prompt, key, value string
		want               int
	}{
		{"handler", "handlers", "", 2},
		{"handler", "x", "the Handlers", 1},
		{"handler", "handler", "handler", 2},
		{"handlers", "handler", "", 0},
		{"rate", "x", "separate", 0},
		{"order", "sortOrder", "", 2},
		{"api", "x", "rapid capital", 0},
		{"почта", "x", "Почта и почтальон", 1},
		{"合計を直す", "合計", "", 2},
		{"合計", "x", "税込合計額", 1},
		{"café", "x", "CAFÉ au lait", 1},
	} {
		if got := newSearch(test.prompt).score(test.key, test.value); got != test.want {
			t.Errorf("score of %q: %q for %q = %d, want %d", test.key, test.value, test.prompt, got, test.want)
		}
	}
}
