package ingest

import (
	"bytes"
	"hash/crc32"
	"io"
)

const (
	windowSize = 256 << 10
	keepBuffer = 4 << 20
	// MaxLine bounds a line, in bytes. Longer ones are skipped and counted.
	MaxLine = 64 << 20
)

// lines cuts a reader into lines. Its buffer grows to the longest line and is
// used again; memory is bounded by the longest line allowed.
type lines struct {
	r       io.Reader
	buf     []byte
	start   int // of what is not consumed
	end     int // of what is read
	seen    int // up to here no newline was found
	max     int
	dropped int64 // bytes of the present line that were let go, it being too long
	eof     bool
	sum     uint32 // checksum of everything consumed
	dropSum uint32 // the same with what was let go
}

// reset begins with another reader, keeping the buffer unless it has grown.
func (l *lines) reset(r io.Reader, sum uint32) {
	buf := l.buf
	if cap(buf) > keepBuffer || buf == nil {
		buf = make([]byte, windowSize)
	}
	*l = lines{r: r, buf: buf, max: MaxLine, sum: sum}
}

// next returns the next complete line with its newline and its whole length
// in the file. A line that is too long comes as nil with its length. At the
// end it returns nil and 0.
func (l *lines) next() (line []byte, length int64, err error) {
	for {
		if n := bytes.IndexByte(l.buf[l.seen:l.end], '\n'); n >= 0 {
			line = l.buf[l.start : l.seen+n+1]
			l.consume(len(line))
			length = int64(len(line)) + l.dropped
			if length > int64(l.max) {
				line, l.dropped = nil, 0
			}
			return line, length, nil
		}
		l.seen = l.end
		if l.eof {
			return nil, 0, nil
		}
		l.room()
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if err == io.EOF {
			l.eof = true
		} else if err != nil {
			return nil, 0, err
		}
	}
}

// rest returns what stands after the last newline, once next has come to the
// end; nil if the line is too long already.
func (l *lines) rest() []byte {
	if l.dropped > 0 {
		return nil
	}
	return l.buf[l.start:l.end]
}

// takeRest consumes what rest returned.
func (l *lines) takeRest() { l.consume(l.end - l.start) }

func (l *lines) consume(n int) {
	if l.dropped > 0 {
		l.sum = l.dropSum
	}
	l.sum = crc32.Update(l.sum, castagnoli, l.buf[l.start:l.start+n])
	l.start += n
	l.seen = l.start
}

// room makes place for another read: by moving what is left to the front, by
// growing, or by letting go of a line that is too long.
func (l *lines) room() {
	switch {
	case l.end-l.start > l.max || l.dropped > 0:
		if l.dropped == 0 {
			l.dropSum = l.sum
		}
		l.dropped += int64(l.end - l.start)
		l.dropSum = crc32.Update(l.dropSum, castagnoli, l.buf[l.start:l.end])
		l.start, l.end, l.seen = 0, 0, 0
	case len(l.buf)-l.end >= windowSize/2:
	case l.start > 0:
		copy(l.buf, l.buf[l.start:l.end])
		l.end, l.seen, l.start = l.end-l.start, l.seen-l.start, 0
		if len(l.buf)-l.end < windowSize/2 {
			l.grow()
		}
	default:
		l.grow()
	}
}

func (l *lines) grow() {
	bigger := make([]byte, min(2*len(l.buf), l.max+2*windowSize))
	copy(bigger, l.buf[:l.end])
	l.buf = bigger
}
