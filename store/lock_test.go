package store

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestOneOfManyGetsThePool(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	for range 2 {
		var (
			mu   sync.Mutex
			won  []*Pool
			work sync.WaitGroup
		)
		for range 50 {
			work.Go(func() {
				p, err := OpenPool(data, Options{})
				var locked *LockedError
				switch {
				case err == nil:
					mu.Lock()
					won = append(won, p)
					mu.Unlock()
				case !errors.As(err, &locked) || locked.PID != os.Getpid() || !strings.HasSuffix(locked.Path, "catalog.bolt"):
					t.Errorf("error %v", err)
				}
			})
		}
		work.Wait()
		if len(won) != 1 {
			t.Fatalf("%d have the pool", len(won))
		}
		if err := won[0].Close(); err != nil {
			t.Error(err)
		}
	}
	verifyAll(t, data)
	if _, err := os.Stat(filepath.Join(data, ".state", "pid")); !missing(err) {
		t.Errorf("pid file: %v", err)
	}
	entries, _ := os.ReadDir(filepath.Join(data, ".state"))
	if len(entries) != 1 {
		t.Errorf("left in the state directory: %v", entries)
	}
}

func TestForeignPIDIsNoLock(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if err := openPool(t, data, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, ".state", "pid"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	openPool(t, data, Options{})
}

// TestHolder is run as a child process: it holds a data directory until its
// standard input ends.
func TestHolder(t *testing.T) {
	data := os.Getenv("STORE_TEST_HOLD")
	if data == "" {
		t.Skip("only as a child process")
	}
	if _, err := OpenPool(data, Options{}); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("held\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(0) // without closing
}

func TestLockNamesTheHolder(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHolder$")
	cmd.Env = append(os.Environ(), "STORE_TEST_HOLD="+data)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "held\n" {
		t.Fatalf("child said %q, %v", line, err)
	}
	began := time.Now()
	_, err = OpenPool(data, Options{})
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != cmd.Process.Pid || !errors.Is(err, ErrUnavailable) {
		t.Errorf("error %v, want it locked by %d", err, cmd.Process.Pid)
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("waited %v", took)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	p := openPool(t, data, Options{})
	if !p.Stats().Unclean {
		t.Error("the killed process is not noticed")
	}
}
