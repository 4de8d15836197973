package daemon

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/rules/query"
	"github.com/kmemd/kmemd/store"
)

var errClosing = &ipc.Error{Code: api.CodeBusy, Message: "the daemon is shutting down; try again in a moment"}

// asRPC gives the error that a client sees for what went wrong.
func asRPC(err error) error {
	var known *ipc.Error
	var bad *store.InvalidError
	var locked *store.LockedError
	var wrong *query.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.As(err, &bad):
		return &ipc.Error{Code: api.CodeInvalid, Message: bad.Error(), Data: api.InvalidData{Field: bad.Field}}
	case errors.As(err, &wrong):
		return &ipc.Error{Code: api.CodeInvalid, Message: wrong.Error(), Data: api.InvalidData{Column: wrong.Column}}
	case errors.As(err, &locked):
		return &ipc.Error{Code: api.CodeUnavailable, Message: locked.Error(), Data: api.UnavailableData{
			Reason: locked.Error(), Safe: safeNote, File: locked.Path, Holder: locked.PID}}
	case errors.Is(err, store.ErrNotFound):
		return &ipc.Error{Code: api.CodeNotFound, Message: err.Error()}
	case errors.Is(err, store.ErrRefused):
		return &ipc.Error{Code: api.CodeRefused, Message: err.Error()}
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrNewer):
		return &ipc.Error{Code: api.CodeUnavailable, Message: err.Error(), Data: api.UnavailableData{Reason: err.Error(), Safe: safeNote}}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrClosed):
		return &ipc.Error{Code: api.CodeBusy, Message: "the request was stopped before it was done; try again"}
	}
	return &ipc.Error{Code: api.CodeInternal, Message: err.Error()}
}

const safeNote = "transcripts are untouched; memory is read again once the store can be opened"

func invalid(field, format string, args ...any) error {
	return &ipc.Error{Code: api.CodeInvalid, Message: fmt.Sprintf(format, args...), Data: api.InvalidData{Field: field}}
}

func notFound(format string, args ...any) error {
	return &ipc.Error{Code: api.CodeNotFound, Message: fmt.Sprintf(format, args...)}
}

// needCwd refuses a directory that cannot name a project.
func needCwd(cwd string) error {
	if cwd == "" {
		return &ipc.Error{Code: api.CodeInvalidParams, Message: "cwd is missing: name the directory whose memory is meant"}
	}
	if !filepath.IsAbs(cwd) && !(len(cwd) > 2 && cwd[1] == ':') || strings.ContainsRune(cwd, 0) {
		return &ipc.Error{Code: api.CodeInvalidParams, Message: fmt.Sprintf("cwd %q is not an absolute directory", cwd)}
	}
	return nil
}
