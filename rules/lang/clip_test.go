package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/rules/lang"
)

const gap = " […] "

func TestClip(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		s     string
		limit int
		want  string
	}{
		{"", 0, ""},
		{"a", 0, "..."},
		{"a", -3, "..."},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc..."},
		{"ab\r\ncd", 3, "ab..."},
		{"日本語", 4, "日..."},
		{"Zürich", 2, "Z..."},
		{"e\u0301x", 1, "..."},
		{"e\u0301x", 3, "e\u0301..."},
		{"e\u0301", 3, "e\u0301"},
		{"👍🏽ok", 7, "..."},
		{"👍🏽ok", 8, "👍🏽..."},
		{"a\xffb", 9, "a\uFFFDb"},
		{"a\xffbc", 2, "a..."},
		{"각각", 4, "각..."},
		{"한국어", 7, "한국..."},
	} {
		if got := lang.Clip(tt.s, tt.limit); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.s, tt.limit, got, tt.want)
		}
	}
}

func TestClipMiddle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		s          string
		head, tail int
		want       string
	}{
		{"short stays", "one two three", 10, 10, "one two three"},
		{"limit of a prompt stays", strings.Repeat("a", 400), 220, 160, strings.Repeat("a", 400)},
		{"one more is cut", strings.Repeat("a", 401), 220, 160, strings.Repeat("a", 220) + gap + strings.Repeat("a", 160)},
		{"no tail", strings.Repeat("b", 50), 5, 0, "bbbbb" + gap},
		{"wide", strings.Repeat("漢", 20), 7, 7, "漢漢" + gap + "漢漢"},
		{"flags", strings.Repeat("🇩🇪", 10), 9, 9, "🇩🇪" + gap + "🇩🇪"},
	} {
		if got := lang.ClipMiddle(tt.s, tt.head, tt.tail); got != tt.want {
			t.Errorf("%s: ClipMiddle = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// pieces are texts whose boundaries are hard to find.
var pieces = []string{"a", "Z", " ", "\n", "\r\n", "é", "e\u0301", "\u0301", "漢", "カ", "が", "か\u3099", "👨‍👩‍👧‍👦", "🇩🇪", "🇫", "👍🏽", "\u200D",
	"각", "ᄀ", "ᆨ", "क्षि", "ก็", "Ж", "\u0600", "ѐ", "\u0483", "。", "-", "…"}

func drawText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
}

// isBoundary reports whether uniseg, asked from the start of s, has a boundary
// at the position.
func isBoundary(s string, at int) bool {
	pos := 0
	for g := uniseg.NewGraphemes(s); ; {
		if pos == at {
			return true
		}
		if pos > at || !g.Next() {
			return false
		}
		pos += len(g.Str())
	}
}

func TestClipLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)
		limit := rapid.IntRange(0, 60).Draw(t, "limit")
		got := lang.Clip(s, limit)
		if len(s) <= limit {
			if got != s {
				t.Fatalf("Clip(%q, %d) = %q changes a text that fits", s, limit, got)
			}
			return
		}
		head, ok := strings.CutSuffix(got, "...")
		if !ok || !strings.HasPrefix(s, head) || len(head) > limit {
			t.Fatalf("Clip(%q, %d) = %q is no marked beginning", s, limit, got)
		}
		if !isBoundary(s, len(head)) {
			t.Fatalf("Clip(%q, %d) = %q splits a character", s, limit, got)
		}
		for at := len(head) + 1; at <= limit; at++ {
			if isBoundary(s, at) {
				t.Fatalf("Clip(%q, %d) = %q cuts before %d", s, limit, got, at)
			}
		}
	})
}

func TestClipMiddleLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)
		head, tail := rapid.IntRange(0, 30).Draw(t, "head"), rapid.IntRange(0, 30).Draw(t, "tail")
		got := lang.ClipMiddle(s, head, tail)
		if got == s {
			return
		}
		before, after, ok := strings.Cut(got, gap)
		if !ok || len(before) > head || len(after) > tail || !strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
			t.Fatalf("ClipMiddle(%q, %d, %d) = %q", s, head, tail, got)
		}
		if !isBoundary(s, len(before)) || !isBoundary(s, len(s)-len(after)) {
			t.Fatalf("ClipMiddle(%q, %d, %d) = %q splits a character", s, head, tail, got)
		}
	})
}

func FuzzClip(f *testing.F) {
	for _, p := range pieces {
		f.Add(p+"x"+p, 5)
	}
	f.Add("a\xff\xfeb", 2)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := lang.Clip(s, limit)
		if !utf8.ValidString(got) {
			t.Errorf("Clip(%q, %d) = %q is no valid UTF-8", s, limit, got)
		}
		if len(got) > max(limit, 0)+len("...") {
			t.Errorf("Clip(%q, %d) has %d bytes", s, limit, len(got))
		}
	})
}
