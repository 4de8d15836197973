package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"github.com/lmittmann/tint"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/kmemd/kmemd/daemon"
	"github.com/kmemd/kmemd/daemon/config"
	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/service"
)

// settings are what every command starts from.
type settings struct {
	home   string
	file   string
	config config.Config
	log    *slog.Logger
}

func load(c *cli.Context) (settings, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return settings{}, fmt.Errorf("find the home directory: %w", err)
	}
	s := settings{home: home}
	if s.file = c.String("config"); s.file == "" {
		s.file = config.Path(os.Getenv, home, runtime.GOOS)
	} else if s.file, err = filepath.Abs(s.file); err != nil {
		return s, err
	}
	if s.config, err = s.read(); err != nil {
		return s, err
	}
	level := s.config.Log.Level
	if given := c.String("log-level"); given != "" {
		level = given
	}
	s.log, err = logger(os.Stderr, level, s.config.Log.Format)
	return s, err
}

// read reads the configuration and checks what only the daemon can know.
func (s *settings) read() (config.Config, error) {
	c, err := config.Load(s.file, os.Getenv, s.home)
	if err != nil {
		return c, err
	}
	return c, c.CheckAgents(daemon.AgentNames())
}

// logger writes to standard error, in colour only on a terminal.
func logger(w io.Writer, level, format string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, usageError{fmt.Errorf("log level %q: it is debug, info, warn or error", level)}
	}
	f, isFile := w.(*os.File)
	switch {
	case format == "json":
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l})), nil
	case isFile && term.IsTerminal(int(f.Fd())):
		return slog.New(tint.NewTextHandler(w, &tint.Options{Level: l, NoColor: os.Getenv("NO_COLOR") != ""})), nil
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}

// place says where the socket is.
func (s *settings) place() ipc.Place {
	return ipc.Place{Explicit: s.config.Socket, RuntimeDir: os.Getenv("XDG_RUNTIME_DIR"), Data: s.config.Data}
}

// options are those of a daemon that reads the transcripts below home.
func (s *settings) options() daemon.Options {
	return daemon.Options{
		Config: s.config, ConfigFile: s.file, RulesDir: config.RulesDir(os.Getenv, s.home, runtime.GOOS), Home: s.home, Getenv: os.Getenv,
		Version: versionText(), Log: s.log, Verify: verifyElsewhere,
		Reload: s.read,
	}
}

func runDaemon(c *cli.Context) error {
	s, err := load(c)
	if err != nil {
		return err
	}
	o := s.options()
	if o.Socket, err = ipc.SocketPath(s.place()); err != nil {
		return err
	}
	d, err := daemon.New(o)
	if err != nil {
		return err
	}
	err = service.Run(c.Context, service.Options{
		Name: "kmemd",
		Reload: func() {
			if err := d.Reload(); err != nil {
				s.log.Error("configuration not taken, the old one stays in force", "err", err)
				return
			}
			s.log.Info("configuration read again")
		},
	}, func(ctx context.Context, n *service.Notifier) error {
		s.log.Info("kmemd starts", "version", o.Version, "socket", o.Socket, "data", s.config.Data)
		go n.Watch(ctx, d.Probe)
		return d.Run(ctx, n.Ready)
	})
	if errors.Is(err, service.ErrForced) {
		return err // what is still running must not be waited for
	}
	if closeErr := d.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		s.log.Info("kmemd stopped")
	}
	return err
}
