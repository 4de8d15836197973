package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestCondense(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"plain", "Added the cart page.", "Added the cart page."},
		{"empty", "", ""},
		{"only code", "```\nx\n```", ""},
		{"emphasis", "**Bold** and *italic* and __bold__ and _it_ and ~~gone~~ and ***both***", "Bold and italic and bold and it and gone and both"},
		{"names with underscores", "Set snake_case_name and __init__ and 2 * 3 * 4", "Set snake_case_name and init and 2 * 3 * 4"},
		{"globs", "Matches *.go and *.ts only", "Matches *.go and *.ts only"},
		{"open emphasis", "a **b c", "a **b c"},
		{"inline code stays", "Call `a*b*c` and ``x`y``", "Call `a*b*c` and ``x`y``"},
		{"links", "See [the guide](https://x.test/a_(b)) and ![logo](l.png) and [ref][1] and <https://y.test>", "See the guide and logo and ref and https://y.test"},
		{"link without text", "See [](https://x.test)", "See https://x.test"},
		{"bare brackets", "Use a[0] and [x] and (b)", "Use a[0] and [x] and (b)"},
		{"escapes", `1 \* 2 and \_x\_`, "1 * 2 and _x_"},
		{"tags", "a<br>b <details><summary>More</summary>text</details> and Vec<u8>", "a b Moretext and Vec<u8>"},
		{"comment", "a <!-- hidden --> b", "a  b"},
		{"headings", "## The cart\nIt adds up.", "The cart\nIt adds up."},
		{"empty headings go", "## Summary\nIt adds up.\n\n### Changes made:\n- one", "It adds up.\n- one"},
		{"rules", "a\n\n---\n\nb\n***\n━━━━━\nc", "a\nb\nc"},
		{"fences", "Before:\n```go\nx := 1\n```\nafter\n~~~\ny\n~~~\nend", "Before:\nafter\nend"},
		{"indented code", "Before:\n\n    x := 1\n\nafter", "Before:\nafter"},
		{"bullets", "* one\n+ two\n• three\n- four\n  - five\n1. six", "- one\n- two\n- three\n- four\n- five\n1. six"},
		{"quote", "> said\n> so", "said\nso"},
		{"table", "| Step | Result |\n|------|:-----:|\n| build | **ok** |\n| test | 3 `a|b` \\| x | late |", "- build: ok\n- test: 3 `a|b` | x: late"},
		{"table without header line", "| build | ok |", "- build: ok"},
		{"frame", "<proposed_plan>\n# Cart\nAdd it.\n</proposed_plan>", "Cart\nAdd it."},
		{"crlf", "one\r\n\r\ntwo\r\n", "one\ntwo"},
		{"filler", "Perfect! All tests pass.", "All tests pass."},
		{"filler twice", "Great! Perfect! Now let me summarise what I did:\n\nAdded the cart page.", "Added the cart page."},
		{"filler before a heading", "Excellent! Here's a summary of the changes:\n\n## Cart\nIt adds up.", "Cart\nIt adds up."},
		{"announcement behind the news", "The cart adds up. Here's what changed:\n\n- a.go", "The cart adds up.\n- a.go"},
		{"done is no filler", "Done.", "Done."},
		{"nothing but filler stays", "Perfect!", "Perfect!"},
		{"a question is no filler", "Sure?", "Sure?"},
		{"right agreement", "You're absolutely right! The cart was off by one.", "The cart was off by one."},
		{"content behind let me", "Let me know which one you want.", "Let me know which one you want."},
		{"comparison is content", "Here's the comparison of both carts:\n- one", "Here's the comparison of both carts:\n- one"},
	} {
		if got := lang.Condense(tt.text, 500); got != tt.want {
			t.Errorf("%s: Condense = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCondenseLong(t *testing.T) {
	t.Parallel()
	filling := strings.Repeat("- The importer reads another file and writes another row of the shop.\n", 12)
	for _, tt := range []struct {
		name, text, head, tail string
	}{
		{
			"head and end",
			"The cart adds up again. The total came from a stale cache.\n\n" + filling + "\nAll 42 tests pass. Not pushed yet.\n\nShall I push it?",
			"The cart adds up again. The total came from a stale cache. […] ",
			"\nAll 42 tests pass. Not pushed yet.\nShall I push it?",
		},
		{
			"first paragraph is cut at a sentence",
			strings.Repeat("The importer was slow because it read every file twice. ", 9) + "\n\n" + filling + "End.",
			strings.TrimSpace(strings.Repeat("The importer was slow because it read every file twice. ", 3)) + " […] - The",
			"\nEnd.",
		},
		{
			"one sentence without end",
			strings.Repeat("very ", 300) + "long",
			strings.TrimSpace(strings.Repeat("very ", 44)) + " […] very",
			" very long",
		},
		{
			"one word without end",
			strings.Repeat("漢字", 300),
			strings.Repeat("漢字", 36) + "漢 […] ",
			"漢字",
		},
		{
			"heading goes with its paragraph",
			"# Cart\n\nIt adds up now, whatever the currency is.\n\n" + filling + "End.",
			"Cart\nIt adds up now, whatever the currency is. […] - The importer",
			"\nEnd.",
		},
		{
			"a first paragraph that only announces",
			"Fixed.\n\n- The total came from a stale cache, which is gone.\n- The importer now asks the shop itself for it.\n" + filling + "End.",
			"Fixed.\n- The total came from a stale cache, which is gone.\n- The importer now asks the shop itself for it. […] - The importer",
			"\nEnd.",
		},
		{
			"a first paragraph that is a heading and goes on in one long sentence",
			"# Audit\n\nThe importer " + strings.Repeat("reads another file and ", 20) + "stops.\n\n" + filling + "End.",
			"Audit\nThe importer reads another file and",
			"\nEnd.",
		},
	} {
		got := lang.Condense(tt.text, 500)
		if len(got) > 500 {
			t.Errorf("%s: %d bytes", tt.name, len(got))
		}
		if len(got) < 400 {
			t.Errorf("%s: only %d bytes of 500 used: %q", tt.name, len(got), got)
		}
		if !strings.HasPrefix(got, tt.head) || !strings.HasSuffix(got, tt.tail) {
			t.Errorf("%s: Condense = %q, want %q … %q", tt.name, got, tt.head, tt.tail)
		}
	}
}

func TestCondenseLaws(t *testing.T) {
	t.Parallel()
	parts := []string{"Added it. ", "**b** ", "\n\n", "\n", "```\n", "- ", "| a | b |\n", "# H\n", "漢字。", "👨‍👩‍👧‍👦 ", "`c` ", "[l](u) ", "Perfect! ", "word ", "---\n"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 200).Draw(t, "parts"), "")
		limit := rapid.IntRange(0, 600).Draw(t, "limit")
		got := lang.Condense(s, limit)
		if len(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("Condense(%q, %d) = %q", s, limit, got)
		}
		if strings.Contains(got, "\n\n") || strings.TrimSpace(got) != got {
			t.Fatalf("Condense(%q, %d) = %q holds blank lines", s, limit, got)
		}
	})
}

func FuzzCondense(f *testing.F) {
	f.Add("Perfect! **x** [a](b)\n| a | b |\n|---|---|\n```\nx\n```\n<!-- c --> \xff", 100)
	f.Add(strings.Repeat("**a ", 400), 500)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := lang.Condense(s, limit)
		if len(got) > max(limit, 0) || !utf8.ValidString(got) {
			t.Errorf("Condense(%q, %d) = %q", s, limit, got)
		}
	})
}
