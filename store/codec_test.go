package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

const sampleID = "0b5c1f52-3a44-4c5e-9d4e-6f1e2a7b8c9d"

// text draws strings of all the forms that the codec tells apart.
func text() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "claude-code", sampleID, sampleID + "#1", sampleID + ".jsonl", "0B5C1F52-3A44-4C5E-9D4E-6F1E2A7B8C9D",
	}))
}

func drawRow[T any](t *rapid.T) *T {
	v := rapid.MakeCustom[T](rapid.MakeConfig{}).Draw(t, "row")
	return &v
}

func TestRowsSurvive(t *testing.T) {
	t.Parallel()
	w := newRowWriter(7, "claude-code", "/home/ana/.claude/projects/p/"+sampleID+".jsonl")
	rapid.Check(t, func(t *rapid.T) {
		write := drawRow[fact.Write](t)
		write.Session, write.Record = text().Draw(t, "session"), text().Draw(t, "record")
		for _, row := range []any{
			write, drawRow[fact.Turn](t), drawRow[fact.Run](t), drawRow[fact.TaskItem](t), drawRow[fact.TaskList](t),
			drawRow[fact.Compaction](t), drawRow[fact.Call](t), drawRow[fact.File](t), drawRow[fact.Session](t), drawRow[merge.Ghost](t),
		} {
			ref, ok := merge.RefOf(row)
			if !ok {
				t.Fatalf("%T is no row", row)
			}
			key := w.key(ref)
			payload, ok := unseal(key, w.value(key, row))
			if !ok {
				t.Fatalf("%T: sum wrong", row)
			}
			got, ok := readRow(&codec{names: w.codec.names}, ref.Kind, payload)
			if !ok {
				t.Fatalf("%T: not decoded", row)
			}
			if diff := cmp.Diff(row, got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%T (-want +got):\n%s", row, diff)
			}
		}
	})
}

func TestCommonStringsTakeOneByte(t *testing.T) {
	t.Parallel()
	c := codec{names: commonNames("claude-code", "/p/"+sampleID+".jsonl")}
	for _, s := range c.names {
		if n := len(c.encode(func(c *codec) { c.text(&s) })); n != 1 {
			t.Errorf("%q takes %d bytes", s, n)
		}
	}
	other := "1b5c1f52-3a44-4c5e-9d4e-6f1e2a7b8c9d"
	if n := len(c.encode(func(c *codec) { c.text(&other) })); n != 17 {
		t.Errorf("an identifier takes %d bytes", n)
	}
}

func TestSealTellsDamage(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	value := seal(key, []byte("payload"))
	if payload, ok := unseal(key, value); !ok || string(payload) != "payload" {
		t.Fatalf("unseal = %q, %v", payload, ok)
	}
	if _, ok := unseal([]byte("kez"), value); ok {
		t.Error("a value under another key was taken")
	}
	for i := range value {
		for bit := range 8 {
			bad := append([]byte(nil), value...)
			bad[i] ^= 1 << bit
			if _, ok := unseal(key, bad); ok {
				t.Errorf("bit %d of byte %d flipped: not noticed", bit, i)
			}
		}
	}
	if _, ok := unseal(key, nil); ok {
		t.Error("nothing was taken for a row")
	}
}

func FuzzReadRow(f *testing.F) {
	w := newRowWriter(1, "codex", "/p/x.jsonl")
	for _, row := range []any{&fact.Write{Key: "k", Value: "v"}, &fact.Compaction{Sections: []fact.Section{{Key: "k"}}}, &merge.Ghost{Key: "h"}} {
		ref, _ := merge.RefOf(row)
		payload, _ := unseal(w.key(ref), w.value(w.key(ref), row))
		f.Add(byte(ref.Kind), payload)
	}
	f.Fuzz(func(t *testing.T, kind byte, payload []byte) {
		readRow(&codec{names: []string{"codex"}}, merge.Kind(kind), payload)
	})
}
