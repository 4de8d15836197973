package render

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/store/fact"
)

// peerSkips names the peer's blocks that the page decides otherwise, with the
// reason. What only lacks a "last:" part in the map line, or has two blanks
// where the page has one, is compared all the same.
var peerSkips = map[string]string{
	"rd05": "the chain with the newest member comes last, not the first key",
	"rd08": "no entry refers to itself",
	"rd10": "the chain with the newest member comes last, not the first key",
	"rd11": "of what a caller saved, short equal values are marked too",
	"rd12": "of what a caller saved, short equal values are marked too",
	"rd20": "the chain with the newest member comes last, not the first key",
	"rd22": "the mark stands in place of the repeated text; the newest entry comes last",
	"rd23": "of what a caller saved, short equal values are marked too",
	"rd26": "keys are escaped",
	"rd27": "the newest entry comes last, not the last key",
	"rd29": "the budget is a promise: 50 tokens do not hold legend and tags",
	"rd30": "the budget is a promise: 50 tokens do not hold legend and tags",
	"rd31": "the budget is a promise: 1 token does not hold legend and tags",
	"rd32": "the budget is a promise: 10 tokens do not hold legend and tags",
	"rd33": "the budget is a promise: 10 tokens do not hold legend and tags",
	"rd34": "the budget is a promise: 10 tokens do not hold legend and tags",
	"rd35": "the budget is a promise: 10 tokens do not hold legend and tags",
	"rd36": "the budget is a promise: 10 tokens do not hold legend and tags",
	"rd37": "the budget is a promise: 10 tokens do not hold legend and tags",
	"rd38": "the budget is a promise: 50 tokens do not hold legend and tags",
	"rd39": "the budget is a promise: 30 tokens do not hold legend and tags",
	"rd40": "a repeated value is left out, so more entries fit",
	"rd41": "session records are never shown",
	"rd42": "thinking is never shown",
	"rd45": "the mark stands in place of the repeated text",
	"rd46": "the mark stands in place of the repeated text",
	"rd47": "the budget is a promise: 40 tokens do not hold legend and tags",
}

// peerVector is one block of the peer.
type peerVector struct {
	ID        string
	MaxTokens int `json:"max_tokens"`
	Prompt    string
	Entries   []struct {
		Key, Type, Value string
		References       []string
		AgeSeconds       int64 `json:"age_seconds"`
	}
	Block string
}

const peerNow = 1_800_000_000_000

func (p *peerVector) view() *fact.View {
	v := &fact.View{}
	for _, e := range p.Entries {
		at := peerNow - e.AgeSeconds*1000
		v.Facts = append(v.Facts, fact.Fact{Entry: fact.Entry{
			Key: e.Key, Type: fact.Type(e.Type), Value: e.Value, References: e.References, CreatedAt: at, UpdatedAt: at,
		}})
	}
	sortFacts(v.Facts)
	return v
}

func TestPeerBlocks(t *testing.T) {
	t.Parallel()
	var file struct{ Vectors []peerVector }
	readShared(t, "conformance/kdeps/render.json", &file)
	for _, p := range file.Vectors {
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			if reason := peerSkips[p.ID]; reason != "" {
				t.Skip(reason)
			}
			got := Block(p.view(), Options{Prompt: p.Prompt, MaxTokens: p.MaxTokens, Now: peerNow}).Text
			if diff := cmp.Diff(normal(p.Block), withoutLast(got)); diff != "" {
				t.Errorf("block (-want +got):\n%s", diff)
			}
		})
	}
}

// normal turns the peer's two blanks before marks into one.
func normal(block string) string {
	for _, mark := range []string{"<- ", "<== ", "(same as "} {
		block = strings.ReplaceAll(block, "  "+mark, " "+mark)
	}
	return block
}

// withoutLast removes the part of the map line that the peer does not have.
func withoutLast(block string) string {
	before, after, ok := strings.Cut(block, " | last: ")
	if !ok {
		return block
	}
	_, after, _ = strings.Cut(after, ")")
	return before + after
}

// readShared decodes a file of the shared test data, or skips the test where
// it is not at hand.
func readShared(t *testing.T, name string, into any) {
	t.Helper()
	dir := os.Getenv("KMEM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no shared vectors: %v", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestPeerFlatten(t *testing.T) {
	t.Parallel()
	differs := map[string]string{ // the page drops control characters and trims
		"a\u2028b": "a / b", "x\ty": "x y", "a\u000bb\fc": "a / b / c", "one line ": "one line",
	}
	var file struct {
		Vectors []struct{ Value, Escaped string }
	}
	readShared(t, "conformance/kdeps/flatten_escape.json", &file)
	for _, v := range file.Vectors {
		want := v.Escaped
		if own, ok := differs[v.Value]; ok {
			want = own
		}
		if got := escape(oneLine(v.Value)); got != want {
			t.Errorf("one line of %q = %q, want %q", v.Value, got, want)
		}
	}
}

func TestPeerSameText(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct{ Value, Normalised string }
	}
	readShared(t, "conformance/kdeps/normalize_dup.json", &file)
	for _, v := range file.Vectors {
		l := line{full: v.Value}
		if got := l.sameText(&fact.Fact{}); got != v.Normalised {
			t.Errorf("same text of %q = %q, want %q", v.Value, got, v.Normalised)
		}
	}
}

// scoreDiffers names the peer's scores that the page decides otherwise.
var scoreDiffers = map[[2]string]int{
	{"note:api", "api api"}:                2, // a word counts once
	{"decision:add", "add-user flow"}:      3, // a hyphen parts words; add is too common to count
	{"config.yaml", "config.yaml"}:         5, // a dot parts words
	{"x/foo_bar", "foo_bar"}:               3,
	{"x/漢字", "漢字"}:                         2,
	{"x/café au lait", "café"}:             2,
	{"x/error-handling", "error-handling"}: 3,
}

func TestPeerScores(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct {
			Key, Value, Type, Prompt string
			Score                    int
		}
	}
	readShared(t, "conformance/kdeps/focus_score.json", &file)
	for _, v := range file.Vectors {
		want := v.Score
		if own, ok := scoreDiffers[[2]string{v.Key, v.Prompt}]; ok {
			want = own
		} else if own, ok := scoreDiffers[[2]string{v.Key + "/" + v.Value, v.Prompt}]; ok {
			want = own
		}
		got := newSearch(v.Prompt).score(v.Key, v.Value)
		if got > 0 && v.Type != "" && !fact.Type(v.Type).Low() {
			got++
		}
		if got != want {
			t.Errorf("score of %q: %q for %q = %d, want %d", v.Key, v.Value, v.Prompt, got, want)
		}
	}
}
