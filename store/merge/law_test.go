package merge

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kmemd/kmemd/store/fact"
	"pgregory.net/rapid"
)

// export is the byte form in which views are compared.
func export(t interface{ Fatal(...any) }, v *fact.View) string { return exportAny(t, v) }

func exportAny(t interface{ Fatal(...any) }, v any) string {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (w *world) input(list []*Contribution) Input {
	return Input{Project: "/home/ana/shop", Contributions: list, Saved: w.saved, Tombstones: w.tombs, Caps: w.caps}
}

// plain reads every file whole, once, and deletes nothing before the end.
func (w *world) plain() []*Contribution {
	var list []*Contribution
	for _, s := range w.sources {
		c := s.contribution()
		Accumulate(c, s.delta(0, len(s.steps)), w.caps, nil)
		list = append(list, c)
	}
	return list
}

// reload is what a store does between two runs of the program.
func reload(c *Contribution) *Contribution {
	n := &Contribution{Source: c.Source, Agent: c.Agent, Path: c.Path, Dir: c.Dir}
	for row := range c.Rows() {
		n.Load(row.Value)
	}
	return n
}

// wild reads the files in pieces, in any order, repeats parts, deletes and
// restarts in between.
func (w *world) wild(t *rapid.T) []*Contribution {
	list := make([]*Contribution, len(w.sources))
	at := make([]int, len(w.sources))
	for i, s := range w.sources {
		list[i] = s.contribution()
	}
	known := 0
	act := func() {
		i := rapid.IntRange(0, len(list)-1).Draw(t, "source")
		s, g := w.sources[i], Compile(w.tombs[:known])
		switch rapid.IntRange(0, 5).Draw(t, "act") {
		case 0:
			list[i] = reload(list[i])
		case 1:
			if known < len(w.tombs) {
				known++
			}
			list[i].Erase(Compile(w.tombs[:known]))
		case 2: // read again from an earlier point
			at[i] = rapid.IntRange(0, at[i]).Draw(t, "back")
		default:
			to := rapid.IntRange(at[i], len(s.steps)).Draw(t, "to")
			Accumulate(list[i], s.delta(at[i], to), w.caps, g)
			at[i] = to
		}
	}
	for range rapid.IntRange(0, 25).Draw(t, "acts") {
		act()
	}
	for i, s := range w.sources {
		Accumulate(list[i], s.delta(at[i], len(s.steps)), w.caps, Compile(w.tombs[:known]))
	}
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// manyTimes checks a property more often than rapid does by itself: the rules
// meet each other only in some of the worlds.
func manyTimes(t *testing.T, property func(*rapid.T)) {
	t.Parallel()
	rounds := 15
	if testing.Short() {
		rounds = 1
	}
	for i := range rounds {
		t.Run(strconv.Itoa(i), rapid.MakeCheck(property))
	}
}

func TestOrderOfReadingNeverShows(t *testing.T) {
	manyTimes(t, func(t *rapid.T) {
		w := drawWorld(t)
		want := export(t, Build(w.input(w.plain())))
		list := w.wild(t)
		rand.Shuffle(len(w.saved), func(i, j int) { w.saved[i], w.saved[j] = w.saved[j], w.saved[i] })
		if diff := cmp.Diff(want, export(t, Build(w.input(list)))); diff != "" {
			t.Fatalf("reading in pieces gives another view (-whole +pieces):\n%s", diff)
		}
		for _, c := range list {
			c.Erase(Compile(w.tombs))
		}
		if diff := cmp.Diff(want, export(t, Build(w.input(list)))); diff != "" {
			t.Fatalf("erasing gives another view (-before +after):\n%s", diff)
		}
	})
}
