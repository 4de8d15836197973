package ingest

import (
	"hash/crc32"
	"hash/fnv"
	"io"
	"time"
)

// Print is a hash of a number of bytes.
type Print struct {
	Len  int64  `json:"n"`
	Hash uint64 `json:"h"`
}

// Cursor is how far a source has been read and how to tell that it still is
// the same file. It goes through JSON unchanged.
type Cursor struct {
	Offset    int64  `json:"offset"`
	Head      Print  `json:"head"`              // of the beginning, growing to headMax
	Tail      Print  `json:"tail"`              // of what stands before Offset, up to tailMax
	Sum       uint32 `json:"sum"`               // checksum of everything before Offset
	Size      int64  `json:"size"`              // of the file when it was last looked into
	ModTime   int64  `json:"mtime"`             // at that time, Unix nanoseconds
	Racy      bool   `json:"racy,omitempty"`    // it had just been changed then, so another change may not show in ModTime
	FirstSeen int64  `json:"seen"`              // the modification time as first seen, Unix milliseconds
	Lines     int64  `json:"lines"`             // lines read
	Decoder   []byte `json:"decoder,omitempty"` // state of the decoder at Offset
}

const (
	headMax = 1024
	tailMax = 256
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// mark takes the prints of the file for the cursor's present offset.
func (c *Cursor) mark(f io.ReaderAt) error {
	var err error
	if want := min(headMax, c.Offset); c.Head.Len != want {
		if c.Head, err = printOf(f, 0, want); err != nil {
			return err
		}
	}
	n := min(tailMax, c.Offset)
	c.Tail, err = printOf(f, c.Offset-n, n)
	return err
}

// racyTime is how old a modification time must be to tell of every change that
// came before it was looked at; clocks of file systems are coarse.
const racyTime = 2 * time.Second

func racy(mtime int64, now time.Time) bool {
	age := now.Sub(time.Unix(0, mtime))
	return age < racyTime && age > -racyTime
}

// unchanged reports whether a file of this size and modification time need not
// even be opened.
func (c *Cursor) unchanged(size, mtime int64) bool {
	return c.Size == size && c.ModTime == mtime && !c.Racy
}

// same reports whether the file, of the given size and modification time,
// still begins with what was read. A file that was touched without growing is
// compared wholly.
func (c *Cursor) same(f io.ReaderAt, size, mtime int64) (bool, error) {
	if size < c.Offset {
		return false, nil
	}
	for _, p := range []struct {
		at    int64
		print Print
	}{{0, c.Head}, {c.Offset - c.Tail.Len, c.Tail}} {
		got, err := printOf(f, p.at, p.print.Len)
		if err != nil {
			return false, err
		}
		if got != p.print {
			return false, nil
		}
	}
	if size > c.Size || c.unchanged(size, mtime) {
		return true, nil
	}
	sum, err := sumOf(f, c.Offset)
	return sum == c.Sum, err
}

func printOf(f io.ReaderAt, at, n int64) (Print, error) {
	if at < 0 || n < 0 || n > headMax {
		return Print{}, nil // a cursor that is not ours: never equal
	}
	b := make([]byte, n)
	got, err := f.ReadAt(b, at)
	if err != nil && err != io.EOF {
		return Print{}, err
	}
	h := fnv.New64a()
	h.Write(b[:got])
	return Print{Len: int64(got), Hash: h.Sum64()}, nil
}

func sumOf(f io.ReaderAt, n int64) (uint32, error) {
	h := crc32.New(castagnoli)
	_, err := io.Copy(h, io.NewSectionReader(f, 0, n))
	return h.Sum32(), err
}
