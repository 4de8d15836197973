package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var ignorePlaces = cmpopts.IgnoreUnexported(Config{}, Duration{}, Size{})

const home = "/home/ana"

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	want := Config{
		Data: "/home/ana/.kdeps/memory", Scope: "repository", Agents: map[string]Agent{}, Exclude: []string{},
		Redact: Redact{Enabled: true}, Render: Render{MaxTokens: 2000},
		Retention: Retention{MaxBytesPerProject: Size{Bytes: 256 << 20}},
		Log:       Log{Level: "info", Format: "text"}, Caps: Caps{20, 20, 50},
	}
	for name, path := range map[string]string{
		"missing": filepath.Join(t.TempDir(), "no", "config.toml"), "empty": write(t, ""), "comments": write(t, "\ufeff# nothing\n\n"),
	} {
		got, err := Load(path, env(), home)
		if diff := cmp.Diff(want, got, ignorePlaces); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
		if got.File() != path {
			t.Errorf("%s: file %s, want %s", name, got.File(), path)
		}
	}
}

func TestWholeFile(t *testing.T) {
	t.Parallel()
	path := write(t, `
data  = "~/mem"
socket = "/run/kmem.sock"
scope = "directory"
exclude = ["~/clients/**", "**/secret/*"]

[agents.claude-code]
roots = ["~/.claude", "/srv/claude/"]
[agents.gemini]
enabled = false

[redact]
enabled = false
allow   = ["EXAMPLE_[A-Z]+"]

[render]
max_tokens = 500

[retention]
max_age = "2y"
turns = "365d"
max_bytes_per_project = "1.5GiB"

[log]
level = "debug"
format = "json"
file = "~/log/kmemd.log"

[caps]
tool_result = 1
thinking = 2
low_signal = 3
`)
	off := false
	want := Config{
		Data: "/home/ana/mem", Socket: "/run/kmem.sock", Scope: "directory",
		Exclude: []string{"/home/ana/clients/**", "**/secret/*"},
		Agents: map[string]Agent{
			"claude-code": {Roots: []string{"/home/ana/.claude", "/srv/claude"}},
			"gemini":      {Enabled: &off, Roots: []string{}},
		},
		Redact: Redact{Allow: []string{"EXAMPLE_[A-Z]+"}}, Render: Render{500},
		Retention: Retention{MaxAge: Duration{Duration: 2 * 365 * 24 * time.Hour}, Turns: Duration{Duration: 365 * 24 * time.Hour}, MaxBytesPerProject: Size{Bytes: 3 << 29}},
		Log:       Log{"debug", "json", "/home/ana/log/kmemd.log"}, Caps: Caps{1, 2, 3},
	}
	got, err := Load(path, env(), home)
	if diff := cmp.Diff(want, got, ignorePlaces); err != nil || diff != "" {
		t.Fatalf("%v (-want +got):\n%s", err, diff)
	}
	if !got.Agents["claude-code"].On() || got.Agents["gemini"].On() || !got.Agents["codex"].On() {
		t.Error("which agents are on is wrong")
	}
	err = got.CheckAgents([]string{"codex", "claude-code"})
	if want := path + ":9: agents.gemini: there is no such agent; known are claude-code, codex"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := got.CheckAgents([]string{"gemini", "claude-code"}); err != nil {
		t.Error(err)
	}
}

func TestWrong(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		line int
		key  string
		want string // in the message
	}{
		{"dta = 'x'", 1, "dta", "unknown key"},
		{"\n[render]\nmax_token = 1", 3, "render.max_token", "unknown key"},
		{"[renderer]\nmax_tokens = 1", 1, "renderer", "unknown key"},
		{"[agents.codex]\nroot = '/x'", 2, "agents.codex.root", "unknown key"},
		{"data = 3", 1, "data", "wrong type: must be a string"},
		{"exclude = '~/x'", 1, "exclude", "wrong type: must be a list of strings"},
		{"exclude = [1]", 1, "exclude", "wrong type: must be a list of strings"},
		{"[agents]\ncodex = 3", 2, "agents.codex", "wrong type: must be a table"},
		{"[agents.codex]\nenabled = 'no'", 2, "agents.codex.enabled", "wrong type: must be true or false"},
		{"render = 3", 1, "render", "wrong type: must be a table"},
		{"[[render]]", 1, "render", "wrong type: must be a table"},
		{"[render]\n\nmax_tokens = 1.5", 3, "render.max_tokens", "wrong type: must be a whole number"},
		{"[render]\nmax_tokens = 0", 2, "render.max_tokens", "0 is not between 1 and 1000000"},
		{"render = {max_tokens = -1}", 1, "render.max_tokens", "-1 is not between"},
		{"[render]\nmax_tokens = 99999999999999999999", 2, "render.max_tokens", "too large"},
		{"[retention]\nmax_age = 365", 2, "retention.max_age", `"365" is no time span`},
		{"[retention]\nmax_age = true", 2, "retention.max_age", `"true" is no time span`},
		{"[retention]\nmax_age = ''", 2, "retention.max_age", `"" is no time span`},
		{"[retention]\nmax_age = 'soon'", 2, "retention.max_age", `"soon" is no time span`},
		{"[retention]\nmax_bytes_per_project = 'big'", 2, "retention.max_bytes_per_project", `"big" is no size`},
		{"scope = 'planet'", 1, "scope", `"planet" is none of repository, directory`},
		{"[log]\nlevel = 'loud'", 2, "log.level", "none of debug, info, warn, error"},
		{"[log]\nformat = 'xml'", 2, "log.format", "none of text, json"},
		{"[log]\nfile = 'kmemd.log'", 2, "log.file", "is not absolute"},
		{"data = ''", 1, "data", "is empty"},
		{"data = 'mem'", 1, "data", `"mem" is not absolute`},
		{"data = '~bob/mem'", 1, "data", "another user's"},
		{`data = "/a\u0000b"`, 1, "data", "NUL"},
		{"exclude = ['clients/**']", 1, "exclude", "is not absolute"},
		{"exclude = ['/x/[']", 1, "exclude", "is not a pattern"},
		{"[redact]\nallow = ['(']", 2, "redact.allow", "missing closing )"},
		{"[caps]\nthinking = -1", 2, "caps.thinking", "not between 1 and"},
		{"data = '/a'\ndata = '/b'", 2, "data", "already defined"},
		{"a\nb = [", 1, "", "expected"},
		{"x = 'unfinished", 1, "", ""},
		{"\xff\xfe", 1, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.key+" "+tt.want, func(t *testing.T) {
			t.Parallel()
			path := write(t, tt.text)
			_, err := Load(path, env(), home)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: got %v, want an Error", tt.text, err)
			}
			if e.File != path || e.Line != tt.line || e.Key != tt.key && tt.key != "" || !strings.Contains(e.Message, tt.want) {
				t.Errorf("%q: got %v, want line %d, key %q, %q", tt.text, e, tt.line, tt.key, tt.want)
			}
			if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "struct") {
				t.Errorf("%q: not a line for people: %v", tt.text, err)
			}
			if c := Fallback(env("KMEM_DATA", "/d"), home); c.Data != "/d" {
				t.Errorf("fallback data %s, want /d", c.Data)
			}
		})
	}
}

