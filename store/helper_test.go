package store

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

// shared returns the folder of the test vectors, which stands beside the
// repository; without it the test is skipped.
func shared(t *testing.T, parts ...string) string {
	t.Helper()
	root := os.Getenv("KMEM_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			up := filepath.Dir(dir)
			if up == dir {
				t.Skip("no repository")
			}
			dir = up
		}
		root = filepath.Join(dir, "..", "shared")
	}
	path := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s", path)
	}
	return path
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
}

// clock gives every call a later time.
func clock() func() int64 {
	now := int64(1_800_000_000_000)
	return func() int64 {
		now += 1000
		return now
	}
}

// openPool opens a data directory; when the test ends every file of it is
// checked from end to end.
func openPool(t *testing.T, data string, o Options) *Pool {
	t.Helper()
	if o.Home == "" {
		o.Home = filepath.Join(data, "nobody")
	}
	p, err := OpenPool(data, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		verifyAll(t, data)
	})
	return p
}

func reopen(t *testing.T, p *Pool) *Pool {
	t.Helper()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return openPool(t, p.data, p.o)
}

func verifyAll(t *testing.T, data string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".bolt") && !isKdeps(filepath.Base(filepath.Dir(path))) {
			if err := Verify(path); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// marker returns a write as a marker gives it.
func marker(session string, time int64, key, value string) fact.Write {
	return fact.Write{
		Stamp:  fact.Stamp{Time: time, Session: session, File: session + ".jsonl", Pos: time % 1_000_000},
		Record: session + "-" + key + "-" + strconv.FormatInt(time, 10), Agent: "claude-code", Role: "user",
		Row: fact.RowMarker, Key: key, Value: value, Type: fact.TypeOf(key),
	}
}

// pass returns a pass over a session's transcript that gives one directory writes.
func pass(session, dir string, pos int64, writes ...fact.Write) Pass {
	return Pass{
		Agent: "claude-code", Path: "/home/ana/.claude/projects/p/" + session + ".jsonl",
		Pos: pos, Generation: "g1", Cursor: []byte(`{"offset":1}`), Extractor: []byte(`{"turn":"x"}`),
		Deltas: map[string]*fact.Delta{dir: {Writes: writes}},
	}
}

func commit(t *testing.T, p *Pool, passes ...Pass) {
	t.Helper()
	if err := p.Commit(t.Context(), passes); err != nil {
		t.Fatal(err)
	}
}

// values returns what a reader of cwd sees, by key.
func values(t *testing.T, p *Pool, cwd string) map[string]string {
	t.Helper()
	v, err := p.View(context.Background(), cwd)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i := range v.Facts {
		out[v.Facts[i].Key] = v.Facts[i].Value
	}
	return out
}
