package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestMarkers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []lang.Pair
	}{
		{"plain", "[MEMORY: db] Postgres", []lang.Pair{{"db", "Postgres"}}},
		{"no blank after the colon", "[MEMORY:db] Postgres", []lang.Pair{{"db", "Postgres"}}},
		{"in the middle of a text", "Done.\n\n[MEMORY: a] 1\nMore.", []lang.Pair{{"a", "1"}}},
		{"twice", "[MEMORY: a] 1\n[MEMORY: a] 2", []lang.Pair{{"a", "1"}, {"a", "2"}}},
		{"star", "* [MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"number", "2. [MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"two bullets", "- - [MEMORY: a] 1", nil},
		{"quote and bullet", "> - [MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"nested quote", "> > [MEMORY: a] 1", nil},
		{"bold key", "**[MEMORY: a]** 1", []lang.Pair{{"a", "1"}}},
		{"bold line", "- **[MEMORY: a] one two**", []lang.Pair{{"a", "one two"}}},
		{"value with bold", "[MEMORY: a] **one** two", []lang.Pair{{"a", "**one** two"}}},
		{"crlf", "[MEMORY: a] 1\r\n[MEMORY: b] 2\r\n", []lang.Pair{{"a", "1"}, {"b", "2"}}},
		{"key with a bracket", "[MEMORY: a [b]] c", []lang.Pair{{"a [b", "] c"}}},
		{"second marker in the value", "[MEMORY: a] [MEMORY: b] c", []lang.Pair{{"a", "[MEMORY: b] c"}}},
		{"no close", "[MEMORY: a 1", nil},
		{"value on the next line", "[MEMORY: a]\n1", nil},
		{"before it stands text", "note: [MEMORY: a] 1", nil},
		{"in a heading", "# [MEMORY: a] 1", nil},
		{"tilde fence", "~~~\n[MEMORY: a] 1\n~~~\n[MEMORY: b] 2", []lang.Pair{{"b", "2"}}},
		{"long fence", "````md\n```\n[MEMORY: a] 1\n```\n[MEMORY: b] 2\n````\n[MEMORY: c] 3", []lang.Pair{{"c", "3"}}},
		{"fence with an info string", "```text title=x\n[MEMORY: a] 1\n```", nil},
		{"fence that is never closed", "[MEMORY: a] 1\n```\n[MEMORY: b] 2", []lang.Pair{{"a", "1"}}},
		{"other fence does not close", "```\n~~~\n[MEMORY: a] 1\n```\n[MEMORY: b] 2", []lang.Pair{{"b", "2"}}},
		{"fence in a list", "1. run\n   ```\n   [MEMORY: a] 1\n   ```\n[MEMORY: b] 2", []lang.Pair{{"b", "2"}}},
		{"fence in a quote", "> ```\n> [MEMORY: a] 1\n> ```\n> [MEMORY: b] 2", []lang.Pair{{"b", "2"}}},
		{"tab", "text\n\n\t[MEMORY: a] 1", nil},
		{"indented under text", "Example:\n    [MEMORY: a] 1", nil},
		{"nested in a list", "- item\n    - [MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"three ticks inside a line", "```[MEMORY: a] 1```\n[MEMORY: b] 2", []lang.Pair{{"b", "2"}}},
		{"inline code over lines", "use `x\n[MEMORY: a] 1\ny` so", nil},
		{"a lone tick is no code", "it`s fine\n[MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"memory block", "<memory>\nLegend\n[MEMORY: a] 1\n</memory>\n[MEMORY: b] 2", []lang.Pair{{"b", "2"}}},
		{"memory block that is never closed", "<memory>\n[MEMORY: a] 1", nil},
		{"block opened in a line", "It said <memory> this:\n[MEMORY: a] 1\n</memory>", nil},
		{"mention of the block", "I read the <memory> block.\n[MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"block on one line", "<memory>x</memory>\n[MEMORY: a] 1", []lang.Pair{{"a", "1"}}},
		{"the block in a value", "[MEMORY: a] the <memory> block\n[MEMORY: b] 2", []lang.Pair{{"a", "the <memory> block"}, {"b", "2"}}},
		{"wide", "[MEMORY: 設定] 値 です", []lang.Pair{{"設定", "値 です"}}},
	} {
		if diff := cmp.Diff(tt.want, lang.Markers(tt.text), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: Markers(%q) (-want +got):\n%s", tt.name, tt.text, diff)
		}
	}
}

func FuzzMarkers(f *testing.F) {
	f.Add("- **[MEMORY: a]** b\n```\n[MEMORY: c] d\n> [MEMORY: e] f `x\n[MEMORY: g] `h")
	f.Add("<memory>\n[MEMORY: a] 1\n</memory>[MEMORY: b] 2")
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range lang.Markers(s) {
			if p.Key == "" || p.Value == "" || strings.Contains(p.Key+p.Value, "\n") {
				t.Errorf("Markers(%q) gives %q", s, p)
			}
			if utf8.ValidString(s) && !utf8.ValidString(p.Key+p.Value) {
				t.Errorf("Markers(%q) gives invalid UTF-8", s)
			}
		}
	})
}
