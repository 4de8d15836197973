package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc"
)

// defaultTimeout is how long an ordinary call may take.
const defaultTimeout = 10 * time.Second

// ctl is one run of the program: what all commands share.
type ctl struct {
	ctx    context.Context
	in     io.Reader
	out    *out
	getenv func(string) string

	cwd     string        // absolute
	socket  string        // --socket; empty: by the rule
	timeout time.Duration // of a call; 0: none
	timed   bool          // --timeout was given

	path   string // of the socket, once it is known
	confed error  // what is wrong with the configuration
	client *ipc.Client
}

func (k *ctl) close() {
	if k.client != nil {
		k.client.Close()
	}
}

// The groups of commands in the help.
const (
	groupMemory  = "memory"
	groupHistory = "sessions and projects"
	groupControl = "what is captured"
	groupDaemon  = "the daemon and this program"
)

func newApp(k *ctl) *cli.App {
	app := &cli.App{
		Name:            "kmemctl",
		Usage:           "ask and steer the memory of your coding agents",
		UsageText:       "kmemctl COMMAND [OPTIONS] [ARGUMENTS]\n\nOptions may stand anywhere on the line; -- ends them.",
		HideVersion:     true,
		HideHelpCommand: true,
		Writer:          k.out.help(),
		ErrWriter:       io.Discard, // what is wrong is said in one place, by exit
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    asUsage,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "cwd", Usage: "the memory of directory `DIR`, instead of the current one"},
			&cli.StringFlag{Name: "socket", Usage: "the daemon's socket is at `PATH`"},
			&cli.BoolFlag{Name: "json", Usage: "one JSON document, or JSON Lines where a command streams"},
			&cli.BoolFlag{Name: "no-color", Usage: "no colours (also NO_COLOR, and when not on a terminal)"},
			&cli.DurationFlag{Name: "timeout", Usage: "wait at most `TIME` for an answer; 0 for ever", Value: defaultTimeout},
			&cli.BoolFlag{Name: "version", Usage: "print the version"},
		},
		DisableSliceFlagSeparator: true,
		Before:                    k.before,
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return printVersion(k)
			}
			return usagef(`a command is missing; see "kmemctl --help"`)
		},
		Commands: commands(k),
	}
	var settle func(cs []*cli.Command)
	settle = func(cs []*cli.Command) {
		for _, c := range cs {
			c.OnUsageError = asUsage
			c.HideHelpCommand = true
			settle(c.Subcommands)
		}
	}
	settle(app.Commands)
	return app
}

func commands(k *ctl) []*cli.Command {
	return []*cli.Command{
		getCommand(k), saveCommand(k), deleteCommand(k), listCommand(k), searchCommand(k), queryCommand(k),
		renderCommand(k), whyCommand(k), graphCommand(k), logCommand(k), exportCommand(k), importCommand(k),
		sessionsCommand(k), sessionCommand(k), projectsCommand(k), resumeCommand(k), handoffCommand(k), errorsCommand(k),
		forgetCommand(k), pauseCommand(k), unpauseCommand(k), excludeCommand(k), rescanCommand(k),
		statusCommand(k), agentsCommand(k), completionCommand(k), versionCommand(k),
	}
}

// before takes in the global flags.
func (k *ctl) before(c *cli.Context) error {
	k.out.json = c.Bool("json")
	if c.Bool("no-color") {
		k.out.color = false
	}
	k.socket = c.String("socket")
	k.timeout, k.timed = c.Duration("timeout"), c.IsSet("timeout")
	if k.timeout < 0 {
		return usagef("--timeout must not be negative")
	}
	cwd := c.String("cwd")
	if cwd == "" && c.IsSet("cwd") {
		return usagef("--cwd is empty")
	}
	if cwd == "" {
		var err error
		if cwd, err = os.Getwd(); err != nil {
			return fmt.Errorf("current directory: %w; name one with --cwd", err)
		}
	}
	var err error
	k.cwd, err = filepath.Abs(cwd)
	return err
}

// below returns a path that an argument names, relative to --cwd.
func (k *ctl) below(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(k.cwd, path)
}

// arguments checks how many arguments a command has; most < 0 is any number.
func arguments(c *cli.Context, least, most int) error {
	n := c.Args().Len()
	if n >= least && (most < 0 || n <= most) {
		return nil
	}
	name := c.Command.HelpName
	if n < least {
		return usagef(`arguments are missing: %s %s; see "%s --help"`, name, c.Command.ArgsUsage, name)
	}
	if most == 0 {
		return usagef(`%s takes no arguments, but got %q; see "%s --help"`, name, c.Args().Get(0), name)
	}
	return usagef(`too many arguments: %s %s; quote what holds blanks`, name, c.Command.ArgsUsage)
}
