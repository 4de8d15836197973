// Package ingest follows the transcripts of agents: it finds the files, reads
// what is new in them, has it decoded and hands the events on in chunks.
//
// There is one way of reading. The first look at years of old files and the
// line that an agent writes this moment go through the same code; only their
// order differs. What is known of a file (its [Cursor]) belongs to the [Sink],
// which keeps it together with what it made of the events, so that nothing is
// lost or taken twice when the process ends between the two.
//
// The package does not know what events mean and stores nothing itself. See
// DESIGN.md for how files are told apart and what happens when they are not
// simply appended to.
package ingest

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ingest/event"
)

// Source is one transcript file of one agent.
type Source struct{ Agent, Root, Path string }

// Skip is a part of a file that gave nothing, and why.
type Skip struct {
	Offset int64
	Reason string
}

// Chunk is what was read of a source in one go: complete lines, in order.
type Chunk struct {
	Source  Source
	Cursor  Cursor // the position after the chunk
	From    int64  // where it begins
	Restart bool   // the file is read for the first time, or is not the one it was: extraction starts from nothing
	Events  []event.Event
	Skipped []Skip
	End     bool  // the present end of the file was reached
	ModTime int64 // of the file, Unix milliseconds
}

// Sink takes what was read. Its methods are called from several goroutines,
// for one source by one at a time.
type Sink interface {
	// Resume returns the cursor of the last chunk taken from the source; false
	// if none was.
	Resume(Source) (Cursor, bool)
	// Take keeps a chunk and its cursor. Events and Skipped are valid until it
	// returns. After an error the source is left alone for this pass and tried
	// again later, from the cursor that Resume then returns.
	Take(context.Context, Chunk) error
}

// Options say what is followed and how.
type Options struct {
	Agents   []agents.Agent
	Env      agents.Env
	Roots    map[string][]string    // configured directories by agent name, beside the agent's own
	Disabled map[string]bool        // agents, by name, that are not followed
	Excluded func(path string) bool // files and directories that are left alone
	Workers  int                    // files read at the same time; 4 if zero
	Poll     time.Duration          // how often everything is looked at without being told; 30 s if zero
	Log      *slog.Logger           // nil: silent
}

// ErrPaused is returned by Sync while reading is paused.
var ErrPaused = errors.New("reading is paused")

// Ingester follows the transcripts below a set of directories. Its methods may
// be called from any goroutine; Run must not be running twice.
type Ingester struct {
	sink  Sink
	opt   Options
	log   *slog.Logger
	roots []*root
	files *table
	watch *watches
	wake  chan struct{} // Rescan wants a look
}

// root is one directory that may hold transcripts of one agent.
type root struct {
	agent *agents.Agent
	dir   string
}

// New makes an ingester. It touches no file yet.
func New(sink Sink, o Options) *Ingester {
	if o.Workers <= 0 {
		o.Workers = 4
	}
	if o.Poll <= 0 {
		o.Poll = 30 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Excluded == nil {
		o.Excluded = func(string) bool { return false }
	}
	return &Ingester{
		sink: sink, opt: o, log: o.Log,
		roots: makeRoots(o),
		files: newTable(),
		watch: newWatches(openWatcher),
		wake:  make(chan struct{}, 1),
	}
}