func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := Load(dir, env(), home)
	if err == nil || !strings.Contains(err.Error(), dir+": cannot be read") {
		t.Errorf("got %v", err)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	path := write(t, "data = '/file'\nsocket = '/file.sock'")
	got, err := Load(path, env("KMEM_DATA", "~/env", "KMEM_SOCKET", "/env.sock"), home)
	if err != nil || got.Data != "/home/ana/env" || got.Socket != "/env.sock" {
		t.Errorf("got %s, %s, %v", got.Data, got.Socket, err)
	}
	_, err = Load(path, env("KMEM_DATA", "env"), home)
	if want := `KMEM_DATA: "env" is not absolute; begin with / or ~/`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	got, err = Load("", env("KMEM_CONFIG", path), home)
	if err != nil || got.Data != "/file" {
		t.Errorf("got %s, %v", got.Data, err)
	}
	if c := Fallback(env("KMEM_DATA", "env"), home); c.Data != "/home/ana/.kdeps/memory" {
		t.Errorf("fallback data %s", c.Data)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, goos string
		env        func(string) string
		want       string
	}{
		{"linux", "linux", env(), "/home/ana/.config/kmem/config.toml"},
		{"xdg", "linux", env("XDG_CONFIG_HOME", "/cfg"), "/cfg/kmem/config.toml"},
		{"relative xdg", "linux", env("XDG_CONFIG_HOME", "cfg"), "/home/ana/.config/kmem/config.toml"},
		{"mac", "darwin", env(), "/home/ana/Library/Application Support/kmem/config.toml"},
		{"windows", "windows", env("APPDATA", "/roaming"), "/roaming/kmem/config.toml"},
		{"windows without", "windows", env(), "/home/ana/AppData/Roaming/kmem/config.toml"},
		{"named", "linux", env("KMEM_CONFIG", "/x/y.toml"), "/x/y.toml"},
		{"named at home", "linux", env("KMEM_CONFIG", "~/y.toml"), "/home/ana/y.toml"},
	}
	for _, tt := range tests {
		if got := Path(tt.env, home, tt.goos); filepath.ToSlash(got) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := RulesDir(env("KMEM_CONFIG", "/x/y.toml"), home, "linux"); got != "/home/ana/.config/kmem/rules.d" {
		t.Errorf("rules in %s", got)
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	durations := map[string]time.Duration{
		"0": 0, "365d": 365 * 24 * time.Hour, "1.5d": 36 * time.Hour, "2w": 14 * 24 * time.Hour, "1y": 365 * 24 * time.Hour,
		"90m": 90 * time.Minute, "1h30m": 90 * time.Minute,
		"": -1, "d": -1, "-1d": -1, "-1h": -1, "5": -1, "1e300y": -1, "NaNd": -1, "infd": -1, "1 d": -1,
	}
	for s, want := range durations {
		got, err := ParseDuration(s)
		if want < 0 && err == nil || want >= 0 && (err != nil || got != want) {
			t.Errorf("%q: got %v, %v, want %v", s, got, err, want)
		}
	}
	sizes := map[string]int64{
		"0": 0, "4096": 4096, "10B": 10, "1KB": 1000, "1KiB": 1024, "1k": 1024, "256MiB": 256 << 20, "1.5 GB": 1_500_000_000, "1tib": 1 << 40,
		"": -1, "MiB": -1, "-1": -1, "1iB": -1, "1MBK": -1, "x1": -1, "1e30": -1, "nan": -1, "1bb": -1,
	}
	for s, want := range sizes {
		got, err := ParseSize(s)
		if want < 0 && err == nil || want >= 0 && (err != nil || got != want) {
			t.Errorf("%q: got %v, %v, want %v", s, got, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("data = '/a'\n[render]\nmax_tokens = 3"))
	f.Add([]byte("[agents.x]\nroots = ['~/a']\n[retention]\nturns = '1d'"))
	f.Add([]byte("a.b.c = {d = [1, 2]}\n[[x]]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Default(home)
		err := c.decode(data)
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v is no Error", err)
		}
		if err == nil {
			err = c.check(home)
		}
		if err == nil && (!filepath.IsAbs(c.Data) || c.Render.MaxTokens < 1) {
			t.Fatalf("an impossible value passed: %+v", c)
		}
	})
}
