package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// compactBatch is how many bytes one transaction of a compaction writes.
const compactBatch = 4 << 20

// compact rewrites the file without its free pages, in which deleted text
// would stay readable, and puts the new one in its place: at any moment the
// name leads to a whole file. The caller keeps writers away.
func (f *file) compact() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	temp := f.path + compactSuffix + strconv.Itoa(os.Getpid())
	os.Remove(temp)
	next := &file{path: f.path}
	err := f.note(guard(f.path, func() (err error) {
		next.db, next.handle, err = compactTo(temp, f.db)
		return err
	}))
	if err != nil {
		os.Remove(temp)
		return fmt.Errorf("compact database file %s: %w", f.path, err)
	}
	if err := next.replace(f, temp); err != nil {
		os.Remove(temp)
		return fmt.Errorf("compact database file %s: %w", f.path, err)
	}
	old := f.db
	f.db, f.handle = next.db, next.handle
	// The old file is gone by name; only now does its lock go as well.
	return guard(f.path, old.Close)
}

func compactTo(temp string, src *bolt.DB) (*bolt.DB, *os.File, error) {
	db, err := createPlain(temp)
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(bolt.Compact(db, src, compactBatch), db.Close()); err != nil {
		return nil, nil, err
	}
	var handle *os.File
	db, err = bolt.Open(temp, fileMode, options(&handle))
	return db, handle, err
}

// replace gives the new file the old one's name. Both are locked by us here,
// so no other process can take either.
func (f *file) replace(old *file, temp string) error {
	if runtime.GOOS == "windows" {
		return f.replaceClosed(old, temp)
	}
	if err := os.Rename(temp, f.path); err != nil {
		return errors.Join(err, f.closeLocked())
	}
	return syncDir(filepath.Dir(f.path))
}

// replaceClosed is for systems that rename no open file.
func (f *file) replaceClosed(old *file, temp string) error {
	if err := errors.Join(f.closeLocked(), old.closeLocked()); err != nil {
		return err
	}
	renamed := os.Rename(temp, f.path)
	again, err := openFile(f.path)
	if err != nil {
		old.broken.Store(true)
		return errors.Join(renamed, err)
	}
	f.db, f.handle = again.db, again.handle
	if renamed != nil {
		old.db, old.handle = again.db, again.handle
	}
	return renamed
}
