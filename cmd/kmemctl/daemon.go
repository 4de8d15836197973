package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"github.com/kmemd/kmemd/daemon/config"
	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
)

// dialTimeout is for connecting alone: a living daemon takes microseconds.
const dialTimeout = 2 * time.Second

// find works out where the socket is.
func (k *ctl) find() (string, error) {
	if k.path != "" {
		return k.path, nil
	}
	place := ipc.Place{Explicit: k.socket, RuntimeDir: k.getenv("XDG_RUNTIME_DIR")}
	if place.Explicit == "" {
		place.Explicit = k.getenv("KMEM_SOCKET")
	}
	if place.Explicit == "" {
		home, _ := os.UserHomeDir() // without one, paths with ~ are refused below
		c, err := config.Load("", k.getenv, home)
		if err != nil {
			k.confed = err
			c = config.Fallback(k.getenv, home)
		}
		place.Explicit, place.Data = c.Socket, c.Data
	}
	path, err := ipc.SocketPath(place)
	k.path = path
	return path, err
}

// connect dials once a run.
func (k *ctl) connect() error {
	if k.client != nil {
		return nil
	}
	path, err := k.find()
	if err != nil {
		return &codedError{exitUnreachable, err.Error()}
	}
	ctx, cancel := context.WithTimeout(k.ctx, dialTimeout)
	defer cancel()
	k.client, err = ipc.Dial(ctx, path)
	return err
}

// call calls a method of the daemon, and again where the daemon has too many
// connections.
func (k *ctl) call(method string, params, result any) error {
	return k.callFor(k.timeout, method, params, result)
}

// callLong is call for what may take long. It waits for ever, unless the user
// said otherwise.
func (k *ctl) callLong(method string, params, result any) error {
	limit := time.Duration(0)
	if k.timed {
		limit = k.timeout
	}
	return k.callFor(limit, method, params, result)
}

func (k *ctl) callFor(limit time.Duration, method string, params, result any) error {
	ctx, cancel := k.ctx, context.CancelFunc(func() {})
	if limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	for try := 1; ; try++ {
		err := k.connect()
		if err == nil {
			err = k.client.Call(ctx, method, params, result)
		}
		var e *ipc.Error
		if !errors.As(err, &e) || e.Code != api.CodeBusy || try == 4 {
			return err
		}
		k.client.Close()
		k.client = nil
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(try*20+rand.IntN(60)) * time.Millisecond):
		}
	}
}

// show calls a method and shows its result: as it is with --json, else by fn.
func show[R any](k *ctl, method string, params any, fn func(R) error) error {
	r, raw, err := ask[R](k, method, params)
	switch {
	case err != nil:
		return err
	case k.out.json:
		k.out.document(raw)
		return nil
	default:
		return fn(r)
	}
}

// ask calls a method and returns its result, decoded and as it came.
func ask[R any](k *ctl, method string, params any) (r R, raw json.RawMessage, err error) {
	if err = k.call(method, params, &raw); err == nil {
		err = json.Unmarshal(raw, &r)
	}
	return r, raw, err
}

// tool calls one of the five tools. Its own failure is an error with the exit
// code that the same failure of a method would have.
func (k *ctl) tool(name string, arguments any) (text string, structured json.RawMessage, err error) {
	args, err := json.Marshal(arguments)
	if err != nil {
		return "", nil, err
	}
	var r api.ToolsCallResult
	err = k.call(api.MethodToolsCall, api.ToolsCallParams{Cwd: k.cwd, Name: name, Arguments: args, Via: "cli"}, &r)
	if err != nil {
		return "", nil, err
	}
	for _, c := range r.Content {
		text += c.Text
	}
	if !r.IsError {
		return text, r.StructuredContent, nil
	}
	var f api.ToolFailure
	if json.Unmarshal(r.StructuredContent, &f) == nil && f.Code == api.CodeNotFound {
		return "", nil, nof("%s", text)
	}
	return "", nil, &codedError{exitFailed, text}
}

// noServer reports whether nobody is there, as opposed to somebody who cannot
// be reached.
func noServer(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}
