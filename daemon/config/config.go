// Package config reads the daemon's configuration: defaults that serve, one
// TOML file, a few environment variables; and it knows where the files are on
// each system.
//
// It is read by the daemon and by kmemctl, which must find the same socket. It
// opens nothing but the file, and says of everything that is wrong with it in
// which file and line and under which key. It knows no agents: which names
// under [agents] exist is for the daemon to check with [Config.CheckAgents].
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The scopes: what one memory covers.
const (
	ScopeRepository = "repository"
	ScopeDirectory  = "directory"
)

// Config is what can be configured. Paths are absolute, with ~ replaced.
type Config struct {
	Data      string           `toml:"data"`
	Socket    string           `toml:"socket"` // empty: by the rule of package ipc
	Scope     string           `toml:"scope"`
	Exclude   []string         `toml:"exclude"` // patterns of paths, with **
	Agents    map[string]Agent `toml:"agents"`  // by name; an agent that is not there is on
	Redact    Redact           `toml:"redact"`
	Render    Render           `toml:"render"`
	Retention Retention        `toml:"retention"`
	Log       Log              `toml:"log"`
	Caps      Caps             `toml:"caps"`

	file  string         // where it was read
	lines map[string]int // of the keys in it
}

// Agent is what is configured of one agent.
type Agent struct {
	Enabled *bool    `toml:"enabled"` // nil: on where its directory exists
	Roots   []string `toml:"roots"`   // directories beside the usual ones
}

// On reports whether the agent's transcripts are to be read.
func (a Agent) On() bool { return a.Enabled == nil || *a.Enabled }

// Redact is what is configured of the removal of secrets.
type Redact struct {
	Enabled bool     `toml:"enabled"`
	Allow   []string `toml:"allow"` // regular expressions (RE2) of what is no secret
}

// Render is what is configured of the memory block.
type Render struct {
	MaxTokens int `toml:"max_tokens"`
}

// Retention says for how long things are kept.
type Retention struct {
	MaxAge             Duration `toml:"max_age"`               // of entries; 0: for ever
	Turns              Duration `toml:"turns"`                 // of the searchable conversations; 0: for ever
	MaxBytesPerProject Size     `toml:"max_bytes_per_project"` // 0: no limit
}

// Log is what is configured of the daemon's log.
type Log struct {
	Level  string `toml:"level"`  // debug, info, warn, error
	Format string `toml:"format"` // text, json
	File   string `toml:"file"`   // empty: standard error, the service manager's log
}

// Caps are how many captured entries are kept: tool results a tool, thinking,
// notes and facts together.
type Caps struct {
	ToolResult int `toml:"tool_result"`
	Thinking   int `toml:"thinking"`
	LowSignal  int `toml:"low_signal"`
}

// Error says what is wrong with the configuration, and where.
type Error struct {
	File    string // the file, or the environment variable
	Line    int    // from 1; 0 where there is none
	Key     string // such as render.max_tokens; empty where the file is no TOML
	Message string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, ": %s", e.Key)
	}
	fmt.Fprintf(&b, ": %s", e.Message)
	return b.String()
}

// Default returns the configuration of an empty file for a home directory.
func Default(home string) Config {
	return Config{
		Data:   filepath.Join(home, ".kdeps", "memory"),
		Scope:  ScopeRepository,
		Agents: map[string]Agent{},
		Redact: Redact{Enabled: true},
		Render: Render{MaxTokens: 2000},
		Retention: Retention{
			MaxBytesPerProject: Size{Bytes: 256 << 20},
		},
		Log:  Log{Level: "info", Format: "text"},
		Caps: Caps{ToolResult: 20, Thinking: 20, LowSignal: 50},
	}
}

// Load reads the configuration from a file, from the usual place where path
// is empty. A missing file is an empty one. The environment (KMEM_DATA,
// KMEM_SOCKET) goes before the file. A configuration that is wrong is an
// [*Error].
func Load(path string, getenv func(string) string, home string) (Config, error) {
	if path == "" {
		path = Path(getenv, home, runtime.GOOS)
	}
	c := Default(home)
	c.file = path
	data, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := c.decode(data); err != nil {
			return Config{}, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return Config{}, &Error{File: path, Message: "cannot be read: " + cause(err)}
	}
	if err := c.environment(getenv, home); err != nil {
		return Config{}, err
	}
	return c, nil
}

// Fallback is what is left to go by when [Load] has failed: the defaults and
// the environment, as far as that is right. kmemctl uses it, so that a slip in the
// file does not cut it off from a daemon that runs with the old one.
func Fallback(getenv func(string) string, home string) Config {
	c := Default(home)
	if env := c; env.environment(getenv, home) == nil {
		return env
	}
	return c
}

// File returns where the configuration was read.
func (c *Config) File() string { return c.file }

// CheckAgents reports an agent's name in the file that is none of the known.
func (c *Config) CheckAgents(known []string) error {
	for name := range c.Agents {
		if !slices.Contains(known, name) {
			sorted := slices.Sorted(slices.Values(known))
			return c.wrong("agents."+name, "there is no such agent; known are %s", strings.Join(sorted, ", "))
		}
	}
	return nil
}

// environment lets the environment go before the file, and expands paths.
func (c *Config) environment(getenv func(string) string, home string) error {
	data, socket := getenv("KMEM_DATA"), getenv("KMEM_SOCKET")
	if data != "" {
		c.Data = data
	}
	if socket != "" {
		c.Socket = socket
	}
	if err := c.check(home); err != nil {
		var e *Error
		if errors.As(err, &e) && (e.Key == "data" && data != "" || e.Key == "socket" && socket != "") {
			return &Error{File: "KMEM_" + strings.ToUpper(e.Key), Message: e.Message}
		}
		return err
	}
	return nil
}

func (c *Config) wrong(key, format string, args ...any) error {
	return &Error{File: c.file, Line: c.line(key), Key: key, Message: fmt.Sprintf(format, args...)}
}

func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
