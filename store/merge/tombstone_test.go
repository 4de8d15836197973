package merge

import (
	"strings"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

func TestEventAtOrBeforeATombstoneStaysDeleted(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "a", "v"), marker("s1", 11, "b", "v"))
	p.deletes("a", 10)
	p.deletes("b", 10)
	p.want("a", "", "b", "v")
}

func TestTombstoneHoldsInStoresFilledLater(t *testing.T) {
	p := newProject(t)
	p.deletes("k", 10)
	p.saysIn("/home/ana/shop/web", "a", fact.Delta{Writes: []fact.Write{marker("s1", 10, "k", "v")}})
	p.want("k", "")
}

func TestDeletedContentStaysAwayFromOtherSessions(t *testing.T) {
	for _, row := range []fact.Row{fact.RowPrompt, fact.RowMarker, fact.RowChoice, fact.RowPreference} {
		t.Run(string(row), func(t *testing.T) {
			p := newProject(t)
			p.writes("a", wrote(row, "s1", 10, "x", "same"))
			p.writes("b", wrote(row, "s2", 30, "x", "same"))
			p.deletes("x", 20)
			p.want("x", "")
		})
	}
}

func TestOtherContentBringsADeletedKeyBack(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "x", "same"))
	p.writes("b", marker("s2", 30, "x", "other"))
	p.deletes("x", 20)
	p.want("x", "other")
}

func TestSessionThatHadSaidItMayBringItBack(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "x", "same"))
	p.deletes("x", 20)
	p.view() // erases: only the ghost tells now that s1 had said it
	p.writes("a", marker("s1", 30, "x", "same"))
	p.want("x", "same")
}

func TestCallBringsADeletedKeyBack(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "x", "same"))
	p.deletes("x", 20)
	p.saves(fact.Entry{Key: "x", Value: "same", UpdatedAt: 21})
	p.want("x", "same")
}

func TestSavedContentIsKnownFromTheTombstone(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 30, "x", "same"))
	p.in.Tombstones = []Tombstone{{Key: KeyHash("", "x"), Content: ContentHash("same"), Time: 20}}
	p.want("x", "")
}

func TestRegistersAndToolResultsNeedOnlyALaterEvent(t *testing.T) {
	p := newProject(t)
	p.writes("a", wrote(fact.RowTool, "s1", 10, "tool:sh:x", "same"))
	p.writes("b", wrote(fact.RowTool, "s2", 30, "tool:sh:x", "same"))
	p.says("a", turns(closed("s1", 1, 10, "result:x", "same")))
	p.says("b", turns(closed("s2", 21, 30, "result:x", "same")))
	p.deletes("tool:sh:x", 20)
	p.deletes("result:x", 20)
	p.want("tool:sh:x", "same", "result:x", "same")
}

func TestDeletedSectionStaysAwayFromOtherSessions(t *testing.T) {
	p := newProject(t)
	sec := func(session string, time int64, record string) fact.Delta {
		return fact.Delta{Compactions: []fact.Compaction{{Stamp: at(session, time), Record: record, Checkpoint: record,
			Sections: []fact.Section{{Key: "decision:x", Value: "same", Type: fact.Decision}}}}}
	}
	p.says("a", sec("s1", 10, "c1"))
	p.says("b", sec("s2", 30, "c2"))
	p.deletes("decision:x", 20)
	p.want("decision:x", "", "checkpoint:summary", "c2")
	p.says("a", sec("s1", 40, "c3"))
	p.want("decision:x", "same")
}

func TestOlderStatusDoesNotShineThroughADelete(t *testing.T) {
	p := newProject(t)
	p.says("a", fact.Delta{Tasks: []fact.TaskItem{{Stamp: at("s1", 10), Record: "1", Slug: "x", Text: "x", Status: "completed"}}})
	p.says("b", fact.Delta{Tasks: []fact.TaskItem{{Stamp: at("s2", 20), Record: "2", Slug: "x", Text: "x", Status: "pending"}}})
	p.deletes("progress:x", 30)
	p.want("progress:x", "", "result:x", "")
}

