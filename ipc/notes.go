package ipc

import "sync"

// Notifications that wait for one client: enough for a pause in its reading,
// little enough for hundreds of clients that never read again.
const (
	maxNotes     = 256
	maxNoteBytes = 1 << 20
)

// notes is the queue of one connection. Putting never waits.
type notes struct {
	wake chan struct{} // holds one token while there is something to send

	mu     sync.Mutex // guards the fields below
	lines  [][]byte
	bytes  int
	missed int // dropped after the last of lines
}

// put queues a line, or counts it as missed when there is no room. Once one is
// missed, the following are too, until the queue is taken: so the gap stays
// where it is told.
func (n *notes) put(line []byte) bool {
	n.mu.Lock()
	ok := n.missed == 0 && len(n.lines) < maxNotes && (len(n.lines) == 0 || n.bytes+len(line) <= maxNoteBytes)
	if ok {
		n.lines = append(n.lines, line)
		n.bytes += len(line)
	} else {
		n.missed++
	}
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
	return ok
}

// take empties the queue.
func (n *notes) take() (lines [][]byte, missed int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines, missed = n.lines, n.missed
	n.lines, n.bytes, n.missed = nil, 0, 0
	return lines, missed
}

// sendNotes writes what is queued until the connection ends. There is no
// deadline: a watcher may pause as long as it likes, what it costs is the
// queue.
func (c *Conn) sendNotes() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.notes.wake:
		}
		lines, missed := c.notes.take()
		if missed > 0 {
			line, err := encode(outgoing{Version: "2.0", Method: MethodMissed, Params: map[string]int{"count": missed}})
			if err == nil {
				lines = append(lines, line)
			}
		}
		for _, line := range lines {
			if !c.write(line, 0) {
				return
			}
		}
	}
}
