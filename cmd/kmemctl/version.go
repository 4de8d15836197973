package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version is set when a release is linked; else the build information tells.
var version string

func versionCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print version, commit and Go version", Category: groupDaemon,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			return printVersion(k)
		},
	}
}

func printVersion(k *ctl) error {
	v := struct {
		Version  string `json:"version"`
		Commit   string `json:"commit,omitempty"`
		Modified bool   `json:"modified,omitempty"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if v.Version == "" {
			v.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value[:min(12, len(s.Value))]
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	if v.Version == "" {
		v.Version = "(devel)"
	}
	if k.out.json {
		k.out.document(v)
		return nil
	}
	line := "kmemctl " + v.Version
	if v.Commit != "" {
		line += " commit " + v.Commit
	}
	if v.Modified {
		line += " (modified)"
	}
	k.out.line(fmt.Sprintf("%s %s %s", line, v.Go, v.Platform))
	return nil
}
