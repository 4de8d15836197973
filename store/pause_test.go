package store

import "testing"

func TestPausesAreRemembered(t *testing.T) {
	t.Parallel()
	now := int64(100)
	dir := t.TempDir()
	open := func() *Pool {
		p, err := OpenPool(dir, Options{Now: func() int64 { return now }, Home: dir, TempDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := open()
	for _, step := range []struct {
		at int64
		on bool
	}{{100, true}, {200, false}, {300, true}, {310, true}} {
		now = step.at
		if err := p.Pause(step.on); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	p = open()
	defer p.Close()
	for time, want := range map[int64]bool{99: false, 100: true, 150: true, 200: true, 201: false, 299: false, 300: true, 9999: true} {
		if got := p.PausedAt(time); got != want {
			t.Errorf("PausedAt(%d) = %t, want %t", time, got, want)
		}
	}
	if !p.Paused() {
		t.Error("not paused, want the last pause to go on")
	}
}
