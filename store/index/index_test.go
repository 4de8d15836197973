package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/store/fact"
)

func viewOf(pairs ...string) *fact.View {
	v := &fact.View{Project: "/home/ana/shop"}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Facts = append(v.Facts, fact.Fact{Entry: fact.Entry{Key: pairs[i], Value: pairs[i+1], UpdatedAt: int64(i)}})
	}
	slices.SortFunc(v.Facts, func(a, b fact.Fact) int { return strings.Compare(a.Key, b.Key) })
	return v
}

func keys(hits []Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Fact.Key)
	}
	return strings.Join(out, " ")
}

func TestExact(t *testing.T) {
	t.Parallel()
	x := New(viewOf(
		"port", "4410",
		"result:ports", "the Port of the shop moved",
		"straße", "GROẞE Straße in Köln",
		"nfd", "Cafe\u0301 am Markt",
		"quote", `says "a-b/c" and 100%`,
	))
	for query, want := range map[string]string{
		"PORT": "port result:ports", // the key that equals it in front
		"441":  "port", "strasse": "straße", "café": "nfd", "KÖLN": "straße",
		"a-b/c": "quote", `"a-b/c"`: "quote", "100%": "quote", "nothing": "", "": "",
		"of the shop": "result:ports", "shop of the": "",
	} {
		if got := keys(x.Exact(query)); got != want {
			t.Errorf("Exact(%q) = %q, want %q", query, got, want)
		}
	}
}

func TestRanked(t *testing.T) {
	t.Parallel()
	x := New(viewOf(
		"decision:upload_retry", "retry uploads three times with backoff",
		"note:a", "the uploadRetryJob runs at night",
		"note:b", "prices are kept in cents",
		"note:c", "東京の天気は晴れ",
		"note:d", "tests passed; testing again tomorrow",
	))
	for query, want := range map[string]string{
		"how do we retry an upload?": "decision:upload_retry note:a",
		"upload_retry_job":           "note:a decision:upload_retry",
		"price":                      "note:b",
		"東京 天気":                      "note:c",
		"tested":                     "note:d",
		"the of and":                 "",
		"-/\"'":                      "",
	} {
		if got := keys(x.Ranked(query)); got != want {
			t.Errorf("Ranked(%q) = %q, want %q", query, got, want)
		}
	}
}

func TestNewerFirstAtEqualMerit(t *testing.T) {
	t.Parallel()
	x := New(viewOf("old", "the same words", "new", "the same words"))
	if got, want := keys(x.Ranked("same words")), "new old"; got != want {
		t.Errorf("Ranked = %q, want %q", got, want)
	}
	if got, want := keys(x.Exact("same")), "new old"; got != want {
		t.Errorf("Exact = %q, want %q", got, want)
	}
}

// TestWhatContainsIsFound holds exact search to a plain scan.
func TestWhatContainsIsFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := &fact.View{}
		n := rapid.IntRange(0, 20).Draw(t, "n")
		for i := range n {
			v.Facts = append(v.Facts, fact.Fact{Entry: fact.Entry{Key: fmt.Sprintf("k%02d", i), Value: rapid.StringMatching(`[abAB ]{0,8}`).Draw(t, "value")}})
		}
		query := rapid.StringMatching(`[abAB]{1,3}`).Draw(t, "query")
		want := 0
		for _, f := range v.Facts {
			if strings.Contains(strings.ToLower(f.Key+"\x00"+f.Value), strings.ToLower(query)) {
				want++
			}
		}
		if got := len(New(v).Exact(query)); got != want {
			t.Fatalf("Exact(%q) found %d, want %d", query, got, want)
		}
	})
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"HTTPStatus_code v1.2", "東京abc", "\xff\xfe", "__", "naïve-Ωmega"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range Words(s) {
			if w == "" {
				t.Errorf("Words(%q) holds an empty word", s)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		v := &fact.View{}
		for i := range n {
			v.Facts = append(v.Facts, fact.Fact{Entry: fact.Entry{Key: fmt.Sprintf("result:task_%06d", i), Value: strings.Repeat(fmt.Sprintf("done with part %d of the upload; ", i), 8), UpdatedAt: int64(i)}})
		}
		x := New(v)
		x.Ranked("upload")
		b.Run(fmt.Sprintf("exact/%d", n), func(b *testing.B) {
			for b.Loop() {
				x.Exact("part 77 of")
			}
		})
		b.Run(fmt.Sprintf("ranked/%d", n), func(b *testing.B) {
			for b.Loop() {
				x.Ranked("which part of the upload is done")
			}
		})
	}
}
