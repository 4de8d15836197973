package store

import (
	"errors"
	"fmt"
	"os"
)

// Conditions that callers branch on. Errors of this package wrap them.
var (
	ErrNotFound    = errors.New("not found")
	ErrInvalid     = errors.New("invalid")
	ErrRefused     = errors.New("refused")           // excluded directory
	ErrUnavailable = errors.New("store unavailable") // for now: tried again later
	ErrNewer       = errors.New("written by a newer version")
	ErrClosed      = errors.New("store closed")
)

// A LockedError says that another process holds a database file.
type LockedError struct {
	Path string // the file
	PID  int    // the holder, 0 where it cannot be told
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("database file %s is locked by another process", e.Path)
	}
	return fmt.Sprintf("database file %s is locked by process %d", e.Path, e.PID)
}

// Is makes a LockedError an ErrUnavailable.
func (e *LockedError) Is(target error) bool { return target == ErrUnavailable }

// An InvalidError says which field of an entry is not acceptable.
type InvalidError struct {
	Field   string
	Message string
}

func (e *InvalidError) Error() string { return e.Field + ": " + e.Message }

// Is makes an InvalidError an ErrInvalid.
func (e *InvalidError) Is(target error) bool { return target == ErrInvalid }

// damageError says that a file of ours cannot be trusted any more.
type damageError struct {
	path string
	why  string
}

func (e *damageError) Error() string {
	return fmt.Sprintf("database file %s is damaged: %s", e.path, e.why)
}

func (e *damageError) Is(target error) bool { return target == ErrUnavailable }

// damaged reports whether an error is about a damaged file.
func damaged(err error) bool {
	var d *damageError
	return errors.As(err, &d)
}

// missing reports whether an error says that a file is not there.
func missing(err error) bool { return errors.Is(err, os.ErrNotExist) }