func TestForgottenSessionLeavesNothing(t *testing.T) {
	p := newProject(t)
	d := bigDelta("s1", 0, 20)
	d.Sessions[0].UpdatedAt, d.Sessions[0].Title = 90, "a secret title"
	d.Tasks = []fact.TaskItem{{Stamp: at("s1", 5), Record: "1", Slug: "x", Text: "x", Status: "pending"}}
	d.Compactions = []fact.Compaction{{Stamp: at("s1", 5), Record: "c", Checkpoint: "sum", Sections: []fact.Section{{Key: "decision:a", Value: "b", Type: fact.Decision}}}}
	p.says("a", *d)
	p.writes("b", marker("s2", 5, "k", "v"))
	p.saves(fact.Entry{Key: "by s1", Value: "x", UpdatedAt: 50, Origin: &fact.Origin{Session: "s1", Via: fact.ViaTool}})
	p.in.Tombstones = []Tombstone{{Session: "s1", Time: 1000}}
	v := p.want("k", "v")
	if len(v.Facts) != 1 || len(v.Turns)+len(v.Sessions)+len(v.Files)+len(v.Tasks)+len(v.Calls) > 0 {
		t.Errorf("view still holds %s", export(t, v))
	}
	for row := range p.in.Contributions[0].Rows() {
		if _, ok := row.Value.(*Ghost); !ok && row.Kind != KindRun {
			t.Errorf("row left: %+v", row.Value)
		}
	}
}

func TestForgottenSessionThatGoesOnComesBackFromThere(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "old", "v"), marker("s1", 30, "new", "v"))
	p.says("a", fact.Delta{Sessions: []fact.Session{{ID: "s1", Title: "old words", StartedAt: 1, UpdatedAt: 30}}})
	p.in.Tombstones = []Tombstone{{Session: "s1", Time: 20}}
	v := p.want("old", "", "new", "v")
	if len(v.Sessions) != 1 || v.Sessions[0].Title != "" {
		t.Errorf("got sessions %+v, want s1 without its title", v.Sessions)
	}
}

func TestCopyOfAForgottenRecordStaysForgotten(t *testing.T) {
	p := newProject(t)
	w := marker("s1", 10, "k", "v")
	p.writes("a", w)
	w.Session, w.Time = "s2", 10
	p.writes("b", w)
	p.says("a", turns(closed("s1", 10, 11, "result:x", "v")))
	copied := closed("s2", 10, 11, "result:x", "v")
	copied.ID = "s1@10"
	p.says("b", turns(copied))
	p.in.Tombstones = []Tombstone{{Session: "s1", Time: 20}}
	p.want("k", "", "result:x", "")
}

func TestHorizonHidesEveryKeyAtOrBefore(t *testing.T) {
	p := newProject(t)
	p.writes("a", marker("s1", 10, "a", "v"), marker("s1", 11, "b", "v"))
	p.saves(fact.Entry{Key: "c", Value: "v", UpdatedAt: 9})
	p.saves(fact.Entry{Key: "d", Value: "v", Namespace: "team", UpdatedAt: 9})
	p.in.Tombstones = []Tombstone{{Before: true, Time: 10}}
	if v := p.want("a", "", "b", "v", "c", ""); len(v.Facts) != 1 {
		t.Errorf("got %d facts, want 1", len(v.Facts))
	}
}

func TestSuccessOfAForgottenSessionStillResolves(t *testing.T) {
	p := newProject(t)
	p.says("a", fact.Delta{Runs: []fact.Run{{Stamp: at("s1", 10), Record: "1", Failed: true, Key: "error:x", Value: "x => FAIL", Subject: "x"}}})
	p.says("b", fact.Delta{Runs: []fact.Run{{Stamp: at("s2", 20), Record: "2", Subject: "x", Label: "secret words"}}})
	p.in.Tombstones = []Tombstone{{Session: "s2", Time: 30}}
	p.want("error:x", "resolved: x => FAIL")
	if got := p.fact("error:x").EndedBy; got != "" {
		t.Errorf("ended by %q, want nothing of the forgotten session", got)
	}
}

