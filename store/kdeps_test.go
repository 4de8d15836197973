package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/fact"
)

// writeKdeps writes a memory as kdeps does.
func writeKdeps(t *testing.T, data, cwd string, records map[string]string) string {
	t.Helper()
	path := filepath.Join(mkdir(t, filepath.Join(data, kdepsName(cwd))), storeFile)
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucketAgent)
		if err != nil {
			return err
		}
		for k, v := range records {
			if err := b.Put([]byte(k), []byte(v)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func kdepsRecord(t *testing.T, e fact.Entry) string {
	t.Helper()
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// lookAgain makes the next call look at kdeps' files again.
func (p *Pool) lookAgain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.kdeps)
}

func TestKdepsImport(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	path := writeKdeps(t, data, shop, map[string]string{
		"plan": kdepsRecord(t, fact.Entry{Key: "plan", Value: "one", Type: fact.Note, CreatedAt: 100, UpdatedAt: 200}),
		"bad":  "no record", "long": kdepsRecord(t, fact.Entry{Key: "long", Value: strings.Repeat("é", maxValue)}),
		"error:x": `{"value":"boom","type":"unheard"}`,
	})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := openPool(t, data, Options{Now: clock()})
	look := func(want map[string]string) {
		t.Helper()
		p.lookAgain()
		got := values(t, p, shop)
		if n := len(got["long"]); n < maxValue-2 || n > maxValue {
			t.Errorf("the long value has %d bytes", n)
		}
		delete(got, "long")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	look(map[string]string{"plan": "one", "error:x": "boom"})
	v, _ := p.View(t.Context(), shop)
	if f, _ := v.Get("plan"); f == nil || f.CreatedAt != 100 || f.UpdatedAt != 200 || f.Origin.Via != fact.ViaImport {
		t.Errorf("plan = %+v", f)
	}
	if f, _ := v.Get("error:x"); f == nil || f.Type != fact.Error || f.UpdatedAt == 0 {
		t.Errorf("error:x = %+v", f)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("kdeps' file was written")
	}
	// Its name is lossy: only directories that somebody names get it.
	if got := p.Stats(); got.Stores != 1 {
		t.Errorf("stats %+v", got)
	}
	// What was deleted here does not come back when kdeps goes on; news does.
	if _, err := p.Delete(t.Context(), shop, "", []string{"plan"}); err != nil {
		t.Fatal(err)
	}
	writeKdeps(t, data, shop, map[string]string{"new": kdepsRecord(t, fact.Entry{Key: "new", Value: "two", UpdatedAt: 300})})
	look(map[string]string{"error:x": "boom", "new": "two"})
	p = reopen(t, p)
	look(map[string]string{"error:x": "boom", "new": "two"})
}

func TestKdepsLockedOrBroken(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := openPool(t, data, Options{})
	path := writeKdeps(t, data, shop, map[string]string{"plan": kdepsRecord(t, fact.Entry{Key: "plan", Value: "one"})})
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if got := values(t, p, shop); len(got) != 0 {
		t.Errorf("view %v", got)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("waited %v", took)
	}
	if got := p.Stats().Troubles[path]; !strings.Contains(got, "locked") {
		t.Errorf("troubles %+v", p.Stats().Troubles)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:5000], 0o600); err != nil {
		t.Fatal(err)
	}
	p.lookAgain()
	if got := values(t, p, shop); len(got) != 0 {
		t.Errorf("view %v", got)
	}
	if got := p.Stats().Troubles[path]; !strings.Contains(got, "damaged") {
		t.Errorf("troubles %+v", p.Stats().Troubles)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	p.lookAgain()
	if got := values(t, p, shop); got["plan"] != "one" {
		t.Errorf("view %v", got)
	}
	if got := p.Stats().Troubles; len(got) != 0 {
		t.Errorf("troubles %+v", got)
	}
}

func TestKdepsOfASessionsDirectory(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := openPool(t, data, Options{})
	writeKdeps(t, data, shop, map[string]string{"plan": kdepsRecord(t, fact.Entry{Key: "plan", Value: "one"})})
	commit(t, p, pass("s1", shop, 10, marker("s1", 1000, "note:a", "1")))
	if got := p.mustSaved(t, shop); !cmp.Equal(got, []string{"plan"}) {
		t.Errorf("saved %v", got)
	}
}

func (p *Pool) mustSaved(t *testing.T, dir string) []string {
	t.Helper()
	h, err := p.acquire(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer p.release(h)
	h.store.write.Lock()
	defer h.store.write.Unlock()
	var keys []string
	for _, e := range h.store.saved {
		keys = append(keys, e.Key)
	}
	return keys
}
