package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kmemd/kmemd/store/fact"
	"pgregory.net/rapid"
)

// A state that is told of every change gives at any moment the view that
// building it from nothing gives.
func TestStateEqualsBuild(t *testing.T) {
	manyTimes(t, func(t *rapid.T) {
		w := drawWorld(t)
		s := NewState("/home/ana/shop", w.caps)
		tombs := w.tombs
		saved := w.saved
		w.tombs, w.saved = nil, nil
		list := make([]*Contribution, len(w.sources))
		at := make([]int, len(w.sources))
		for i, src := range w.sources {
			list[i] = src.contribution()
		}
		check := func() {
			if diff := cmp.Diff(export(t, Build(w.input(list))), export(t, s.View())); diff != "" {
				t.Fatalf("the state differs (-build +state):\n%s", diff)
			}
		}
		for range rapid.IntRange(1, 25).Draw(t, "acts") {
			i := rapid.IntRange(0, len(list)-1).Draw(t, "source")
			g := Compile(w.tombs)
			switch rapid.IntRange(0, 7).Draw(t, "act") {
			case 0:
				if len(w.tombs) < len(tombs) {
					w.tombs = tombs[:len(w.tombs)+1]
					s.Bury(w.tombs)
				}
			case 1:
				s.Put(list[i], list[i].Erase(g))
			case 2:
				at[i] = rapid.IntRange(0, at[i]).Draw(t, "back")
			case 3:
				if len(w.saved) < len(saved) {
					w.saved = saved[:len(w.saved)+1]
					s.Save(w.saved[len(w.saved)-1])
				}
			case 4:
				if rapid.Bool().Draw(t, "unsave") && len(w.saved) > 0 {
					s.Unsave(w.saved[0].ID())
					saved, w.saved = saved[1:], w.saved[1:]
				} else {
					s.Remove(list[i].ID())
					list[i], at[i] = w.sources[i].contribution(), 0
				}
			default:
				to := rapid.IntRange(at[i], len(w.sources[i].steps)).Draw(t, "to")
				s.Put(list[i], Accumulate(list[i], w.sources[i].delta(at[i], to), w.caps, g))
				at[i] = to
			}
			if rapid.Bool().Draw(t, "look") {
				check()
			}
		}
		check()
	})
}

func TestStateHidesASectionOnceItIsKnownThatItWasDeleted(t *testing.T) {
	t.Parallel()
	s := NewState("/home/ana/shop", DefaultCaps())
	tombs := []Tombstone{{Key: KeyHash("", "decision:x"), Time: 20}}
	s.Bury(tombs)
	b := &Contribution{Source: "b", Agent: "ana"}
	d := compaction("s2", 30, section("decision:x", "same"))
	s.Put(b, Accumulate(b, &d, DefaultCaps(), nil))
	if _, ok := s.View().Get("decision:x"); !ok {
		t.Fatal("the section is absent")
	}
	a := &Contribution{Source: "a", Agent: "ana"}
	d = fact.Delta{Writes: []fact.Write{marker("s1", 10, "decision:x", "same")}}
	s.Put(a, Accumulate(a, &d, DefaultCaps(), Compile(tombs)))
	if f, ok := s.View().Get("decision:x"); ok {
		t.Errorf("got %+v, want none", f)
	}
}

func TestStateGivesTheSameViewUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	s := NewState("/home/ana/shop", DefaultCaps())
	c := &Contribution{Source: "a", Agent: "ana"}
	d := fact.Delta{Writes: []fact.Write{marker("s1", 10, "k", "v")}}
	s.Put(c, Accumulate(c, &d, DefaultCaps(), nil))
	first := s.View()
	if s.View() != first {
		t.Error("another view without a change")
	}
	d.Writes[0] = marker("s1", 20, "k", "w")
	s.Put(c, Accumulate(c, &d, DefaultCaps(), nil))
	if f, _ := first.Get("k"); f.Value != "v" {
		t.Errorf("an old view has changed: %q", f.Value)
	}
	if f, _ := s.View().Get("k"); f.Value != "w" {
		t.Errorf("k = %q, want w", f.Value)
	}
}
