package store

import "slices"

// maxPauses bounds how many pauses are remembered. Beyond it the oldest two are
// joined, so that what was said in them, and between them, stays out.
const maxPauses = 1000

// A Pause is a time in which nothing was to be remembered, both ends included,
// in Unix milliseconds. To is 0 while it lasts.
type Pause struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitempty"`
}

// Pause begins or ends a pause; the pool itself goes on. What happened in a
// pause stays out for ever, whenever its transcript is read.
func (p *Pool) Pause(paused bool) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	now := p.o.Now()
	return p.catalog.setSettings(func(s *settings) {
		if s.paused == paused {
			return
		}
		s.paused = paused
		s.pauses = slices.Clone(s.pauses) // snapshots of it are out
		if !paused {
			s.pauses[len(s.pauses)-1].To = now
			return
		}
		s.pauses = append(s.pauses, Pause{From: now})
		if len(s.pauses) > maxPauses {
			s.pauses[1].From = s.pauses[0].From
			s.pauses = s.pauses[1:]
		}
	})
}

// Paused reports whether capturing is paused.
func (p *Pool) Paused() bool {
	p.catalog.mu.Lock()
	defer p.catalog.mu.Unlock()
	return p.catalog.settings.paused
}

// PausedAt reports whether an event's time, in Unix milliseconds, lies in a pause.
func (p *Pool) PausedAt(time int64) bool {
	p.catalog.mu.Lock()
	defer p.catalog.mu.Unlock()
	list := p.catalog.settings.pauses
	at, found := slices.BinarySearchFunc(list, time, func(e Pause, t int64) int {
		if e.From <= t {
			return -1
		}
		return 1
	})
	if found || at == 0 {
		return found
	}
	last := list[at-1]
	return last.To == 0 || time <= last.To
}
