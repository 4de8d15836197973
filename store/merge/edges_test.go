package merge

import (
	"slices"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
	"pgregory.net/rapid"
)

func TestCapturedEdge(t *testing.T) {
	child := func(up ...string) fact.Write {
		w := wrote(fact.RowTool, "s1", 20, "tool:sh:x", "v")
		w.Parents, w.Turn = up, "turn"
		return w
	}
	for name, c := range map[string]struct {
		writes []fact.Write
		prompt string
		want   string
	}{
		"the first candidate that is there":  {[]fact.Write{child("a", "b", "c"), marker("s1", 10, "b", "v"), marker("s1", 10, "c", "v")}, "", "b"},
		"not of another session":             {[]fact.Write{child("a", "b"), marker("s2", 10, "a", "v"), marker("s1", 10, "b", "v")}, "", "b"},
		"not a later one":                    {[]fact.Write{child("a", "b"), marker("s1", 21, "a", "v"), marker("s1", 10, "b", "v")}, "", "b"},
		"not a key that is said again later": {[]fact.Write{child("a"), marker("s1", 10, "a", "v"), marker("s1", 30, "a", "w")}, "", ""},
		"of the same record":                 {[]fact.Write{child("a"), marker("s1", 20, "a", "v")}, "", "a"},
		"else the turn's prompt":             {[]fact.Write{child("a"), marker("s1", 10, "prompt:x", "v")}, "prompt:x", "prompt:x"},
		"the prompt under the same test":     {[]fact.Write{child("a"), marker("s2", 10, "prompt:x", "v")}, "prompt:x", ""},
		"never itself":                       {[]fact.Write{child("tool:sh:x")}, "tool:sh:x", ""},
		"else none":                          {[]fact.Write{child("a")}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.writes("a", c.writes...)
			p.says("a", turns(fact.Turn{Stamp: at("s1", 1), ID: "turn", End: 20, Prompt: c.prompt}))
			got := p.fact("tool:sh:x").References
			if c.want == "" && got != nil || c.want != "" && !slices.Equal(got, []string{c.want}) {
				t.Errorf("references = %v, want %q", got, c.want)
			}
		})
	}
}

func TestOutcomeAndTaskAndSectionEdges(t *testing.T) {
	p := newProject(t)
	p.writes("a", wrote(fact.RowPrompt, "s1", 1, "prompt:x", "v"), wrote(fact.RowTool, "s1", 5, "tool:sh:x", "v"))
	turn := closed("s1", 1, 10, "result:x", "v")
	turn.Prompt, turn.Parents = "prompt:x", []string{"tool:sh:x"}
	p.says("a", turns(turn))
	item := task("s1", 6, "t", "pending")
	item.Turn = turn.ID
	p.says("a", tasksDelta(item))
	p.says("a", compaction("s1", 20, section("decision:a", "v")))
	for key, want := range map[string]string{"result:x": "tool:sh:x", "progress:t": "prompt:x", "decision:a": "checkpoint:summary"} {
		if got := p.fact(key).References; !slices.Equal(got, []string{want}) {
			t.Errorf("%s: references = %v, want %q", key, got, want)
		}
	}
}

// A captured edge leads to an entry of the view, of the same session, that is
// not later, and never to the entry itself.
func TestNoDanglingEdges(t *testing.T) {
	manyTimes(t, func(t *rapid.T) {
		w := drawWorld(t)
		v := Build(w.input(w.plain()))
		for i := range v.Facts {
			f := &v.Facts[i]
			if !f.Captured() {
				continue
			}
			for _, key := range f.References {
				p, ok := v.Get(key)
				if !ok || key == f.Key {
					t.Fatalf("%s refers to %s", f.Key, key)
				}
				if p.Origin != nil && (p.Origin.Session != f.Origin.Session || p.UpdatedAt > f.UpdatedAt) {
					t.Fatalf("%s of %s at %d refers to %s of %s at %d", f.Key, f.Origin.Session, f.UpdatedAt, key, p.Origin.Session, p.UpdatedAt)
				}
			}
		}
	})
}
