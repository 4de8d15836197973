package query

import (
	"context"
	"errors"
	"time"
)

// guard charges a query for what it does. It serves one query and must not be
// shared.
type guard struct {
	ctx      context.Context
	deadline time.Time
	ticks    uint
	bytes    int // left to be spent
}

var (
	errSlow   = errors.New("the query takes longer than 2 s; narrow its relations with filter first, or join on a key")
	errMemory = errors.New("the query needs too much memory; narrow its relations with filter first")
	errString = errors.New("a text of the query grows over 1 MiB; cut its parts first")
)

// check returns an error once the time is up.
func (g *guard) check() error {
	if g.ctx.Err() != nil || time.Now().After(g.deadline) {
		return errSlow
	}
	return nil
}

// tick counts one step of a loop, so that no loop outlives the time.
func (g *guard) tick() error {
	if g.ticks++; g.ticks%256 == 0 {
		return g.check()
	}
	return nil
}

// spend charges n bytes.
func (g *guard) spend(n int) error {
	if g.bytes -= n; g.bytes < 0 {
		return errMemory
	}
	return g.tick()
}

// text charges for a text of n bytes that is about to be made.
func (g *guard) text(n int) error {
	if n > maxString {
		return errString
	}
	return g.spend(n + 16)
}
