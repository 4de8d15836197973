package lang_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, s, want string }{
		{"plain", "a\tb\nc é 漢 👨‍👩‍👧‍👦", "a\tb\nc é 漢 👨‍👩‍👧‍👦"},
		{"colours", "\x1b[1;32mPASS\x1b[0m all", "PASS all"},
		{"cursor", "a\x1b[2K\x1b[1Gb", "ab"},
		{"title", "\x1b]0;ana@shop\x07$ ls", "$ ls"},
		{"link", "\x1b]8;;https://x.test\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"charset", "\x1b(Bx\x1b=y\x1b7z", "xyz"},
		{"device string", "a\x1bP1;2|data\x1b\\b", "ab"},
		{"one-character csi", "a\u009b31mb", "ab"},
		{"string that is never closed", "a\x1b]0;title\nb", "a0;title\nb"},
		{"escape at the end", "a\x1b", "a"},
		{"escape, bracket at the end", "a\x1b[", "a"},
		{"crlf", "a\r\nb\r\n", "a\nb\n"},
		{"several carriage returns", "a\r\r\nb", "a\nb"},
		{"progress", "10%\r50%\r100%\ndone", "100%\ndone"},
		{"progress ends in a return", "10%\r100%\r", "100%"},
		{"return restarts its line only", "keep\n10%\rall", "keep\nall"},
		{"backspace", "ab\bc", "ac"},
		{"backspace at the start", "\b\ba", "a"},
		{"backspace stays in its line", "a\n\b\bb", "a\nb"},
		{"backspace of a wide character", "漢\bx", "x"},
		{"overstrike", "N\bNA\bA", "NA"},
		{"nul", "a\x00b\x7fc", "abc"},
		{"c1", "a\u0085b\u0090c", "abc"},
		{"direction", "a\u202eb\u2066c\u200fd\u061ce\ufefff", "abcdef"},
		{"invalid", "a\xff\xfeb\xc3", "a\uFFFD\uFFFDb\uFFFD"},
		{"empty", "", ""},
	} {
		if got := lang.Clean(tt.s); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.name, tt.s, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31mb\r\nc\bd\x00\u202e\xff")
	f.Add("\x1b]8;;x\x1b\\\x9b1m")
	f.Fuzz(func(t *testing.T, s string) {
		got := lang.Clean(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) >= 0 {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		if again := lang.Clean(got); again != got {
			t.Errorf("Clean(Clean(%q)) = %q, not %q", s, again, got)
		}
	})
}
