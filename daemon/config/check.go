package config

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// The bounds of what makes sense.
const (
	maxTokens = 1_000_000
	maxCap    = 10_000
)

// check refuses impossible values and expands paths.
func (c *Config) check(home string) error {
	if err := c.checkPaths(home); err != nil {
		return err
	}
	for _, one := range []struct {
		key, value string
		allowed    []string
	}{
		{"scope", c.Scope, []string{ScopeRepository, ScopeDirectory}},
		{"log.level", c.Log.Level, []string{"debug", "info", "warn", "error"}},
		{"log.format", c.Log.Format, []string{"text", "json"}},
	} {
		if !slices.Contains(one.allowed, one.value) {
			return c.wrong(one.key, "%q is none of %s", one.value, strings.Join(one.allowed, ", "))
		}
	}
	for _, one := range []struct {
		key        string
		value, max int
	}{
		{"render.max_tokens", c.Render.MaxTokens, maxTokens},
		{"caps.tool_result", c.Caps.ToolResult, maxCap},
		{"caps.thinking", c.Caps.Thinking, maxCap},
		{"caps.low_signal", c.Caps.LowSignal, maxCap},
	} {
		if one.value < 1 || one.value > one.max {
			return c.wrong(one.key, "%d is not between 1 and %d", one.value, one.max)
		}
	}
	for _, one := range []struct {
		key   string
		value interface{ settle() error }
	}{
		{"retention.max_age", &c.Retention.MaxAge},
		{"retention.turns", &c.Retention.Turns},
		{"retention.max_bytes_per_project", &c.Retention.MaxBytesPerProject},
	} {
		if err := one.value.settle(); err != nil {
			return c.wrong(one.key, "%v", err)
		}
	}
	for _, pattern := range c.Redact.Allow {
		if _, err := regexp.Compile(pattern); err != nil {
			return c.wrong("redact.allow", "%v", err)
		}
	}
	return nil
}

func (c *Config) checkPaths(home string) error {
	paths := []struct {
		key   string
		value *string
		empty bool // may be empty
	}{
		{"data", &c.Data, false}, {"socket", &c.Socket, true}, {"log.file", &c.Log.File, true},
	}
	for _, p := range paths {
		if *p.value == "" && p.empty {
			continue
		}
		full, problem := absolute(*p.value, home)
		if problem != "" {
			return c.wrong(p.key, "%s", problem)
		}
		*p.value = full
	}
	for name, agent := range c.Agents {
		roots := make([]string, len(agent.Roots))
		for i, root := range agent.Roots {
			full, problem := absolute(root, home)
			if problem != "" {
				return c.wrong("agents."+name+".roots", "%s", problem)
			}
			roots[i] = full
		}
		agent.Roots = roots
		c.Agents[name] = agent
	}
	exclude := make([]string, len(c.Exclude))
	for i, pattern := range c.Exclude {
		full, problem := excluded(pattern, home)
		if problem != "" {
			return c.wrong("exclude", "%s", problem)
		}
		exclude[i] = full
	}
	c.Exclude = exclude
	return nil
}

// absolute expands ~ and cleans a path. What is wrong with it is a sentence.
func absolute(path, home string) (full, problem string) {
	full, problem = expand(path, home)
	if problem != "" {
		return "", problem
	}
	if strings.HasPrefix(full, `\\.\pipe\`) { // the name of a pipe: not to be cleaned
		return full, ""
	}
	if !filepath.IsAbs(full) {
		return "", `"` + path + `" is not absolute; begin with / or ~/`
	}
	return filepath.Clean(full), ""
}

// excluded expands ~ in a pattern and checks it. Patterns use slashes on every
// system.
func excluded(pattern, home string) (full, problem string) {
	full, problem = expand(pattern, home)
	if problem != "" {
		return "", problem
	}
	full = filepath.ToSlash(full)
	if !filepath.IsAbs(filepath.FromSlash(full)) && !strings.HasPrefix(full, "**/") {
		return "", `"` + pattern + `" is not absolute; begin with /, ~/ or **/`
	}
	if !doublestar.ValidatePattern(full) {
		return "", `"` + pattern + `" is not a pattern`
	}
	return full, ""
}

func expand(path, home string) (full, problem string) {
	switch {
	case strings.ContainsRune(path, 0):
		return "", "holds a NUL character"
	case path == "":
		return "", "is empty"
	case path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`):
		if home == "" {
			return "", "~ cannot be replaced: the home directory is not known"
		}
		return home + path[1:], ""
	case strings.HasPrefix(path, "~"):
		return "", `"` + path + `": only ~/ is replaced, not another user's ~`
	default:
		return path, ""
	}
}
