package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ingest/event"
)

// memorySink keeps everything that was taken, as a store would: cursors go
// through JSON, events are copied.
type memorySink struct {
	mu      sync.Mutex
	cursors map[Source][]byte
	events  map[Source][]event.Event
	skipped map[Source][]Skip
	chunks  []Chunk
	fail    error
	took    chan struct{}
}

func newMemorySink() *memorySink {
	return &memorySink{
		cursors: make(map[Source][]byte), events: make(map[Source][]event.Event), skipped: make(map[Source][]Skip),
		took: make(chan struct{}, 1024),
	}
}

func (s *memorySink) Resume(src Source) (Cursor, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw, ok := s.cursors[src]
	if !ok {
		return Cursor{}, false
	}
	var c Cursor
	if err := json.Unmarshal(raw, &c); err != nil {
		panic(err)
	}
	return c, true
}

func (s *memorySink) Take(_ context.Context, c Chunk) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	raw, err := json.Marshal(c.Cursor)
	if err != nil {
		return err
	}
	if c.Restart {
		delete(s.events, c.Source)
		delete(s.skipped, c.Source)
		if c.From != 0 {
			return fmt.Errorf("restart at %d", c.From)
		}
	}
	s.cursors[c.Source] = raw
	s.events[c.Source] = append(s.events[c.Source], c.Events...)
	s.skipped[c.Source] = append(s.skipped[c.Source], c.Skipped...)
	c.Events, c.Skipped = slices.Clone(c.Events), slices.Clone(c.Skipped)
	s.chunks = append(s.chunks, c)
	select {
	case s.took <- struct{}{}:
	default:
	}
	return nil
}

// prompts lists the typed prompts of all sources, in the order of the files.
func (s *memorySink) prompts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sources []Source
	for src := range s.events {
		sources = append(sources, src)
	}
	slices.SortFunc(sources, func(a, b Source) int { return compareTimes(0, 0, a.Path, b.Path) })
	var texts []string
	for _, src := range sources {
		for _, e := range s.events[src] {
			if e.Kind == event.UserMessage && (e.User == event.Typed || e.User == event.Command || e.User == event.Plan) {
				texts = append(texts, e.Text)
			}
		}
	}
	return texts
}

// forgetAll drops everything, as a store does that had to be begun anew.
func (s *memorySink) forgetAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.cursors)
	clear(s.events)
	clear(s.skipped)
}

func (s *memorySink) setFail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

var errFull = errors.New("disk full")

// claudeOnly follows Claude Code below one invented home directory.
func claudeOnly(t testing.TB, home string, sink Sink) *Ingester {
	t.Helper()
	a, ok := agents.ByName("claude-code")
	if !ok {
		t.Fatal("no agent claude-code")
	}
	return New(sink, Options{Agents: []agents.Agent{a}, Env: agents.Env{Home: home, OS: "linux"}})
}

// prompt is the line of one typed prompt.
func prompt(n int, text string) string {
	words, _ := json.Marshal(text)
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":"/home/ana/shop","sessionId":"s1","version":"2.1.200","type":"user","uuid":"u%04d","timestamp":"2026-05-04T09:%02d:%02d.000Z","message":{"role":"user","content":%s}}`+"\n", n, n/60%60, n%60, words)
}

// progressLine is a record that gives nothing.
func progressLine(n int) string {
	return fmt.Sprintf(`{"parentUuid":"u0001","isSidechain":false,"cwd":"/home/ana/shop","sessionId":"s1","type":"progress","uuid":"p%d","data":{"type":"bash_progress","output":"..."}}`+"\n", n)
}

func transcript(home string, parts ...string) string {
	return filepath.Join(append([]string{home, ".claude", "projects"}, parts...)...)
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t testing.TB, path, content string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(content); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// once runs one pass with a new ingester, as after a restart of the process.
func once(t testing.TB, home string, sink Sink) *Ingester {
	t.Helper()
	in := claudeOnly(t, home, sink)
	if err := in.Once(context.Background(), nil, nil); err != nil {
		t.Fatalf("Once: %v", err)
	}
	return in
}

// eventually waits until ok holds.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: did not happen", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// shared returns the folder of shared test data, or skips the test.
func shared(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("KMEM_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Skip("no module root")
	}
	dir = filepath.Join(dir, "..", "shared")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no shared test data")
	}
	return dir
}
