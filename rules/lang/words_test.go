package lang

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Short cuts must give what the plain way gives.

// pieces are what texts with edges are made of.
var pieces = []string{"a", "B", "ok", " ", "  ", "\n", "\t", "\v", "\u00a0", "\u2003", "\u3000", "\u0085", "\x85", "\xff", "é", "e\u0301",
	"K", "→", "7", "_", " passed", "0 errors", "up to date", " pass,"}

func textOfPieces(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
}

func TestOneLineIsWordsJoined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := textOfPieces(t)
		if got, want := OneLine(s), strings.Join(strings.Fields(s), " "); got != want {
			t.Fatalf("OneLine(%q) = %q, want %q", s, got, want)
		}
	})
}

func TestPhrasesAreFoundAnywhere(t *testing.T) {
	t.Parallel()
	list := []string{" pass,", "0 errors", "up to date", "→7"}
	p := phraseList(list...)
	rapid.Check(t, func(t *rapid.T) {
		s := textOfPieces(t)
		if got, want := p.in(s), holdsAny(s, list); got != want {
			t.Fatalf("in(%q) = %t, want %t", s, got, want)
		}
	})
}

func TestLinesBackwardsAreTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := textOfPieces(t)
		var forward, back []string
		eachLine(s, func(line string) { forward = append(forward, line) })
		eachLineBack(s, func(line string) bool { back = append([]string{line}, back...); return true })
		if f, b := strings.Join(forward, "\x00"), strings.Join(back, "\x00"); f != b {
			t.Fatalf("lines of %q: %q forward, %q backward", s, forward, back)
		}
	})
}
