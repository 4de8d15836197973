package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

const secret = "the cellar key is under the third pot"

// grep returns the files of a data directory that hold a text.
func grep(t *testing.T, data, text string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// secretive returns passes that leave a secret in every kind of row, in the
// state of the extractor and, overwritten, in free pages.
func secretive(t *testing.T, pos int64) Pass {
	t.Helper()
	ps := pass("s1", shop, pos,
		marker("s1", 1000, "prompt:cellar", secret), marker("s1", 1001, "note:other", "the well is deep"))
	stamp := fact.Stamp{Time: 1000, Session: "s1", File: "s1.jsonl", Pos: 1}
	d := ps.Deltas[shop]
	d.Calls = []fact.Call{{Stamp: stamp, Record: "c1", Name: "Bash", Args: "echo " + secret, Key: "prompt:cellar"}}
	state, err := json.Marshal(map[string]any{"turn": map[string]any{"words": []string{"he said: " + secret}, "n": 7}, "key": "prompt:cellar"})
	if err != nil {
		t.Fatal(err)
	}
	ps.Extractor = state
	return ps
}

func TestDeleteLeavesNoByte(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{Now: clock()})
	for i := range 40 {
		ps := secretive(t, int64(i+1))
		ps.Deltas[shop].Writes = append(ps.Deltas[shop].Writes, marker("s1", int64(2000+i), "note:n", fmt.Sprint("the weather is fine ", i)))
		commit(t, p, ps)
	}
	if err := p.catalog.flush(); err != nil {
		t.Fatal(err)
	}
	wt := shop + "/sub"
	commit(t, p, pass("s2", wt, 10, marker("s2", 1500, "note:wt", "elsewhere")))
	if len(grep(t, p.data, "cellar key")) < 2 {
		t.Fatal("the secret is in no file to begin with")
	}
	deleted, err := p.Delete(t.Context(), shop, "", []string{"prompt:cellar", "never:there"})
	if err != nil || len(deleted) != 1 {
		t.Fatalf("Delete = %q, %v", deleted, err)
	}
	look := func(p *Pool) {
		t.Helper()
		if got := grep(t, p.data, "third pot"); len(got) != 0 {
			t.Errorf("the secret is in %q", got)
		}
		got := values(t, p, shop)
		if _, there := got["prompt:cellar"]; there || got["note:other"] != "the well is deep" || got["note:n"] == "" {
			t.Errorf("view %v", got)
		}
	}
	look(p)
	at, _ := p.Resume("claude-code", secretive(t, 1).Path)
	if want := `{"key":"prompt:cellar","turn":{"n":7,"words":["he said: "]}}`; string(at.Extractor) != want {
		t.Errorf("state %s, want %s", at.Extractor, want)
	}
	// Reading again, all of it, brings nothing back.
	again := secretive(t, 50)
	again.Restart, again.Generation, again.Extractor = true, "g2", nil
	commit(t, p, again)
	look(p)
	p = reopen(t, p)
	look(p)
	if got := grep(t, p.data, "the well is deep"); len(got) != 1 {
		t.Errorf("what was not deleted is in %q", got)
	}
}

