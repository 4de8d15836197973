package daemon_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ipc/api"
)

// TestWhatIsSaidInAPauseStaysOut reads a transcript whose middle was written
// during a pause, also once more from its beginning.
func TestWhatIsSaidInAPauseStaysOut(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	day := func(n int64) int64 { return 1_780_000_000_000 + n*86_400_000 }
	d := m.start()
	for _, step := range []struct {
		at int64
		on bool
	}{{day(2), true}, {day(4), false}} {
		m.now = step.at
		if _, err := d.Pause(t.Context(), step.on); err != nil {
			t.Fatal(err)
		}
	}
	m.now = nowInTests
	name := filepath.Join(".claude", "projects", "-home-ana-shop", "11111111-0000-4000-8000-000000000001.jsonl")
	m.write(name, []byte(line("u1", day(1), "We ship the shop on Thursdays")+line("u2", day(3), "The cellar key is under the pot")+line("u3", day(5), "We freeze the shop on Wednesdays")))
	for range 2 {
		if err := d.Ingest(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
		text := export(t, d)
		if !strings.Contains(text, "Thursdays") || !strings.Contains(text, "Wednesdays") || strings.Contains(text, "cellar") {
			t.Errorf("memory = %s\nwant the first and the last prompt alone", text)
		}
		if _, err := d.Rescan(t.Context(), api.RescanParams{Full: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func line(uuid string, at int64, text string) string {
	return `{"type":"user","uuid":"` + uuid + `","sessionId":"11111111-0000-4000-8000-000000000001","cwd":"/home/ana/shop","version":"2.1.150","isSidechain":false,"userType":"external","timestamp":"` + stampOf(at) + `","message":{"role":"user","content":"` + text + `"}}` + "\n"
}
