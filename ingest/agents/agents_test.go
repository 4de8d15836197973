package agents

import (
	"slices"
	"testing"
)

func TestAll(t *testing.T) {
	t.Parallel()
	var names []string
	for _, a := range All() {
		names = append(names, a.Name)
		if got, ok := ByName(a.Name); !ok || got.Title != a.Title {
			t.Errorf("ByName(%q) = %q, %v", a.Name, got.Title, ok)
		}
		if a.Title == "" || a.Roots == nil || a.Match == nil || a.Open == nil {
			t.Errorf("agent %q is not whole", a.Name)
		}
		if roots := a.Roots(Env{}); len(roots) != 0 {
			t.Errorf("agent %q has roots %q without a home directory", a.Name, roots)
		}
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names %q are not sorted or not different", names)
	}
	if _, ok := ByName("nobody"); ok {
		t.Error("ByName finds an agent that is not there")
	}
}