func TestEraseLeavesNoText(t *testing.T) {
	p := newProject(t)
	const word = "passw0rd"
	p.writes("a", marker("s1", 10, "key-"+word, word), wrote(fact.RowTool, "s1", 10, "tool:sh:"+word, word))
	turn := closed("s1", 5, 12, "result:"+word, word)
	turn.Prompt, turn.Parents = "key-"+word, []string{"tool:sh:" + word}
	p.says("a", fact.Delta{
		Turns: []fact.Turn{turn},
		Runs:  []fact.Run{{Stamp: at("s1", 10), Record: "1", Failed: true, Key: "error:" + word, Value: word, Subject: "x", Parents: []string{"tool:sh:" + word}}},
		Tasks: []fact.TaskItem{{Stamp: at("s1", 10), Record: "1", Slug: word, Text: word, Status: "pending"}},
		Lists: []fact.TaskList{{Stamp: at("s1", 10), Record: "1", Slugs: []string{word}}},
		Calls: []fact.Call{{Stamp: at("s1", 10), Record: "1", Key: "tool:sh:" + word, Result: word}},
		Compactions: []fact.Compaction{{Stamp: at("s1", 11), Record: "2", Checkpoint: "kept", Parents: []string{"result:" + word},
			Sections: []fact.Section{{Key: "decision:" + word, Value: word}}}},
	})
	for _, key := range []string{"key-", "tool:sh:", "result:", "error:", "progress:", "decision:"} {
		p.deletes(key+word, 20)
	}
	v := p.want("checkpoint:summary", "kept")
	if s := export(t, v); strings.Contains(s, word) {
		t.Errorf("the view holds the word:\n%s", s)
	}
	for row := range p.in.Contributions[0].Rows() {
		switch v := row.Value.(type) {
		case *Ghost:
			if strings.Contains(v.Record+v.Key+v.Content+v.Group+v.Slot, word) {
				t.Errorf("ghost holds the word: %+v", v)
			}
		default:
			if strings.Contains(exportAny(t, v), word) || strings.Contains(row.ID, word) {
				t.Errorf("row holds the word: %+v", v)
			}
		}
	}
	// What is read again is erased in the same step.
	ch := Accumulate(p.in.Contributions[0], &fact.Delta{Writes: []fact.Write{marker("s1", 10, "key-"+word, word)}}, p.in.Caps, Compile(p.in.Tombstones))
	if strings.Contains(exportAny(t, ch), word) {
		t.Errorf("reading again puts the word: %+v", ch)
	}
}

func TestOlderStateReadAgainDoesNotBringADeletedTaskBack(t *testing.T) {
	p := newProject(t)
	p.says("a", tasksDelta(task("s1", 10, "x", "pending"), task("s1", 20, "x", "completed")))
	p.deletes("result:x", 30)
	p.want("result:x", "", "progress:x", "")
	p.says("a", tasksDelta(task("s1", 10, "x", "pending")))
	p.want("result:x", "", "progress:x", "")
}

func TestHiddenCopyOfAPartHidesTheRecord(t *testing.T) {
	p := newProject(t)
	a := closed("s1", 10, 20, "result:x", "v")
	p.says("a", turns(a))
	b := a
	b.End, b.Result.Time = 40, 40 // a copy under later stamps
	p.says("b", turns(b))
	p.deletes("result:x", 30)
	p.want("result:x", "")
}

func TestEdgeToAKeyThatCameBack(t *testing.T) {
	p := newProject(t)
	p.writes("a", wrote(fact.RowPrompt, "s1", 10, "prompt:x", "v"), wrote(fact.RowPrompt, "s1", 22, "prompt:x", "w"))
	child := wrote(fact.RowTool, "s1", 25, "tool:sh:x", "v")
	child.Parents = []string{"prompt:x"}
	p.writes("a", child)
	p.deletes("prompt:x", 20)
	if got := p.fact("tool:sh:x").References; len(got) != 1 || got[0] != "prompt:x" {
		t.Errorf("references = %v, want prompt:x", got)
	}
}
