// Package ipc is the wire between the daemon and its clients: JSON-RPC 2.0 with
// one JSON object a line, over a Unix socket (a named pipe on Windows) that
// only its owner can use.
//
// It holds the [Server] with its limits, the [Client], [Listen] and [Dial] with
// the checks of who is at the other end, and [SocketPath], the rule by which
// both ends find the socket. It knows no method: their names and structs are
// in package api, what they do in package daemon. PROTOCOL.md describes the
// wire for people who write a client.
//
// # Guarantees
//
// Requests of one connection run concurrently and are answered in any order. A
// hostile or careless client costs bounded memory: lines, requests in progress,
// connections and notifications that wait are limited, and a peer that stops
// reading or sending in the middle is cut off. A panic in a handler is an
// answer, not an end. Another user's process is refused by its credentials on
// both ends, so that neither is memory given to a stranger nor taken from one.
//
// # Why not a library
//
// github.com/sourcegraph/jsonrpc2 was tried for this. Whatever stream is put
// below it, its ids are unsigned integers or strings (-1 comes back as another
// number, 1.5 ends the connection), an answer with the id null cannot be made,
// parameters are decoded into maps and encoded again before a handler sees
// them, and answers and notifications share one lock, so that a slow watcher
// could not be told what it missed. The codec here is smaller than the
// adaptation would be.
package ipc

import (
	"encoding/json"
	"errors"
	"fmt"
)

// The error codes of JSON-RPC 2.0, and the one of ours that the server itself
// sends.
const (
	codeParse         = -32700
	codeRequest       = -32600
	codeMethod        = -32601
	codeInvalidParams = -32602
	codeInternal      = -32603
	codeBusy          = -32005
)

// MethodMissed is the method of the notification that tells a slow reader how
// many notifications it missed, as {"count": n}.
const MethodMissed = "missed"

// Error is an error that crosses the wire. A [Handler] returns one to choose
// the code; [Client.Call] returns one when the other side answered with it.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`        // one sentence a person can act on
	Data    any    `json:"data,omitempty"` // at the client: what encoding/json makes of it
}

// Error returns the message alone: it is a sentence for people.
func (e *Error) Error() string { return e.Message }

// Errorf makes an [Error] without data.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// DecodeData puts the data of an error that came over the wire into v.
func (e *Error) DecodeData(v any) error {
	b, err := json.Marshal(e.Data)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// ErrClosed is returned for calls on a connection that has ended.
var ErrClosed = errors.New("connection closed")

// RunningError is returned by [Listen] when another daemon serves the socket.
type RunningError struct {
	Path string
	Pid  int // 0 where it is not known
}

func (e *RunningError) Error() string {
	if e.Pid == 0 {
		return fmt.Sprintf("a daemon is already running at %s", e.Path)
	}
	return fmt.Sprintf("a daemon is already running (pid %d) at %s", e.Pid, e.Path)
}

// DialError is returned by [Dial] when nobody can be reached at the socket.
type DialError struct {
	Path string
	Err  error
}

func (e *DialError) Error() string { return fmt.Sprintf("dial %s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *DialError) Unwrap() error { return e.Err }
