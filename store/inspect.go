package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// The two meta pages of a bbolt file, as far as they tell whether the file may
// be opened: mapping one that was cut off raises faults, and an empty one would
// silently become a fresh store.
const (
	boltMagic   = 0xED0CDAED
	boltVersion = 2
	metaStart   = 16 // after the page's own header
	metaSummed  = 56 // bytes that the meta's checksum covers
	metaBytes   = metaSummed + 8
)

// inspect looks at a bbolt file without opening the engine: nil, a damageError,
// ErrNewer or the error of reading it.
func inspect(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &damageError{path, "not a regular file"}
	}
	if info.Size() == 0 {
		return &damageError{path, "empty"}
	}
	first, firstErr := readMeta(f, 0)
	second, secondErr := secondMeta(f, first.page)
	switch {
	case errors.Is(firstErr, ErrNewer), errors.Is(secondErr, ErrNewer):
		return fmt.Errorf("database file %s: %w", path, ErrNewer)
	case firstErr != nil && secondErr != nil:
		return &damageError{path, "not a database file"}
	}
	newest := first
	if firstErr != nil || secondErr == nil && second.txid > first.txid {
		newest = second
	}
	if info.Size() < int64(newest.pages)*newest.page {
		return &damageError{path, "cut off"}
	}
	return nil
}

// secondMeta reads the meta that stands one page further; where the first one
// is lost the page size is lost with it, and every size is tried.
func secondMeta(r io.ReaderAt, page int64) (boltMeta, error) {
	if page > 0 {
		return readMeta(r, page)
	}
	err := errors.New("no meta page")
	for page = 1 << 10; page <= 1<<16; page <<= 1 {
		var m boltMeta
		if m, err = readMeta(r, page); err == nil && m.page == page || errors.Is(err, ErrNewer) {
			return m, err
		}
	}
	return boltMeta{}, err
}

type boltMeta struct {
	page  int64  // page size in bytes
	pages uint64 // number of pages the file must hold
	txid  uint64
}

func readMeta(r io.ReaderAt, at int64) (boltMeta, error) {
	var b [metaBytes]byte
	if _, err := r.ReadAt(b[:], at+metaStart); err != nil {
		return boltMeta{}, err
	}
	order := binary.NativeEndian
	if order.Uint32(b[0:]) != boltMagic {
		return boltMeta{}, errors.New("no meta page")
	}
	sum := fnv.New64a()
	sum.Write(b[:metaSummed])
	if sum.Sum64() != order.Uint64(b[metaSummed:]) {
		return boltMeta{}, errors.New("meta page damaged")
	}
	if order.Uint32(b[4:]) > boltVersion {
		return boltMeta{}, ErrNewer
	}
	m := boltMeta{
		page:  int64(order.Uint32(b[8:])),
		pages: order.Uint64(b[40:]),
		txid:  order.Uint64(b[48:]),
	}
	if m.page < 512 || m.page > 1<<16 || m.pages > 1<<40 {
		return boltMeta{}, errors.New("meta page damaged")
	}
	return m, nil
}
