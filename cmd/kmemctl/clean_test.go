package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain", "Ä plain\ttext\n", "Ä plain\ttext\n"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"cursor", "a\x1b[2J\x1b[10;10Hb\x1b[?25lc", "abc"},
		{"title", "a\x1b]0;owned\x07b\x1b]2;owned\x1b\\c", "abc"},
		{"link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"title without an end", "a\x1b]0;the words", "a0;the words"},
		{"title that ends on another line", "\x1b]0;a\nb\x07", "0;a\nb"},
		{"device control", "\x1bPq#0\x1b\\x", "x"},
		{"short sequences", "\x1bcx\x1b(By\x1b7z", "xyz"},
		{"lone escape", "a\x1b", "a"},
		{"escape before a letter of another script", "\x1bä", "ä"},
		{"sequence without an end", "a\x1b[31", "a31"},
		{"C1", "a\u009b31mb\u0085c\u0090d", "ab\ncd"},
		{"bell, backspace, return, NUL, DEL", "a\x07b\x08c\rd\x00e\x7f\r\nf", "abcde\nf"},
		{"direction", "a\u202eb\u2066c\u200fd\u061ce", "abcde"},
		{"no width", "a\u200bb\ufeffc\u2060d\U000e0041e", "abcde"},
		{"joiners stay", "👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم"},
		{"separators of lines", "a\u2028b\u2029c", "a\nb\nc"},
		{"not UTF-8", "a\xffb\xc3", "a\ufffdb\ufffd"},
	}
	for _, tt := range tests {
		if got := clean(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\x1b[31mb\x1b]0;c\x07\u202e\xff")
	f.Add("\x1b\x1b[\x1b]\u009b\u009d")
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, hidden) >= 0 {
			t.Fatalf("%q is not clean", got)
		}
		if clean(got) != got {
			t.Fatalf("cleaning %q again changes it", got)
		}
		if strings.ContainsAny(oneLine(s), "\n\r") {
			t.Fatalf("%q has several lines", oneLine(s))
		}
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		safe := safeJSON(raw)
		var back, want string
		if json.Unmarshal(safe, &back) != nil || json.Unmarshal(raw, &want) != nil || back != want {
			t.Fatalf("%s means %q, not %q", safe, back, want)
		}
		if bytes.IndexFunc(safe, hidden) >= 0 {
			t.Fatalf("%s is not safe", safe)
		}
	})
}
