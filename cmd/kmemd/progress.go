package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/kmemd/kmemd/ingest"
)

// bar draws one status line that is written over again. On anything but a
// terminal it stays silent.
type bar struct {
	// mu guards the fields below.
	mu    sync.Mutex
	out   io.Writer
	on    bool
	drawn time.Time
	last  ingest.Progress
}

const barWidth = 28

// redraw is how often the line changes at most.
const redraw = 80 * time.Millisecond

// update shows how far the reading is.
func (b *bar) update(p ingest.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last = p
	if !b.on || time.Since(b.drawn) < redraw {
		return
	}
	b.drawn = time.Now()
	fmt.Fprintf(b.out, "\r\033[K%s", line(p))
}

// finish takes the line away.
func (b *bar) finish() ingest.Progress {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.on {
		fmt.Fprint(b.out, "\r\033[K")
	}
	return b.last
}

func line(p ingest.Progress) string {
	share := 1.0
	if p.Bytes > 0 {
		share = min(float64(p.BytesDone)/float64(p.Bytes), 1)
	}
	full := int(share * barWidth)
	text := fmt.Sprintf("[%s%s] %3.0f%%  %d/%d transcripts  %s/%s", strings.Repeat("#", full), strings.Repeat("-", barWidth-full),
		share*100, p.FilesDone, p.Files, megabytes(p.BytesDone), megabytes(p.Bytes))
	if seconds := p.Elapsed.Seconds(); seconds > 0.5 && p.BytesDone > 0 {
		rate := float64(p.BytesDone) / seconds
		text += fmt.Sprintf("  %s/s", megabytes(int64(rate)))
		if left := time.Duration(float64(p.Bytes-p.BytesDone) / rate * float64(time.Second)); left > time.Second {
			text += fmt.Sprintf("  %s left", left.Round(time.Second))
		}
	}
	return text
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
