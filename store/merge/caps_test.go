package merge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
	"pgregory.net/rapid"
)

func count(v *fact.View, prefix string) (n int) {
	for i := range v.Facts {
		if strings.HasPrefix(v.Facts[i].Key, prefix) {
			n++
		}
	}
	return n
}

func TestEveryToolKeepsItsNewestTwenty(t *testing.T) {
	p := newProject(t)
	for i := range 30 {
		for _, tool := range []string{"sh", "web"} {
			p.writes("a", wrote(fact.RowTool, "s1", int64(i), fmt.Sprintf("tool:%s:%02d", tool, i), "v"))
		}
	}
	v := p.want("tool:sh:09", "", "tool:sh:10", "v", "tool:web:29", "v")
	if a, b := count(v, "tool:sh:"), count(v, "tool:web:"); a != 20 || b != 20 {
		t.Errorf("kept %d and %d, want 20 and 20", a, b)
	}
}

func TestThinkingKeepsItsNewestTwenty(t *testing.T) {
	p := newProject(t)
	for i := range 30 {
		p.writes("a", wrote(fact.RowThinking, "s1", int64(i), fmt.Sprintf("thinking:%02d:x", i), "v"))
	}
	if v := p.want("thinking:09:x", "", "thinking:10:x", "v"); len(v.Facts) != 20 {
		t.Errorf("kept %d, want 20", len(v.Facts))
	}
}

func TestNotesAndFactsShareFifty(t *testing.T) {
	p := newProject(t)
	for i := range 60 {
		w := marker("s1", int64(i), fmt.Sprintf("n%02d", i), "v")
		if i%2 == 0 {
			w.Type = fact.FactType
		}
		p.writes("a", w)
	}
	if v := p.want("n09", "", "n10", "v", "n59", "v"); len(v.Facts) != 50 {
		t.Errorf("kept %d, want 50", len(v.Facts))
	}
}

func TestStructuralTypesAreNeverCapped(t *testing.T) {
	p := newProject(t)
	for i := range 80 {
		p.writes("a", marker("s1", int64(i), fmt.Sprintf("decision:%d", i), "v"))
	}
	if v := p.view(); len(v.Facts) != 80 {
		t.Errorf("kept %d, want 80", len(v.Facts))
	}
}

func TestSavedEntriesAreNeverCapped(t *testing.T) {
	p := newProject(t)
	for i := range 60 {
		p.saves(fact.Entry{Key: fmt.Sprintf("n%02d", i), Value: "v", UpdatedAt: int64(i)})
		p.writes("a", marker("s1", int64(i+100), fmt.Sprintf("m%02d", i), "v"))
	}
	v := p.view()
	if a, b := count(v, "n"), count(v, "m"); a != 60 || b != 50 {
		t.Errorf("kept %d saved and %d captured, want 60 and 50", a, b)
	}
}

func TestReaderSeesTheNewestOfTheProject(t *testing.T) {
	p := newProject(t)
	for i := range 30 {
		dir := []string{"/home/ana/shop", "/home/ana/shop/web"}[i%2]
		p.saysIn(dir, "a", fact.Delta{Writes: []fact.Write{wrote(fact.RowTool, "s1", int64(i), fmt.Sprintf("tool:sh:%02d", i), "v")}})
	}
	if v := p.want("tool:sh:09", "", "tool:sh:10", "v"); len(v.Facts) != 20 {
		t.Errorf("kept %d, want 20", len(v.Facts))
	}
}

func TestEqualTimesAreRankedByKey(t *testing.T) {
	p := newProject(t)
	for i := range 30 {
		w := wrote(fact.RowTool, "s1", 5, fmt.Sprintf("tool:sh:%02d", i), "v")
		w.Record += fmt.Sprint(i)
		p.writes("a", w)
	}
	if v := p.want("tool:sh:09", "", "tool:sh:10", "v"); len(v.Facts) != 20 {
		t.Errorf("kept %d, want 20", len(v.Facts))
	}
}

func TestOldRecordReadLateCostsNoNewerOne(t *testing.T) {
	p := newProject(t)
	for i := range 20 {
		p.writes("a", wrote(fact.RowTool, "s1", int64(10+i), fmt.Sprintf("tool:sh:%02d", i), "v"))
	}
	p.writes("b", wrote(fact.RowTool, "s2", 5, "tool:sh:late", "v"))
	p.want("tool:sh:late", "", "tool:sh:00", "v")
}

func TestDeletedKeyKeepsItsPlaceUntilPushedOut(t *testing.T) {
	p := newProject(t)
	for i := range 30 {
		p.writes("a", wrote(fact.RowTool, "s1", int64(i), fmt.Sprintf("tool:sh:%02d", i), "v"))
	}
	p.deletes("tool:sh:25", 29)
	if v := p.want("tool:sh:25", "", "tool:sh:09", ""); len(v.Facts) != 19 {
		t.Errorf("kept %d, want 19", len(v.Facts))
	}
	for i := range 20 {
		p.writes("a", wrote(fact.RowTool, "s1", int64(30+i), fmt.Sprintf("tool:sh:%02d", 30+i), "v"))
	}
	if v := p.view(); len(v.Facts) != 20 {
		t.Errorf("kept %d, want 20", len(v.Facts))
	}
	for row := range p.in.Contributions[0].Rows() {
		if row.Kind == KindGhost {
			t.Errorf("ghost left after newer ones pushed it out: %+v", row.Value)
		}
	}
}

