package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kmemd/kmemd/store/fact"
)

func TestNewestOfSavedAndCapturedCounts(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "a", "captured"), marker("s1", 10, "b", "captured"), marker("s1", 10, "c", "captured"))
	p.saves(fact.Entry{Key: "a", Value: "saved", UpdatedAt: 9})
	p.saves(fact.Entry{Key: "b", Value: "saved", UpdatedAt: 11})
	p.saves(fact.Entry{Key: "c", Value: "saved", UpdatedAt: 10})
	p.want("a", "captured", "b", "saved", "c", "saved")
}

func TestNewestOfSeveralStoresCounts(t *testing.T) {
	p := newProject(t)
	p.in.Saved = []Saved{
		{Entry: fact.Entry{Key: "k", Value: "old", UpdatedAt: 5, CreatedAt: 1, Type: fact.Note, Origin: &fact.Origin{Via: fact.ViaImport}}, Dir: "/b"},
		{Entry: fact.Entry{Key: "k", Value: "new", UpdatedAt: 6, CreatedAt: 6, Type: fact.Note}, Dir: "/a", Past: []fact.Past{{Value: "older", At: 2}}},
	}
	f := p.fact("k")
	want := []fact.Past{{Value: "old", At: 5}, {Value: "older", At: 2}}
	if f.Value != "new" || f.CreatedAt != 1 || cmp.Diff(want, f.Past) != "" {
		t.Errorf("got %+v", f)
	}
}

func TestDeletedSavedEntryIsHidden(t *testing.T) {
	p := newProject(t)
	p.saves(fact.Entry{Key: "k", Value: "v", UpdatedAt: 10})
	p.saves(fact.Entry{Key: "k", Value: "v", UpdatedAt: 10, Namespace: "team"})
	p.deletes("k", 10)
	v := p.want("k", "")
	if _, ok := v.GetIn("team", "k"); !ok {
		t.Error("the delete hides the key in another namespace")
	}
}

func TestSavedReferencesStayAsGiven(t *testing.T) {
	p := newProject(t)
	p.writes("a", wrote(fact.RowPrompt, "s1", 1, "prompt:x", "v"))
	p.saves(fact.Entry{Key: "note:a", Value: "v", UpdatedAt: 10, References: []string{"nowhere", "note:a"}})
	if got := p.fact("note:a").References; cmp.Diff([]string{"nowhere", "note:a"}, got) != "" {
		t.Errorf("references = %v", got)
	}
}

func TestSavedEntryWithoutReferencesFindsItsParent(t *testing.T) {
	for name, c := range map[string]struct {
		key  string
		at   int64
		want string
	}{
		"the newest of the parent's type": {"note:x", 25, "tool:sh:b"},
		"at its own time":                 {"note:x", 20, "tool:sh:b"},
		"not a later one":                 {"note:x", 19, "tool:sh:a"},
		"the chain upwards":               {"note:x", 9, "purpose:a"},
		"up to the prompt":                {"note:x", 2, "prompt:a"},
		"none before":                     {"note:x", 0, ""},
		"status follows a result":         {"status:x", 40, "result:a"},
		"purpose follows a prompt":        {"purpose:x", 40, "prompt:a"},
		"a prompt has none":               {"prompt:x", 40, ""},
		"never itself":                    {"result:a", 30, "tool:sh:b"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			for key, time := range map[string]int64{"prompt:a": 1, "purpose:a": 5, "tool:sh:a": 10, "tool:sh:b": 20, "result:a": 30} {
				if key != c.key {
					p.writes("a", marker("s1", time, key, "v"))
				}
			}
			p.saves(fact.Entry{Key: c.key, Value: "v", UpdatedAt: c.at, CreatedAt: c.at})
			got := p.fact(c.key).References
			if c.want == "" && got != nil || c.want != "" && cmp.Diff([]string{c.want}, got) != "" {
				t.Errorf("references = %v, want %q", got, c.want)
			}
		})
	}
}

func TestNamespacesAreApart(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "k", "captured"))
	p.saves(fact.Entry{Key: "k", Value: "team's", UpdatedAt: 20, Namespace: "team"})
	v := p.want("k", "captured")
	if f, ok := v.GetIn("team", "k"); !ok || f.Value != "team's" || len(v.Facts) != 2 {
		t.Errorf("got %+v", v.Facts)
	}
}
