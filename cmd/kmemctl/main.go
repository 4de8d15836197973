// Command kmemctl is the command line of kmem: a thin client of the daemon's
// socket.
//
// A command has one file. It reads its arguments, calls one or a few methods of
// the daemon and prints the answer; it opens no store and starts no daemon.
// All printing goes through out.go, all talking through daemon.go, and exit
// codes are decided in exit.go alone.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args, streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Getenv)
	stop()
	os.Exit(code)
}

// streams are the three streams of the program.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run is the program without its process.
func run(ctx context.Context, args []string, s streams, getenv func(string) string) int {
	k := &ctl{ctx: ctx, in: s.in, out: newOut(s.out, s.err, getenv), getenv: getenv}
	defer k.close()
	app := newApp(k)
	argv, err := arrange(app, args)
	if err == nil {
		err = app.RunContext(ctx, argv)
	}
	if flushed := k.out.flush(); err == nil {
		err = flushed
	}
	return k.exit(err)
}
