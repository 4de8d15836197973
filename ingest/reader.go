package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

const (
	chunkBytes = 4 << 20
	chunkLines = 2000
	// lagBytes is how far a source may be read on without telling the sink
	// while nothing of it gave an event.
	lagBytes = 256 << 10
)

// reader reads one source after another; its buffers are used again.
type reader struct {
	in      *Ingester
	lines   lines
	events  []event.Event
	skipped []Skip
}

// pass is one reading of one source, from where it was left to its present end.
type pass struct {
	file    *os.File
	src     Source
	size    int64
	mtime   int64 // Unix nanoseconds
	racy    bool  // it was changed a moment ago
	cursor  Cursor
	base    int64 // where the sink left it
	restart bool
	from    int64 // where the present chunk begins
	lines   int
	decoder agents.Decoder
}

// errSkipFile says that a file is not read, and why.
type errSkipFile string

func (e errSkipFile) Error() string { return string(e) }

// read brings one source up to its present end. Full says that everything is
// read again from the beginning.
func (r *reader) read(ctx context.Context, st *file, full bool, progress func(int64)) error {
	cursor, known := r.in.sink.Resume(st.src)
	if known && !full && st.ahead == nil && cursor.unchanged(r.in.files.stat(st)) {
		return nil
	}
	f, info, err := openRegular(st.src.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	p := &pass{file: f, src: st.src, size: info.Size(), mtime: info.ModTime().UnixNano(), cursor: cursor, base: cursor.Offset}
	p.racy = racy(p.mtime, time.Now())
	if err := r.resume(p, st, known, full); err != nil {
		return err
	}
	if compressed(p.src.Path) {
		return r.readCompressed(ctx, p, st, progress)
	}
	if p.size == p.cursor.Offset && !p.restart {
		st.keepAhead(p)
		return nil
	}
	return r.readLines(ctx, p, st, io.NewSectionReader(f, p.cursor.Offset, p.size-p.cursor.Offset), progress)
}

// keepAhead notes a changed modification time of a file without news, so that
// it is not compared again the next time.
func (st *file) keepAhead(p *pass) {
	if p.cursor.ModTime == p.mtime && p.cursor.Size == p.size && p.cursor.Racy == p.racy {
		return
	}
	c := p.cursor
	c.Size, c.ModTime, c.Racy = p.size, p.mtime, p.racy
	st.ahead, st.base = &c, p.base
}

// resume finds where the source was left and whether the file still is the one
// that was read.
func (r *reader) resume(p *pass, st *file, known, full bool) error {
	if st.ahead != nil && known && st.base == p.base {
		p.cursor = *st.ahead
	} else {
		st.ahead, st.lag = nil, 0
	}
	if known && !full && !compressed(p.src.Path) {
		same, err := p.cursor.same(p.file, p.size, p.mtime)
		if err != nil {
			return err
		}
		if same {
			p.from = p.cursor.Offset
			return nil
		}
	}
	if known && !full && compressed(p.src.Path) && p.cursor.Size == p.size && p.cursor.ModTime == p.mtime {
		return nil // written once, and not in a hurry: no need to be careful
	}
	seen := p.cursor.FirstSeen
	if !known || seen == 0 {
		seen = p.mtime / 1e6
	}
	p.cursor = Cursor{FirstSeen: seen}
	p.restart = true
	return nil
}

// open makes the decoder, when the first line comes.
func (r *reader) open(p *pass, st *file) error {
	if p.decoder != nil {
		return nil
	}
	d, err := st.agent.Open(agents.File{Root: p.src.Root, Path: p.src.Path, ModTime: p.cursor.FirstSeen}, p.cursor.Decoder)
	if err != nil && len(p.cursor.Decoder) > 0 {
		// A state of another version: begin anew, which is always right.
		p.cursor, p.restart, p.from = Cursor{FirstSeen: p.cursor.FirstSeen}, true, 0
		return errStateLost
	}
	p.decoder = d
	return err
}

var errStateLost = errors.New("decoder state of another version")

// readLines reads everything that r holds, chunk by chunk.
func (r *reader) readLines(ctx context.Context, p *pass, st *file, in io.Reader, progress func(int64)) error {
	if err := r.open(p, st); err == errStateLost {
		if err = r.open(p, st); err != nil {
			return err
		}
		in = io.NewSectionReader(p.file, 0, p.size)
	} else if err != nil {
		return err
	}
	r.lines.reset(in, p.cursor.Sum)
	r.events, r.skipped = r.events[:0], r.skipped[:0]
	for {
		line, n, err := r.lines.next()
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		if err := r.line(p, line, n); err != nil {
			return err
		}
		if p.cursor.Offset-p.from >= chunkBytes || p.lines >= chunkLines {
			if err := r.take(ctx, p, st, p.cursor.Offset == p.size, progress); err != nil {
				return err
			}
		}
	}
	if rest := r.lines.rest(); wholeRecord(rest) {
		r.lines.takeRest()
		if err := r.line(p, rest, int64(len(rest))); err != nil {
			return err
		}
	}
	return r.take(ctx, p, st, true, progress)
}

// wholeRecord reports whether a line without a newline is an object that is
// complete: nothing that is still to come can belong to it.
func wholeRecord(rest []byte) bool {
	rest = bytes.TrimSpace(rest)
	if len(rest) < 2 || rest[0] != '{' || rest[len(rest)-1] != '}' {
		return false
	}
	_, err := scan.Parse(rest)
	return err == nil
}

// line decodes one line of n bytes in the file; nil stands for one that was too long.
func (r *reader) line(p *pass, line []byte, n int64) error {
	offset := p.cursor.Offset
	p.cursor.Offset += n
	p.cursor.Lines++
	p.lines++
	if line == nil {
		r.skip(offset, "line longer than 64 MiB")
		return nil
	}
	if offset == 0 {
		if utf16Mark(line) {
			return errSkipFile("UTF-16 file")
		}
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	line = bytes.TrimRight(line, "\r\n")
	if len(line) > 0 && (line[0] == 0 || line[len(line)-1] == 0) {
		line = bytes.Trim(line, "\x00")
		r.skip(offset, "NUL bytes")
	}
	if len(bytes.TrimSpace(line)) > 0 {
		r.decode(p, line, offset, p.cursor.Offset)
	}
	return nil
}

func utf16Mark(line []byte) bool {
	return bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff"))
}

// decode has one line decoded. Of a broken one the records that can be told
// apart are saved.
func (r *reader) decode(p *pass, line []byte, offset, end int64) {
	err := r.record(p, line, offset, end)
	if err == nil {
		return
	}
	r.skip(offset, err.Error())
	if !errors.Is(err, scan.ErrTrailing) && !errors.Is(err, scan.ErrSyntax) {
		return
	}
	spans := scan.Split(line)
	for i, s := range spans {
		to := offset + int64(s.To)
		if i == len(spans)-1 {
			to = end
		}
		if err := r.record(p, line[s.From:s.To], offset+int64(s.From), to); err != nil {
			r.skip(offset+int64(s.From), err.Error())
		}
	}
}

// record calls the decoder. A panic in it costs one record, not the process.
func (r *reader) record(p *pass, line []byte, offset, end int64) (err error) {
	before := len(r.events)
	defer func() {
		if bad := recover(); bad != nil {
			r.events = r.events[:before]
			err = fmt.Errorf("decoder: %v", bad)
		}
	}()
	r.events, err = p.decoder.Decode(r.events, line, offset, end)
	return err
}

// skip notes a part that gave nothing. Notes are bounded; the reasons are few.
func (r *reader) skip(offset int64, reason string) {
	if len(r.skipped) < chunkLines {
		r.skipped = append(r.skipped, Skip{Offset: offset, Reason: reason})
	}
}

// take hands the chunk to the sink and begins another.
func (r *reader) take(ctx context.Context, p *pass, st *file, end bool, progress func(int64)) error {
	if p.cursor.Offset == p.from {
		if !p.restart {
			st.keepAhead(p)
		}
		return nil
	}
	if err := r.finish(p); err != nil {
		return err
	}
	read := p.cursor.Offset - p.from
	if len(r.events) == 0 && len(r.skipped) == 0 && !p.restart && st.lag+read < lagBytes {
		st.lag += read
		c := p.cursor
		st.ahead, st.base = &c, p.base
	} else {
		err := r.in.sink.Take(ctx, Chunk{
			Source: p.src, Cursor: p.cursor, From: p.from, Restart: p.restart,
			Events: r.events, Skipped: r.skipped, End: end, ModTime: p.mtime / 1e6,
		})
		if err != nil {
			st.ahead, st.lag = nil, 0
			return fmt.Errorf("take: %w", err)
		}
		st.ahead, st.lag = nil, 0
		r.in.files.took(st, r.skipped)
	}
	progress(read)
	clear(r.events)
	r.events, r.skipped = r.events[:0], r.skipped[:0]
	p.from, p.lines, p.restart = p.cursor.Offset, 0, false
	return ctx.Err()
}

// finish completes the cursor of a chunk.
func (r *reader) finish(p *pass) error {
	state, err := p.decoder.State()
	if err != nil {
		return fmt.Errorf("decoder state: %v", err)
	}
	p.cursor.Decoder = state
	p.cursor.Sum = r.lines.sum
	p.cursor.Size, p.cursor.ModTime, p.cursor.Racy = p.size, p.mtime, p.racy
	if compressed(p.src.Path) {
		return nil
	}
	return p.cursor.mark(p.file)
}

func compressed(path string) bool { return strings.HasSuffix(path, ".zst") }
