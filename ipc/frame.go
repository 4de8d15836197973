package ipc

import (
	"bytes"
	"errors"
	"io"
)

// errLineTooLong says that a line is longer than the limit. What follows in
// the stream cannot be told from the rest of the line, so the framing is lost.
var errLineTooLong = errors.New("line too long")

const (
	frameBuffer = 4 << 10  // what a quiet connection costs
	frameKeep   = 64 << 10 // a larger buffer is given back once it is empty
)

// frames reads lines. It keeps its place when a read fails with a timeout, so
// that reading can go on afterwards. It belongs to one goroutine.
type frames struct {
	r     io.Reader
	limit int    // bytes of a line, without its end
	buf   []byte // buf[start:end] is read and not yet handed out
	start int
	end   int
	seen  int // bytes of buf[start:end] known to hold no newline
}

func newFrames(r io.Reader, limit int) *frames { return &frames{r: r, limit: limit} }

// partial reports whether the beginning of a line has been read.
func (f *frames) partial() bool { return f.end > f.start }

// next returns the next line without its newline and a carriage return before
// it. The line is valid until the next call. At the end of the stream a last
// line without a newline is returned as a line, and io.EOF after it.
func (f *frames) next() ([]byte, error) {
	for {
		if line, ok := f.cut(); ok {
			if len(line) > f.limit {
				return nil, errLineTooLong
			}
			return line, nil
		}
		if f.end-f.start > f.limit+1 { // one more for a carriage return
			return nil, errLineTooLong
		}
		f.room()
		n, err := f.r.Read(f.buf[f.end:])
		f.end += n
		if n > 0 {
			continue
		}
		if errors.Is(err, io.EOF) && f.partial() {
			line := bytes.TrimSuffix(f.buf[f.start:f.end], []byte("\r"))
			f.start, f.seen = f.end, 0
			if len(line) > f.limit {
				return nil, errLineTooLong
			}
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// cut takes a complete line out of the buffer.
func (f *frames) cut() ([]byte, bool) {
	i := bytes.IndexByte(f.buf[f.start+f.seen:f.end], '\n')
	if i < 0 {
		f.seen = f.end - f.start
		return nil, false
	}
	at := f.start + f.seen + i
	line := bytes.TrimSuffix(f.buf[f.start:at], []byte("\r"))
	f.start, f.seen = at+1, 0
	return line, true
}

// room makes space for a read behind end.
func (f *frames) room() {
	switch {
	case f.start == f.end && (f.buf == nil || len(f.buf) > frameKeep):
		f.buf, f.start, f.end = make([]byte, frameBuffer), 0, 0
	case f.start == f.end:
		f.start, f.end = 0, 0
	case f.end < len(f.buf):
	case f.start > len(f.buf)/2:
		f.end = copy(f.buf, f.buf[f.start:f.end])
		f.start = 0
	default:
		grown := make([]byte, min(2*len(f.buf), f.limit+frameBuffer))
		f.end = copy(grown, f.buf[f.start:f.end])
		f.buf, f.start = grown, 0
	}
}
