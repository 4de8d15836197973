package main

import (
	"context"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

func testApp() *cli.App {
	none := func(string) string { return "" }
	return newApp(&ctl{ctx: context.Background(), out: newOut(io.Discard, io.Discard, none), getenv: none})
}

// A line can be read before its command is known only while an option's name
// has one form.
func TestOptionsHaveOneForm(t *testing.T) {
	t.Parallel()
	app := testApp()
	every := optionsOf(app.Flags)
	var walk func(cs []*cli.Command)
	walk = func(cs []*cli.Command) {
		for _, c := range cs {
			for name, info := range optionsOf(c.Flags) {
				if known, ok := every[name]; ok && known != info {
					t.Errorf("--%s of %s takes a value here and none there", name, c.Name)
				}
				every[name] = info
			}
			walk(c.Subcommands)
		}
	}
	walk(app.Commands)
}

func TestArrange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   []string
		want []string
	}{
		{"nothing", nil, []string{"--"}},
		{"as it should be", []string{"--json", "get", "--namespace", "n", "k"}, []string{"--json", "get", "--namespace=n", "--", "k"}},
		{"the wrong way round", []string{"--namespace", "n", "get", "k", "--json"}, []string{"--json", "get", "--namespace=n", "--", "k"}},
		{"a value that looks like an option", []string{"render", "--prompt", "--json"}, []string{"render", "--prompt=--json", "--"}},
		{"a value with an equals sign", []string{"render", "--prompt=a=b\nc"}, []string{"render", "--prompt=a=b\nc", "--"}},
		{"the end of options", []string{"save", "k", "--", "--json", "--"}, []string{"save", "--", "k", "--json", "--"}},
		{"dashes that are none", []string{"save", "k", "-", "-5", "- x", "---", "--a b"}, []string{"save", "--", "k", "-", "-5", "- x", "---", "--a b"}},
		{"one dash", []string{"-json", "get", "k"}, []string{"-json", "get", "--", "k"}},
		{"short", []string{"log", "-f"}, []string{"log", "-f", "--"}},
		{"a command's command", []string{"session", "--agent", "x", "config"}, []string{"session", "config", "--agent=x", "--"}},
		{"help", []string{"help", "session", "config", "--json"}, []string{"--json", "session", "config", "--help"}},
		{"help behind", []string{"get", "k", "-h"}, []string{"get", "--help"}},
		{"a key called help", []string{"get", "help"}, []string{"get", "--", "help"}},
	}
	for _, tt := range tests {
		got, err := arrange(testApp(), append([]string{"kmemctl"}, tt.in...))
		if diff := cmp.Diff(append([]string{"kmemctl"}, tt.want...), got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

func FuzzArrange(f *testing.F) {
	f.Add("get", "--json", "k")
	f.Add("--limit", "--", "help")
	f.Add("-", "--=", "---x")
	app := testApp()
	f.Fuzz(func(t *testing.T, a, b, c string) {
		got, err := arrange(app, []string{"kmemctl", a, b, c})
		if err == nil && len(got) > 6 {
			t.Fatalf("%q: words were added", got)
		}
	})
}

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	known := []string{"list", "log", "search", "sessions", "session", "status", "export"}
	for word, want := range map[string]string{
		"lsit": "list", "serach": "search", "LIST": "list", "stat": "status", "sesions": "sessions", "exp": "export",
		"frobnicate": "", "x": "", "": "",
	} {
		got := didYouMean(word, "--", known)
		if want != "" {
			want = `. Did you mean "--` + want + `"?`
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