// The same sentence, from a session that is discovered later, stays away too,
// whichever state file has been lost in between.
func TestDeletedStaysDeletedWithoutAnyFile(t *testing.T) {
	t.Parallel()
	for _, lose := range []string{"none", "catalog", "store"} {
		t.Run(lose, func(t *testing.T) {
			t.Parallel()
			p := openPool(t, t.TempDir(), Options{Now: clock()})
			w := marker("s1", 1000, "prompt:cellar", secret)
			w.Row, w.Type = fact.RowPrompt, fact.Prompt
			commit(t, p, pass("s1", shop, 10, w, marker("s1", 1001, "note:other", "stays")))
			if _, err := p.Delete(t.Context(), shop, "", []string{"prompt:cellar"}); err != nil {
				t.Fatal(err)
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			switch lose {
			case "catalog":
				remove(t, filepath.Join(p.data, ".state", "catalog.bolt"))
			case "store":
				remove(t, storePath(p.data, shop))
			}
			p = openPool(t, p.data, p.o)
			if _, ok := p.Resume("claude-code", pass("s1", shop, 0).Path); ok != (lose == "none") {
				t.Errorf("resumed: %v", ok)
			}
			ps := pass("s1", shop, 10, w, marker("s1", 1001, "note:other", "stays"))
			ps.Restart = true
			commit(t, p, ps)
			if got := values(t, p, shop); len(got) != 1 || got["note:other"] != "stays" {
				t.Errorf("view %v", got)
			}
			if got := grep(t, p.data, "third pot"); len(got) != 0 {
				t.Errorf("the secret is in %q", got)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestDeleteInEveryStoreOfTheProject(t *testing.T) {
	t.Parallel()
	repo := newRepository(t, tempDir(t)+"/shop")
	p := openPool(t, t.TempDir(), Options{Now: clock()})
	commit(t, p,
		pass("s1", repo, 10, marker("s1", 1000, "note:a", secret)),
		pass("s2", repo+"/sub", 10, marker("s2", 2000, "note:a", secret+", still")))
	if _, _, err := p.Save(t.Context(), repo+"/sub/dir", fact.Entry{Key: "note:a", Value: secret + ", saved"}); err != nil {
		t.Fatal(err)
	}
	if got := p.Stats(); got.Stores != 3 || got.Projects != 1 {
		t.Fatalf("stats %+v", got)
	}
	if got, err := p.Delete(t.Context(), repo, "", []string{"note:a"}); err != nil || len(got) != 1 {
		t.Fatalf("Delete = %v, %v", got, err)
	}
	if got := values(t, p, repo); len(got) != 0 {
		t.Errorf("view %v", got)
	}
	if got := grep(t, p.data, "third pot"); len(got) != 0 {
		t.Errorf("the secret is in %q", got)
	}
	// A store that is filled later has the tombstone as well.
	commit(t, p, pass("s3", repo+"/.git", 10, marker("s3", 1500, "note:a", "older than the delete"), marker("s3", 1500, "note:b", "b")))
	if got := values(t, p, repo); len(got) != 1 {
		t.Errorf("view %v", got)
	}
	// A later call brings the key back.
	if _, created, err := p.Save(t.Context(), repo, fact.Entry{Key: "note:a", Value: "new"}); err != nil || !created {
		t.Errorf("Save: %v, %v", created, err)
	}
	if got := values(t, p, repo); got["note:a"] != "new" {
		t.Errorf("view %v", got)
	}
}

func TestInterruptedDeleteIsFinished(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{Now: clock()})
	commit(t, p, secretive(t, 10))
	v, err := p.View(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := v.Get("prompt:cellar")
	// The machine stops when the catalog alone has the tombstone …
	if err := p.catalog.bury(shop, nil); err != nil {
		t.Fatal(err)
	}
	tomb := tombstoneOf(f, p.o.Now())
	if err := p.catalog.bury(shop, append(p.tombstones(shop), tomb)); err != nil {
		t.Fatal(err)
	}
	p = reopen(t, p)
	if got := values(t, p, shop); len(got) != 1 {
		t.Errorf("view %v", got)
	}
	if got := grep(t, filepath.Dir(storePath(p.data, shop)), "third pot"); len(got) != 0 {
		t.Errorf("the secret is in %q", got)
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	fill := func(t *testing.T) *Pool {
		p := openPool(t, t.TempDir(), Options{Now: clock()})
		commit(t, p,
			pass("s1", shop, 10, marker("s1", 1000, "note:a", "alpha session text"), marker("s1", 5000, "note:b", "beta session text")),
			pass("s2", shop, 10, marker("s2", 3000, "note:c", "gamma session text")))
		return p
	}
	for _, tt := range []struct {
		name string
		f    Forget
		n    int
		gone []string
		left []string
	}{
		{"keys", Forget{Keys: []string{"note:a", "note:x"}}, 1, []string{"alpha"}, []string{"beta", "gamma"}},
		{"session", Forget{Session: "s1"}, 2, []string{"alpha", "beta"}, []string{"gamma"}},
		{"before", Forget{Before: 3001}, 2, []string{"alpha", "gamma"}, []string{"beta"}},
		{"all", Forget{All: true}, 3, []string{"alpha", "beta", "gamma"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := fill(t)
			if n, err := p.Forget(t.Context(), shop, tt.f); err != nil || n != tt.n {
				t.Errorf("Forget = %d, %v, want %d", n, err, tt.n)
			}
			for _, word := range tt.gone {
				if got := grep(t, p.data, word+" session text"); len(got) != 0 {
					t.Errorf("%s is in %q", word, got)
				}
			}
			for _, word := range tt.left {
				if got := grep(t, p.data, word+" session text"); len(got) == 0 {
					t.Errorf("%s is gone", word)
				}
			}
			if got := values(t, p, shop); len(got) != len(tt.left) {
				t.Errorf("view %v", got)
			}
		})
	}
	if _, err := fill(t).Forget(t.Context(), shop, Forget{}); err == nil {
		t.Error("forgetting nothing in particular was accepted")
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	got := pieces([]string{"the beginning of it […] and its end...", "yes", "completed", "in_progress", "tok3n", "the beginning of it", ""})
	want := "the beginning of it|and its end|tok3n"
	if s := strings.Join(got, "|"); s != want {
		t.Errorf("pieces %q, want %q", s, want)
	}
	inner, err := json.Marshal(map[string][]byte{"decoder": []byte(`{"call":"say tok3n aloud"}`)})
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][]byte
	if err := json.Unmarshal(scrubJSON(inner, []string{"tok3n"}), &out); err != nil || string(out["decoder"]) != `{"call":"say  aloud"}` {
		t.Errorf("inner state %s, %v", out["decoder"], err)
	}
	if got := scrubJSON([]byte("no JSON: tok3n"), []string{"tok3n"}); string(got) != "no JSON: tok3n" {
		t.Errorf("got %q", got)
	}
}
