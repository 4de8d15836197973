package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Rights of what this package creates, whatever the umask.
const (
	dirMode  = 0o700
	fileMode = 0o600
)

// lockWait is how long opening waits for another process. Less than 50 ms
// would not wait at all, and zero would wait for ever.
const lockWait = time.Second

// initialMap is how much of a file is mapped at first, in bytes. Whenever the
// map has to grow, the engine copies all that the transaction holds.
const initialMap = 256 << 10

// Suffixes of files that are not whole yet; whatever bears them is removed at
// the next opening.
const (
	newSuffix     = ".new-"
	compactSuffix = ".compact-"
	corruptSuffix = ".corrupt-"
)

// A file is one open bbolt file. Its methods may be used by several goroutines;
// after a damageError only close may follow.
type file struct {
	path   string
	broken atomic.Bool

	mu sync.RWMutex // held by a compaction
	// mu guards the fields below.
	db     *bolt.DB
	handle *os.File // the engine's own, for telling which file it is
}

// options are the engine's, the same for every file: always synced.
func options(handle **os.File) *bolt.Options {
	return &bolt.Options{
		Timeout:         lockWait,
		FreelistType:    bolt.FreelistMapType,
		PreLoadFreelist: true,
		InitialMmapSize: initialMap,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
			*handle = f
			return f, err
		},
	}
}

// openFile opens an existing file. A damaged one gives a damageError, one that
// another process holds a LockedError.
func openFile(path string) (*file, error) {
	if err := inspect(path); err != nil {
		return nil, err
	}
	f := &file{path: path}
	err := guard(path, func() (err error) {
		f.db, err = bolt.Open(path, fileMode, options(&f.handle))
		return err
	})
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &LockedError{Path: path}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, &damageError{path, err.Error()}
	case damaged(err):
		f.abandon()
		return nil, err
	}
	return nil, fmt.Errorf("open database file %s: %w", path, err)
}

// createFile makes a file with the contents that fill gives it. Nobody ever
// sees half of it: it is written under another name and put in place whole.
// An existing file is left alone and gives os.ErrExist.
func createFile(path string, fill func(*bolt.Tx) error) error {
	if _, err := os.Lstat(path); err == nil {
		return os.ErrExist
	}
	temp := path + newSuffix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	defer os.Remove(temp)
	db, err := createPlain(temp)
	if err != nil {
		return fmt.Errorf("create database file %s: %w", path, err)
	}
	err = errors.Join(db.Update(fill), db.Close())
	if err != nil {
		return fmt.Errorf("create database file %s: %w", path, err)
	}
	if err := os.Link(temp, path); err != nil {
		if errors.Is(err, os.ErrExist) {
			return err
		}
		// No hard links on this file system: the check and the rename are two steps then.
		if _, stat := os.Lstat(path); stat == nil {
			return os.ErrExist
		}
		if err := os.Rename(temp, path); err != nil {
			return err
		}
	}
	return syncDir(filepath.Dir(path))
}

// createPlain creates an empty database under a name nobody else uses.
func createPlain(path string) (*bolt.DB, error) {
	h, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(h.Chmod(fileMode), h.Close()); err != nil {
		return nil, err
	}
	var handle *os.File
	return bolt.Open(path, fileMode, options(&handle))
}

// read runs fn in a read transaction. Nothing of it may be kept, and fn must
// not wait for anything: an open reader can stop every writer.
func (f *file) read(fn func(*bolt.Tx) error) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.note(guard(f.path, func() error { return f.db.View(fn) }))
}

// update runs fn in a write transaction, which is on the disk on return.
func (f *file) update(fn func(*bolt.Tx) error) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.note(guard(f.path, func() error { return f.db.Update(fn) }))
}

func (f *file) note(err error) error {
	if damaged(err) {
		f.broken.Store(true)
	}
	return err
}

// close ends the use of the file. After damage the engine may hold its own
// locks for ever, so then only the handle is closed.
func (f *file) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closeLocked()
}

func (f *file) closeLocked() error {
	if f.broken.Load() {
		f.abandon()
		return nil
	}
	return guard(f.path, f.db.Close)
}

func (f *file) abandon() {
	if f.handle != nil {
		unlock(f.handle)
		f.handle.Close() // the mapping stays until the process ends
	}
}

// current reports whether the open file is still the one of that name, and as
// long as it was left.
func (f *file) current() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	open, err := f.handle.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.path)
	if err != nil || !os.SameFile(open, named) {
		return false
	}
	size := named.Size()
	return f.note(guard(f.path, func() error {
		return f.db.View(func(tx *bolt.Tx) error { size -= tx.Size(); return nil })
	})) == nil && size >= 0
}

// size returns the length of the file in bytes, and how many of them are free.
func (f *file) size() (total, free int64) {
	err := f.read(func(tx *bolt.Tx) error {
		total = tx.Size()
		free = int64(tx.DB().Stats().FreePageN) * int64(tx.DB().Info().PageSize)
		return nil
	})
	if err != nil {
		return 0, 0
	}
	return total, free
}

// guard turns panics and memory faults of the engine, which it raises when a
// file is damaged or cut off under it, into a damageError.
func guard(path string, fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if r := recover(); r != nil {
			err = &damageError{path, fmt.Sprint(r)}
		}
	}()
	return fn()
}

// makeDir creates a directory of ours and those above it.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	return errors.Join(os.Chmod(dir, dirMode), syncDir(filepath.Dir(dir)))
}

// syncDir makes the names in a directory durable.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // has no such call
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil // file systems without it
	}
	return errors.Join(err, d.Close())
}

// sweep removes what a killed process left half done beside a file.
func sweep(path string) {
	for _, name := range siblings(path) {
		if strings.HasPrefix(name, path+newSuffix) || strings.HasPrefix(name, path+compactSuffix) {
			os.Remove(name)
		}
	}
}

// siblings returns the paths of the files whose names begin with a file's name
// and a dot.
func siblings(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path))
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+".") {
			out = append(out, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return out
}
