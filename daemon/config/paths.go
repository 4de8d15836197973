package config

import (
	"path/filepath"
	"strings"
)

// Path returns the configuration file of a system ("linux", "darwin",
// "windows"): KMEM_CONFIG, else config.toml in the directory of [Dir].
func Path(getenv func(string) string, home, goos string) string {
	if p := getenv("KMEM_CONFIG"); p != "" {
		if rest, ok := strings.CutPrefix(p, "~/"); ok {
			return filepath.Join(home, rest)
		}
		return p
	}
	return filepath.Join(Dir(getenv, home, goos), "config.toml")
}

// RulesDir returns the directory of the user's own rules. It does not follow
// KMEM_CONFIG: rules stay where they are when another configuration is tried.
func RulesDir(getenv func(string) string, home, goos string) string {
	return filepath.Join(Dir(getenv, home, goos), "rules.d")
}

// Dir returns the directory of our configuration: kmem in XDG_CONFIG_HOME
// where that is set, else in the system's own place.
func Dir(getenv func(string) string, home, goos string) string {
	base := getenv("XDG_CONFIG_HOME")
	switch {
	case filepath.IsAbs(base):
	case goos == "darwin":
		base = filepath.Join(home, "Library", "Application Support")
	case goos == "windows":
		if base = getenv("APPDATA"); base == "" {
			base = filepath.Join(home, "AppData", "Roaming")
		}
	default:
		base = filepath.Join(home, ".config")
	}
	return filepath.Join(base, "kmem")
}
