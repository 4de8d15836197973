package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
)

// The exit codes. Codes that are not here mean failure.
const (
	exitDone        = 0
	exitNo          = 1 // the answer is no: key not found, nothing found
	exitUsage       = 2
	exitUnreachable = 3 // the daemon cannot be reached, or did not answer
	exitFailed      = 4 // the daemon refused or failed
	exitInterrupted = 130
)

// codedError is an error that chose its exit code. An empty message is not
// printed.
type codedError struct {
	code    int
	message string
}

func (e *codedError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &codedError{exitUsage, fmt.Sprintf(format, args...)}
}

// nof says that the answer is no.
func nof(format string, args ...any) error {
	return &codedError{exitNo, fmt.Sprintf(format, args...)}
}

// asUsage turns what the library says of an option's value into a usage error.
func asUsage(_ *cli.Context, err error, _ bool) error {
	return usagef("%s", strings.Replace(err.Error(), "for flag -", "for --", 1))
}

// exit says what went wrong, in one line, and returns the exit code.
func (k *ctl) exit(err error) int {
	code, message := k.judge(err)
	if message != "" {
		k.out.fail(message)
	}
	return code
}

func (k *ctl) judge(err error) (code int, message string) {
	if err == nil {
		return exitDone, ""
	}
	var coded *codedError
	var dial *ipc.DialError
	var answered *ipc.Error
	switch {
	case errors.As(err, &coded):
		return coded.code, coded.message
	case errors.Is(err, context.Canceled):
		return exitInterrupted, ""
	case errors.As(err, &dial):
		return exitUnreachable, k.unreachable(dial)
	case errors.As(err, &answered):
		return judgeAnswer(answered)
	case errors.Is(err, context.DeadlineExceeded):
		return exitUnreachable, fmt.Sprintf("the daemon at %s did not answer within %s; see --timeout", k.path, k.timeout)
	case errors.Is(err, ipc.ErrClosed):
		return exitUnreachable, fmt.Sprintf("the daemon at %s closed the connection; has it stopped?", k.path)
	default:
		return exitFailed, err.Error()
	}
}

func judgeAnswer(e *ipc.Error) (code int, message string) {
	switch e.Code {
	case api.CodeNotFound:
		return exitNo, e.Message
	case api.CodeMethod:
		return exitFailed, "the running daemon is older than kmemctl and cannot do this; restart it"
	}
	var data api.UnavailableData
	if e.Code == api.CodeUnavailable && e.DecodeData(&data) == nil && data.Safe != "" {
		return exitFailed, e.Message + "; " + data.Safe
	}
	return exitFailed, e.Message
}

// unreachable says why there is nobody, and what to do.
func (k *ctl) unreachable(e *ipc.DialError) string {
	message := fmt.Sprintf(`no daemon at %s; start it with "kmemd run"`, e.Path)
	if !noServer(e) {
		message = fmt.Sprintf("the daemon at %s cannot be reached: %v", e.Path, e.Err)
	}
	if k.confed != nil {
		message += fmt.Sprintf(" (and the configuration is wrong: %v)", k.confed)
	}
	return message
}
