package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kmemd/kmemd/store/fact"
)

func TestGreatestStampWins(t *testing.T) {
	for name, c := range map[string]struct{ a, b fact.Stamp }{
		"time":     {fact.Stamp{Time: 1, Session: "z", File: "z", Pos: 9}, fact.Stamp{Time: 2}},
		"session":  {fact.Stamp{Session: "a", File: "z", Pos: 9}, fact.Stamp{Session: "b"}},
		"file":     {fact.Stamp{File: "a", Pos: 9}, fact.Stamp{File: "b"}},
		"position": {fact.Stamp{Pos: 1, Place: 9}, fact.Stamp{Pos: 2}},
		"place":    {fact.Stamp{Place: 1}, fact.Stamp{Place: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.writes("a", fact.Write{Stamp: c.b, Record: "b", Row: fact.RowMarker, Key: "k", Value: "later", Type: fact.Note})
			p.writes("b", fact.Write{Stamp: c.a, Record: "a", Row: fact.RowMarker, Key: "k", Value: "earlier", Type: fact.Note})
			p.want("k", "later")
		})
	}
}

func TestCreatedAtIsTheEarliestEventOfTheKey(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 30, "decision:db", "new"), marker("s1", 10, "decision:db", "old"))
	p.writes("b", marker("s2", 20, "decision:db", "mid"))
	if got := p.fact("decision:db"); got.CreatedAt != 10 || got.UpdatedAt != 30 {
		t.Errorf("created %d, updated %d; want 10, 30", got.CreatedAt, got.UpdatedAt)
	}
}

func TestCreatedAtStartsAgainAfterADelete(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "decision:db", "old"), marker("s1", 20, "decision:db", "new"), marker("s1", 30, "decision:db", "newer"))
	p.deletes("decision:db", 15)
	if got := p.fact("decision:db"); got.CreatedAt != 20 {
		t.Errorf("created %d, want 20", got.CreatedAt)
	}
}

func TestCreatedAtOfKeptOneEntriesIsTheWinners(t *testing.T) {
	p := newProject(t)
	for _, key := range []string{"tool:sh:x", "thinking:1:x", "a note", "session:started"} {
		row := map[string]fact.Row{"tool:sh:x": fact.RowTool, "thinking:1:x": fact.RowThinking, "session:started": fact.RowSession, "a note": fact.RowMarker}[key]
		p.writes("a", wrote(row, "s1", 10, key, "old"), wrote(row, "s1", 20, key, "new"))
		p.writes("b", wrote(row, "s2", 15, key, "mid"))
	}
	p.says("a", turns(
		fact.Turn{Stamp: at("s1", 1), ID: "1", End: 2, Action: fact.Part{Stamp: at("s1", 2), Record: "2", Key: "last_action", Value: "old"}},
		fact.Turn{Stamp: at("s1", 18), ID: "18", End: 20, Open: "going on", Action: fact.Part{Stamp: at("s1", 20), Record: "20", Key: "last_action", Value: "new"}},
	))
	p.says("a", fact.Delta{Compactions: []fact.Compaction{{Stamp: at("s1", 20), Record: "c", Checkpoint: "new"}}})
	p.says("b", fact.Delta{Compactions: []fact.Compaction{{Stamp: at("s2", 10), Record: "d", Checkpoint: "old"}}})
	for _, key := range []string{"tool:sh:x", "thinking:1:x", "a note", "session:started", "last_action", "progress:turn", "checkpoint:summary"} {
		if got := p.fact(key); got.CreatedAt != 20 || got.UpdatedAt != 20 {
			t.Errorf("%s: created %d, updated %d; want 20", key, got.CreatedAt, got.UpdatedAt)
		}
	}
}

func TestPastKeepsThreeDifferentValues(t *testing.T) {
	for _, key := range []string{"decision:x", "preference:x", "context:x", "note:x"} {
		t.Run(key, func(t *testing.T) {
			p := newProject(t)
			for i, v := range []string{"a", "b", "b", "a", "c", "d", "e", "e"} {
				p.writes("a", marker("s1", int64(i+1), key, v))
			}
			want := []fact.Past{{Value: "d", At: 6}, {Value: "c", At: 5}, {Value: "a", At: 4}}
			if diff := cmp.Diff(want, p.fact(key).Past); diff != "" {
				t.Errorf("past (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPastIsNotKeptOfOtherTypes(t *testing.T) {
	p := newProject(t)
	p.writes("a", wrote(fact.RowPrompt, "s1", 1, "prompt:x", "a"), wrote(fact.RowPrompt, "s1", 2, "prompt:x", "b"))
	if got := p.fact("prompt:x").Past; got != nil {
		t.Errorf("past = %v, want none", got)
	}
}

func TestPastEndsAtADelete(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 1, "decision:x", "a"), marker("s1", 5, "decision:x", "b"), marker("s1", 6, "decision:x", "c"))
	p.deletes("decision:x", 3)
	if diff := cmp.Diff([]fact.Past{{Value: "b", At: 5}}, p.fact("decision:x").Past); diff != "" {
		t.Errorf("past (-want +got):\n%s", diff)
	}
}
