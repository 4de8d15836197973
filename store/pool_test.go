package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/store/fact"
)

const shop = "/home/ana/shop"

func TestCommitAndResume(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	ps := pass("s1", shop, 100, marker("s1", 1000, "decision:db", "sqlite"))
	if _, ok := p.Resume(ps.Agent, ps.Path); ok {
		t.Error("resumes what was never read")
	}
	commit(t, p, ps)
	for range 2 {
		at, ok := p.Resume(ps.Agent, ps.Path)
		if !ok || string(at.Cursor) != string(ps.Cursor) || string(at.Extractor) != string(ps.Extractor) {
			t.Errorf("Resume = %+v, %v", at, ok)
		}
		if got := values(t, p, shop); got["decision:db"] != "sqlite" {
			t.Errorf("view %v", got)
		}
		if got := p.Sources(); len(got) != 1 || got[0].Pos != 100 || !cmp.Equal(got[0].Directories, []string{shop}) {
			t.Errorf("sources %+v", got)
		}
		p = reopen(t, p)
	}
	info, err := os.Stat(storePath(p.data, shop))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("store file: %v, %v", info, err)
	}
	if info, err = os.Stat(filepath.Dir(storePath(p.data, shop))); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("store directory: %v, %v", info, err)
	}
}

func TestPassWithoutFactsMovesOn(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	ps := pass("s1", shop, 100)
	commit(t, p, ps)
	if _, ok := p.Resume(ps.Agent, ps.Path); !ok {
		t.Error("not resumed")
	}
	if got := p.Stats(); got.Stores != 0 {
		t.Errorf("a store was made for nothing: %+v", got)
	}
}

func TestOnePassManyDirectories(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{MaxOpen: 2})
	ps := pass("s1", shop, 100)
	for i := range 9 {
		dir := fmt.Sprintf("/home/ana/p%d", i)
		ps.Deltas[dir] = &fact.Delta{Writes: []fact.Write{marker("s1", 1000, "note:n", dir)}}
	}
	commit(t, p, ps)
	for i := range 9 {
		dir := fmt.Sprintf("/home/ana/p%d", i)
		if got := values(t, p, dir); got["note:n"] != dir {
			t.Errorf("%s: %v", dir, got)
		}
	}
	if got := p.Stats(); got.Stores != 9 || got.Projects != 9 || got.Open > 2 {
		t.Errorf("stats %+v", got)
	}
}

func TestViewIsASnapshot(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", shop, 100, marker("s1", 1000, "note:a", "1")))
	first, err := p.View(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := p.View(t.Context(), shop); again != first {
		t.Error("the view was built again without need")
	}
	commit(t, p, pass("s1", "/home/ana/other", 150, marker("s1", 1000, "note:a", "1")))
	if again, _ := p.View(t.Context(), shop); again != first {
		t.Error("another project's commit made the view out of date")
	}
	commit(t, p, pass("s1", shop, 200, marker("s1", 2000, "note:b", "2")))
	second, err := p.View(t.Context(), shop)
	if err != nil || second == first || second.Sequence == first.Sequence {
		t.Errorf("the view did not change: %v", err)
	}
	if len(first.Facts) != 1 || len(second.Facts) != 2 {
		t.Errorf("%d and %d facts", len(first.Facts), len(second.Facts))
	}
}

func TestLaggingCatalog(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", shop, 100, marker("s1", 1000, "note:a", "1")))
	if err := p.catalog.flush(); err != nil {
		t.Fatal(err)
	}
	ps := pass("s1", shop, 200, marker("s1", 2000, "note:a", "2"))
	commit(t, p, ps)
	// The machine stops before the catalog is written.
	p.catalog.mu.Lock()
	clear(p.catalog.sources)
	p.catalog.mu.Unlock()
	p = reopen(t, p)
	if got := p.Sources(); got[0].Pos != 100 {
		t.Fatalf("sources %+v", got)
	}
	file := storePath(p.data, shop)
	before, _ := os.ReadFile(file)
	commit(t, p, ps)
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Error("what stood there already was written again")
	}
	if got := values(t, p, shop); got["note:a"] != "2" {
		t.Errorf("view %v", got)
	}
	if got := p.Sources(); got[0].Pos != 200 {
		t.Errorf("sources %+v", got)
	}
}

