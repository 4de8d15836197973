package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version is set when a release is linked; else the build information tells.
var version string

// versionText is version, commit and Go version in one line.
func versionText() string {
	name, commit := version, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if name == "" {
			name = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				commit = " commit " + s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				commit += " (modified)"
			}
		}
	}
	if name == "" {
		name = "(devel)"
	}
	return fmt.Sprintf("%s%s %s %s/%s", name, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func printVersion(c *cli.Context) error {
	_, err := fmt.Fprintln(c.App.Writer, "kmemd "+versionText())
	return err
}