func TestKeyOverwrittenByACallKeepsItsPlace(t *testing.T) {
	p := newProject(t)
	for i := range 30 {
		p.writes("a", marker("s1", int64(i), fmt.Sprintf("n%02d", i), "v"))
	}
	p.in.Caps.LowSignal = 20
	p.saves(fact.Entry{Key: "n25", Value: "mine", UpdatedAt: 99})
	if v := p.want("n25", "mine", "n09", ""); len(v.Facts) != 20 {
		t.Errorf("kept %d, want 20", len(v.Facts))
	}
}

func TestNoCapWhereTheNumberIsNotPositive(t *testing.T) {
	p := newProject(t)
	p.in.Caps = Caps{LowSignal: -1}
	for i := range 60 {
		p.writes("a", marker("s1", int64(i), fmt.Sprintf("n%02d", i), "v"),
			wrote(fact.RowTool, "s1", int64(i), fmt.Sprintf("tool:sh:%02d", i), "v"))
	}
	if v := p.view(); len(v.Facts) != 120 {
		t.Errorf("kept %d, want 120", len(v.Facts))
	}
}

func TestNewestTwoHundredCallsOfASession(t *testing.T) {
	p := newProject(t)
	for i := range 250 {
		for _, s := range []string{"s1", "s2"} {
			p.says("a", fact.Delta{Calls: []fact.Call{{Stamp: at(s, int64(i)), Record: fmt.Sprint(s, i), Name: "sh"}}})
		}
	}
	p.says("b", fact.Delta{Calls: []fact.Call{{Stamp: at("s1", 500), Record: "last", Name: "sh"}}})
	v := p.view()
	for _, s := range []string{"s1", "s2"} {
		if list := v.Calls[s]; len(list) != 200 || list[0].Time >= list[199].Time {
			t.Errorf("%s: %d calls from %d to %d, want 200, oldest first", s, len(list), list[0].Time, list[len(list)-1].Time)
		}
	}
	if last := v.Calls["s1"][199]; last.Record != "last" {
		t.Errorf("newest call is %+v, want that of the other file", last)
	}
}

func TestAccumulateKeepsNoMoreThanTheViewNeeds(t *testing.T) {
	t.Parallel()
	c := &Contribution{Agent: "ana"}
	for i := range 500 {
		Accumulate(c, &fact.Delta{
			Writes: []fact.Write{wrote(fact.RowTool, "s", int64(i), fmt.Sprintf("tool:sh:%03d", i), "v"), wrote(fact.RowTool, "s", int64(i), "tool:web:same", "v")},
			Calls:  []fact.Call{{Stamp: at("s", int64(i)), Record: fmt.Sprint(i)}},
		}, DefaultCaps(), nil)
	}
	if len(c.writes) != 21 || len(c.calls) != 200 {
		t.Errorf("kept %d writes and %d calls, want 21 and 200", len(c.writes), len(c.calls))
	}
}

// Whatever is captured, caps hold, and what they keep is the newest.
func TestCapsHold(t *testing.T) {
	manyTimes(t, func(t *rapid.T) {
		w := drawWorld(t)
		list := w.plain()
		v := Build(w.input(list))
		kept := map[string]int{}
		saved := map[string]bool{}
		for i := range v.Facts {
			f := &v.Facts[i]
			if !f.Captured() {
				saved[f.Namespace+"\x00"+f.Key] = true
				continue
			}
			if registerRow(f.Row) {
				continue
			}
			kept[groupOf(f.Type, f.Key)]++
		}
		for group, n := range kept {
			if limit := w.caps.limit(group); limit > 0 && n > limit {
				t.Fatalf("%s keeps %d, want %d at most", group, n, limit)
			}
		}
		// A saved entry is only ever absent for a newer one, or deleted.
		g := Compile(w.tombs)
		for i := range w.saved {
			s := &w.saved[i]
			f, ok := v.GetIn(s.Namespace, s.Key)
			if g.hidesSaved(s) || saved[s.Namespace+"\x00"+s.Key] || ok && f.UpdatedAt > s.UpdatedAt {
				continue
			}
			if s.Key == keyOpenTurn || strings.HasPrefix(s.Key, "progress:") {
				continue // a withdrawn winner leaves its key absent
			}
			t.Fatalf("saved %s is lost", s.Key)
		}
	})
}

func registerRow(r fact.Row) bool {
	switch r {
	case fact.RowOutcome, fact.RowOpenTurn, fact.RowAction, fact.RowFiles, fact.RowFailure, fact.RowTask, fact.RowSection, fact.RowCheckpoint:
		return true
	}
	return false
}
