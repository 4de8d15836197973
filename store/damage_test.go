package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/fact"
)

// filled returns a closed data directory with one store, what its readers see,
// and the pass that filled it.
func filled(t *testing.T, data string) (Options, Pass, map[string]string) {
	t.Helper()
	p := openPool(t, data, Options{Now: clock()})
	ps := pass("s1", shop, 100)
	for i := range 60 {
		key := "note:" + strings.Repeat("k", i+1)
		ps.Deltas[shop].Writes = append(ps.Deltas[shop].Writes, marker("s1", int64(1000+i), key, strings.Repeat("captured ", 20)))
	}
	commit(t, p, ps)
	if _, _, err := p.Save(t.Context(), shop, fact.Entry{Key: "decision:saved", Value: "saved by a call"}); err != nil {
		t.Fatal(err)
	}
	want := values(t, p, shop)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return p.o, ps, want
}

// A store that is damaged, in whatever way, gives no wrong answer: what
// transcripts said comes back when they are read again.
func TestDamagedStoreIsRebuilt(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(b []byte) []byte{
		"emptied":         func([]byte) []byte { return nil },
		"cut off":         func(b []byte) []byte { return b[:4*os.Getpagesize()] },
		"short":           func(b []byte) []byte { return b[:100] },
		"overwritten":     func(b []byte) []byte { return bytes.Repeat([]byte("garbage!"), len(b)/8) },
		"both metas gone": func(b []byte) []byte { clear(b[:2*os.Getpagesize()]); return b },
		"pages zeroed":    func(b []byte) []byte { clear(b[3*os.Getpagesize():]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			o, ps, want := filled(t, data)
			path := storePath(data, shop)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(b), 0o600); err != nil {
				t.Fatal(err)
			}
			var lost []SourceID
			o.Lost = func(sources []SourceID) { lost = append(lost, sources...) }
			p := openPool(t, data, o)
			if _, err := p.View(t.Context(), shop); err != nil {
				t.Fatal(err)
			}
			if _, ok := p.Resume(ps.Agent, ps.Path); ok || len(lost) != 1 || lost[0].Path != ps.Path {
				t.Errorf("the transcript is not read again: %v, %v", ok, lost)
			}
			if got := corruptFiles(path); len(got) != 1 {
				t.Errorf("put aside: %q", got)
			}
			if got := p.Stats(); got.Quarantined != 1 {
				t.Errorf("stats %+v", got)
			}
			ps.Restart = true
			commit(t, p, ps)
			got := values(t, p, shop)
			got["decision:saved"] = want["decision:saved"] // may be lost: no transcript holds it
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestRescueOfWhatCallersSaved(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	o, _, want := filled(t, data)
	path := storePath(data, shop)
	// The engine finds nothing wrong, but something said that the file is bad.
	o.Verify = func(context.Context, string) error { return errors.New("page 7: unreachable") }
	crash(t, data)
	p := openPool(t, data, o)
	if diff := cmp.Diff(want, values(t, p, shop)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := corruptFiles(path); len(got) != 1 {
		t.Errorf("put aside: %q", got)
	}
}

// crash makes a catalog look as if its process had been killed.
func crash(t *testing.T, data string) {
	t.Helper()
	f, err := openFile(filepath.Join(data, ".state", "catalog.bolt"))
	if err != nil {
		t.Fatal(err)
	}
	err = f.update(func(tx *bolt.Tx) error { return putNumber(tx.Bucket(bucketMeta), metaRunning, 1) })
	if err := errors.Join(err, f.close()); err != nil {
		t.Fatal(err)
	}
}

// TestBitFlips flips single bits anywhere in a store: nothing wrong may be
// seen, only less.
func TestBitFlips(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	o, _, want := filled(t, data)
	path := storePath(data, shop)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		b := bytes.Clone(whole)
		at := 3*os.Getpagesize() + rnd.IntN(len(b)-3*os.Getpagesize())
		b[at] ^= 1 << rnd.IntN(8)
		for _, name := range corruptFiles(path) {
			remove(t, name)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := OpenPool(data, o)
		if err != nil {
			t.Fatal(err)
		}
		for key, value := range values(t, p, shop) {
			if want[key] != value {
				t.Errorf("bit flipped in byte %d: %q = %q", at, key, value)
			}
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDamagedRowComesBack(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	o, ps, want := filled(t, data)
	path := storePath(data, shop)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b, []byte("captured captured"))
	for ; at >= 0; at = bytes.Index(b, []byte("captured captured")) {
		b[at] = 'C' // in every copy of the page
		break
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	p := openPool(t, data, o)
	got := values(t, p, shop)
	if n := p.Stats().BadRows; n > 0 {
		if len(got) != len(want)-n {
			t.Errorf("%d rows bad, %d of %d seen", n, len(got), len(want))
		}
		if _, ok := p.Resume(ps.Agent, ps.Path); ok {
			t.Error("the transcript is not read again")
		}
	}
	ps.Restart = true
	commit(t, p, ps)
	if diff := cmp.Diff(want, values(t, p, shop)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	p = reopen(t, p)
	if n := p.Stats().BadRows; n != 0 {
		t.Errorf("%d bad rows are still there", n)
	}
}

func TestCutOffWhileInUse(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	ps := pass("s1", shop, 100, marker("s1", 1000, "note:a", strings.Repeat("x", 20_000)))
	commit(t, p, ps)
	if err := os.Truncate(storePath(p.data, shop), 4096); err != nil {
		t.Fatal(err)
	}
	next := pass("s1", shop, 200, marker("s1", 2000, "note:b", "2"))
	_ = p.Commit(t.Context(), []Pass{next}) // may work: what it writes is whole
	p = reopen(t, p)
	if _, err := p.View(t.Context(), shop); err != nil {
		t.Fatal(err)
	}
	if _, ok := p.Resume(ps.Agent, ps.Path); ok {
		t.Error("the transcript is not read again")
	}
	ps.Restart = true
	ps.Deltas[shop].Writes = append(ps.Deltas[shop].Writes, next.Deltas[shop].Writes...)
	commit(t, p, ps)
	if got := values(t, p, shop); len(got) != 2 {
		t.Errorf("view has %d entries", len(got))
	}
}

func TestStoreReplacedWhileInUse(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	ps := pass("s1", shop, 100, marker("s1", 1000, "note:a", "1"))
	commit(t, p, ps)
	remove(t, storePath(p.data, shop))
	p.checkFiles()
	if got := values(t, p, shop); len(got) != 0 {
		t.Errorf("view %v", got)
	}
	if _, ok := p.Resume(ps.Agent, ps.Path); ok {
		t.Error("the transcript is not read again")
	}
	commit(t, p, ps)
	if got := values(t, p, shop); got["note:a"] != "1" {
		t.Errorf("view %v", got)
	}
}

func TestDamagedCatalogIsRebuilt(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(b []byte) []byte{
		"emptied": func([]byte) []byte { return nil },
		"cut off": func(b []byte) []byte { return b[:4*os.Getpagesize()] },
		"garbage": func(b []byte) []byte { return bytes.Repeat([]byte("garbage!"), 100) },
		"zeroed":  func(b []byte) []byte { clear(b[3*os.Getpagesize():]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			o, ps, want := filled(t, data)
			path := filepath.Join(data, ".state", "catalog.bolt")
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, damage(b), 0o600); err != nil {
				t.Fatal(err)
			}
			p := openPool(t, data, o)
			if diff := cmp.Diff(want, values(t, p, shop)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if _, ok := p.Resume(ps.Agent, ps.Path); ok {
				t.Error("the transcript is not read again")
			}
			ps.Restart = true
			commit(t, p, ps)
			if diff := cmp.Diff(want, values(t, p, shop)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNewerFormsAreRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	o, _, _ := filled(t, data)
	raise := func(path string, version int64) {
		t.Helper()
		f, err := openFile(path)
		if err != nil {
			t.Fatal(err)
		}
		err = f.update(func(tx *bolt.Tx) error { return putNumber(tx.Bucket(bucketMeta), metaVersion, version) })
		if err := errors.Join(err, f.close()); err != nil {
			t.Fatal(err)
		}
	}
	store, catalog := storePath(data, shop), filepath.Join(data, ".state", "catalog.bolt")
	raise(store, storeVersion+1)
	p := openPool(t, data, o)
	if _, err := p.View(t.Context(), shop); !errors.Is(err, ErrNewer) {
		t.Errorf("view: %v", err)
	}
	if got := p.Stats(); len(got.Troubles) != 1 {
		t.Errorf("stats %+v", got)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	raise(catalog, catalogVersion+1)
	if _, err := OpenPool(data, o); !errors.Is(err, ErrNewer) {
		t.Errorf("open: %v", err)
	}
}

func TestLeftoversAreSwept(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	o, _, _ := filled(t, data)
	for _, name := range []string{storePath(data, shop) + newSuffix + "1", storePath(data, shop) + compactSuffix + "1",
		filepath.Join(data, ".state", "catalog.bolt") + compactSuffix + "2"} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := openPool(t, data, o)
	values(t, p, shop)
	if got := grep(t, data, "half"); len(got) != 0 {
		t.Errorf("left: %q", got)
	}
}