func TestRestartReadsAgain(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", shop, 200, marker("s1", 1000, "note:a", "1"), marker("s1", 2000, "note:b", "2")))
	ps := pass("s1", shop, 100, marker("s1", 1000, "note:a", "1"), marker("s1", 1500, "note:c", "3"))
	ps.Restart = true
	commit(t, p, ps)
	want := map[string]string{"note:a": "1", "note:b": "2", "note:c": "3"}
	if diff := cmp.Diff(want, values(t, p, shop)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFailingStoreStopsItsPassesOnly(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	blocked := "/home/ana/blocked"
	if err := os.WriteFile(filepath.Join(p.data, Encode(blocked)), nil, 0o600); err != nil {
		t.Fatal(err) // a file where the store's directory would be
	}
	good, bad := pass("good", shop, 100, marker("good", 1000, "note:a", "1")), pass("bad", shop, 100, marker("bad", 1000, "note:b", "2"))
	bad.Deltas[blocked] = &fact.Delta{Writes: []fact.Write{marker("bad", 1000, "note:c", "3")}}
	if err := p.Commit(t.Context(), []Pass{good, bad}); err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("error %v", err)
	}
	if _, ok := p.Resume(good.Agent, good.Path); !ok {
		t.Error("the good pass did not move on")
	}
	if _, ok := p.Resume(bad.Agent, bad.Path); ok {
		t.Error("the bad pass moved on")
	}
	if err := os.Remove(filepath.Join(p.data, Encode(blocked))); err != nil {
		t.Fatal(err)
	}
	commit(t, p, bad)
	if got := values(t, p, blocked); got["note:c"] != "3" {
		t.Errorf("view %v", got)
	}
}

func TestExcludeAndPause(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	if err := errors.Join(p.Exclude(shop), p.Exclude(shop), p.Pause(true)); err != nil {
		t.Fatal(err)
	}
	ps := pass("s1", shop+"/sub", 100, marker("s1", 1000, "note:a", "1"))
	commit(t, p, ps)
	if _, _, err := p.Save(t.Context(), shop, fact.Entry{Key: "a"}); !errors.Is(err, ErrRefused) {
		t.Errorf("save: %v", err)
	}
	if got := p.Stats(); got.Stores != 0 {
		t.Errorf("stored all the same: %+v", got)
	}
	// Losing either file loses no setting.
	for _, lose := range []string{"settings.json", "catalog.bolt"} {
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(p.data, ".state", lose)); err != nil {
			t.Fatal(err)
		}
		p = openPool(t, p.data, p.o)
		if !p.Paused() || !p.IsExcluded(shop+"/sub") || p.IsExcluded("/home/ana") || !cmp.Equal(p.Excluded(), []string{shop}) {
			t.Errorf("without %s: paused %v, excluded %q", lose, p.Paused(), p.Excluded())
		}
	}
	if ok, err := p.Unexclude(shop); !ok || err != nil {
		t.Errorf("Unexclude = %v, %v", ok, err)
	}
	if ok, err := p.Unexclude(shop); ok || err != nil {
		t.Errorf("Unexclude again = %v, %v", ok, err)
	}
	if err := p.Pause(false); err != nil || p.Paused() {
		t.Errorf("unpause: %v", err)
	}
}

func TestSubscribe(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", shop, 100, marker("s1", 1000, "note:old", "old")))
	var mu sync.Mutex
	var got []string
	cancel := p.Subscribe(func(project string, entries []fact.Entry) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range entries {
			got = append(got, project+" "+e.Key+"="+e.Value)
		}
	})
	commit(t, p, pass("s1", shop, 200, marker("s1", 2000, "note:a", "1")))
	commit(t, p, pass("s1", shop, 300, marker("s1", 1500, "note:a", "earlier"), marker("s1", 3000, "note:b", "2")))
	if _, _, err := p.Save(t.Context(), shop, fact.Entry{Key: "note:c", Value: "saved, not captured"}); err != nil {
		t.Fatal(err)
	}
	want := []string{shop + " note:a=1", shop + " note:b=2"}
	for range 100 {
		mu.Lock()
		n := len(got)
		mu.Unlock()
		if n >= len(want) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestClosedPool(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	if err := errors.Join(p.Close(), p.Close()); err != nil {
		t.Fatal(err)
	}
	_, viewErr := p.View(t.Context(), shop)
	_, _, saveErr := p.Save(t.Context(), shop, fact.Entry{Key: "a"})
	_, deleteErr := p.Delete(t.Context(), shop, "", []string{"a"})
	for _, err := range []error{viewErr, saveErr, deleteErr, p.Commit(t.Context(), nil), p.Exclude(shop)} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("error %v, want ErrClosed", err)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{MaxOpen: 2})
	dirs := []string{shop, "/home/ana/a", "/home/ana/b", "/home/ana/c"}
	var work sync.WaitGroup
	for i := range 4 {
		session := fmt.Sprintf("s%d", i)
		work.Go(func() {
			for n := range 8 {
				ps := pass(session, dirs[(i+n)%4], int64(n+1), marker(session, int64(n), fmt.Sprintf("note:%s_%d", session, n), "v"))
				if err := p.Commit(t.Context(), []Pass{ps}); err != nil {
					t.Error(err)
				}
			}
		})
		work.Go(func() {
			for range 20 {
				if _, err := p.View(t.Context(), dirs[i]); err != nil {
					t.Error(err)
				}
			}
		})
		work.Go(func() {
			key := fmt.Sprintf("saved:%d", i)
			for range 4 {
				if _, _, err := p.Save(t.Context(), dirs[i], fact.Entry{Key: key, Value: "v"}); err != nil {
					t.Error(err)
				}
			}
			if got, err := p.Delete(t.Context(), dirs[i], "", []string{key}); err != nil || len(got) != 1 {
				t.Errorf("Delete = %v, %v", got, err)
			}
		})
	}
	work.Wait()
	n := 0
	for _, dir := range dirs {
		n += len(values(t, p, dir))
	}
	if n != 32 {
		t.Errorf("%d entries, want 32", n)
	}
}
