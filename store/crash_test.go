package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// crashPass is the n-th pass of the child process: it feeds two stores.
func crashPass(n int) Pass {
	ps := pass("s1", shop, int64(n), marker("s1", int64(n), fmt.Sprintf("decision:%d", n), "v"))
	other := pass("s1", "/home/ana/other", int64(n), marker("s1", int64(n), fmt.Sprintf("decision:%d", n), "w"))
	ps.Deltas["/home/ana/other"] = other.Deltas["/home/ana/other"]
	ps.Cursor = []byte(strconv.Itoa(n))
	return ps
}

// TestCommitter is run as a child process: it commits until it is killed, and
// says what it has been told is safe.
func TestCommitter(t *testing.T) {
	data := os.Getenv("STORE_TEST_COMMIT")
	if data == "" {
		t.Skip("only as a child process")
	}
	p, err := OpenPool(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n := resumed(p) + 1; ; n++ {
		if err := p.Commit(t.Context(), []Pass{crashPass(n)}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("safe", n)
		if n%7 == 0 {
			if err := p.catalog.flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func resumed(p *Pool) int {
	at, ok := p.Resume("claude-code", crashPass(0).Path)
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(string(at.Cursor))
	return n
}

// TestKilledBetweenCommits kills the process that commits, again and again:
// what was acknowledged is there, and the catalog never leads.
func TestKilledBetweenCommits(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	safe := 0
	for round := range 12 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCommitter$")
		cmd.Env = append(os.Environ(), "STORE_TEST_COMMIT="+data)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(20+13*round)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var n int
			if _, err := fmt.Sscanf(lines.Text(), "safe %d", &n); err == nil {
				safe = max(safe, n)
			} else if strings.Contains(lines.Text(), "FAIL") {
				t.Error(lines.Text())
			}
		}
		_ = cmd.Wait()
		safe = max(safe, checkCrashed(t, data, safe))
	}
	if safe == 0 {
		t.Error("nothing was ever committed")
	}
}

// checkCrashed checks a data directory whose process was killed, and returns
// how far it had come.
func checkCrashed(t *testing.T, data string, safe int) int {
	t.Helper()
	p, err := OpenPool(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := resumed(p)
	least := at
	for _, dir := range []string{shop, "/home/ana/other"} {
		n := len(p.mustKeys(t, dir))
		if n < safe || n > safe+1 {
			t.Errorf("%s has %d entries, %d were acknowledged", dir, n, safe)
		}
		if at > n {
			t.Errorf("the catalog is at %d, %s at %d", at, dir, n)
		}
		least = max(least, n)
	}
	// Going on from the catalog's position brings both stores to the same state.
	for n := at + 1; n <= least; n++ {
		commit(t, p, crashPass(n))
	}
	for _, dir := range []string{shop, "/home/ana/other"} {
		if n := len(p.mustKeys(t, dir)); n != least {
			t.Errorf("%s has %d entries, want %d", dir, n, least)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	verifyAll(t, data)
	return least
}

// mustKeys returns the keys that transcripts have given a directory, capped or not.
func (p *Pool) mustKeys(t *testing.T, dir string) []string {
	t.Helper()
	h, err := p.acquire(t.Context(), dir, false)
	if err != nil {
		return nil
	}
	defer p.release(h)
	h.store.write.Lock()
	defer h.store.write.Unlock()
	var keys []string
	for _, src := range h.store.sources {
		for row := range src.Rows() {
			keys = append(keys, row.ID)
		}
	}
	return keys
}
