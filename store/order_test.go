package store

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// transcript is one source, cut into the deltas of its records.
type transcript struct {
	session string
	deltas  []map[string]*fact.Delta
}

// passes returns the transcript's passes when it is cut at some places.
func (tr transcript) passes(cuts map[int]bool) []Pass {
	var out []Pass
	ps := pass(tr.session, shop, 0)
	ps.Deltas, ps.Restart = map[string]*fact.Delta{}, true
	for i, deltas := range tr.deltas {
		for dir, d := range deltas {
			if ps.Deltas[dir] == nil {
				ps.Deltas[dir] = &fact.Delta{}
			}
			ps.Deltas[dir].Writes = append(ps.Deltas[dir].Writes, d.Writes...)
			ps.Deltas[dir].Calls = append(ps.Deltas[dir].Calls, d.Calls...)
		}
		ps.Pos = int64(i + 1)
		if cuts[i] || i == len(tr.deltas)-1 {
			out = append(out, ps)
			ps = pass(tr.session, shop, 0)
			ps.Deltas = map[string]*fact.Delta{}
		}
	}
	return out
}

// transcripts are three sessions of one repository and its worktree; the last
// one repeats records of the first.
func transcripts(dirs []string) []transcript {
	var out []transcript
	for n := range 3 {
		tr := transcript{session: fmt.Sprintf("s%d", n)}
		for i := range 12 {
			at := int64(1000*i + n)
			w := marker(tr.session, at, fmt.Sprintf("decision:%d", i%5), fmt.Sprintf("value %d of %d", i, n))
			note := marker(tr.session, at, fmt.Sprintf("note:%d_%d", n, i), "low signal")
			if n == 2 && i < 4 {
				w.Record = fmt.Sprintf("s0-decision:%d-%d", i%5, 1000*i)
				w.Value = fmt.Sprintf("value %d of 0", i)
			}
			d := &fact.Delta{Writes: []fact.Write{w, note}}
			d.Calls = []fact.Call{{Stamp: w.Stamp, Record: w.Record + "#c", Name: "Bash", Args: fmt.Sprint(i)}}
			tr.deltas = append(tr.deltas, map[string]*fact.Delta{dirs[(n+i)%len(dirs)]: d})
		}
		out = append(out, tr)
	}
	return out
}

// TestOrderNeverShows reads the same transcripts in many orders, cut at many
// places, parts of them twice, with stops in between, one key being deleted at
// a fixed time: everybody sees the same.
func TestOrderNeverShows(t *testing.T) {
	t.Parallel()
	repo := newRepository(t, tempDir(t)+"/shop")
	all := transcripts([]string{repo, repo + "/sub"})
	o := Options{Home: "/home/nobody", Now: func() int64 { return 5500 }}
	o.Caps.LowSignal, o.Caps.Thinking, o.Caps.ToolResult = 7, 7, 7
	var want *fact.View
	rapid.Check(t, func(rt *rapid.T) {
		data := t.TempDir()
		p, err := OpenPool(data, o)
		if err != nil {
			rt.Fatal(err)
		}
		deleteAt := rapid.IntRange(0, 2).Draw(rt, "delete after transcript")
		if want == nil {
			deleteAt = 2
		}
		for i, n := range rapid.Permutation([]int{0, 1, 2}).Draw(rt, "order") {
			for range rapid.IntRange(1, 2).Draw(rt, "times") {
				cuts := rapid.MapOf(rapid.IntRange(0, 11), rapid.Just(true)).Draw(rt, "cuts")
				for _, ps := range all[n].passes(cuts) {
					if err := p.Commit(t.Context(), []Pass{ps}); err != nil {
						rt.Fatal(err)
					}
				}
			}
			if rapid.Bool().Draw(rt, "stop") {
				if err := p.Close(); err != nil {
					rt.Fatal(err)
				}
				if p, err = OpenPool(data, o); err != nil {
					rt.Fatal(err)
				}
			}
			if i != deleteAt {
				continue
			}
			if err := p.bury(t.Context(), p.project(t.Context(), repo), deletion(), nil); err != nil {
				rt.Fatal(err)
			}
		}
		got, err := p.View(t.Context(), repo)
		if err != nil {
			rt.Fatal(err)
		}
		seen := *got
		seen.Sequence = 0
		if want == nil {
			want = &seen
		}
		if diff := cmp.Diff(want, &seen); diff != "" {
			rt.Errorf("-first +now:\n%s", diff)
		}
		if err := p.Close(); err != nil {
			rt.Error(err)
		}
		verifyAll(t, data)
	})
}

func deletion() []merge.Tombstone {
	return []merge.Tombstone{{Key: merge.KeyHash("", "decision:3"), Time: 5500}}
}
