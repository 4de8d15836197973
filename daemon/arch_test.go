package daemon_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/kmemd/kmemd"

// layers is the architecture: which packages of the module each package may
// import. A package that is not here, or an import that is not, fails.
var layers = map[string][]string{
	"ingest/event":  {},
	"ingest/scan":   {},
	"ingest/agents": {"ingest/event", "ingest/scan"},
	"ingest":        {"ingest/agents", "ingest/event", "ingest/scan"},

	"store/fact":  {},
	"store/merge": {"store/fact"},
	"store/index": {"store/fact"},
	"store":       {"store/fact", "store/merge"},

	"rules/lang":   {},
	"rules/shell":  {"store/fact"},
	"rules/redact": {},
	"rules/query":  {"store/fact"},
	"rules":        {"ingest/event", "store/fact", "rules/lang", "rules/shell"},

	"render/graph": {"store/fact"},
	"render":       {"store/fact", "render/graph"},

	"ipc":           {},
	"ipc/api":       {"store/fact"},
	"daemon/config": {},
	"service":       {},

	"daemon": {"daemon/config", "ingest", "ingest/agents", "ingest/event", "ipc", "ipc/api", "render", "render/graph",
		"rules", "rules/lang", "rules/query", "rules/redact", "store", "store/fact", "store/index", "store/merge"},

	"cmd/kmemd":   {"daemon", "daemon/config", "ingest", "ipc", "ipc/api", "service", "store"},
	"cmd/kmemctl": {"daemon/config", "ipc", "ipc/api", "store/fact"},
}

// homes says which packages may import an outside module.
var homes = map[string][]string{
	"github.com/Microsoft/go-winio": {"ipc"},
	"github.com/bmatcuk/doublestar": {"daemon", "daemon/config", "ingest", "store"},
	"github.com/expr-lang/expr":     {"rules", "rules/query"},
	"github.com/fsnotify/fsnotify":  {"ingest"},
	"github.com/kardianos/service":  {"service"},
	"github.com/klauspost/compress": {"ingest"},
	"github.com/lmittmann/tint":     {"cmd/kmemd"},
	"github.com/pelletier/go-toml":  {"daemon/config", "rules"},
	"github.com/rivo/uniseg":        {"rules/lang", "render"},
	"github.com/urfave/cli":         {"cmd/kmemd", "cmd/kmemctl"},
	"go.etcd.io/bbolt":              {"store"},
	"golang.org/x/sync":             {"daemon", "ingest"},
	"golang.org/x/sys":              {"ipc", "ingest", "store", "service"},
	"golang.org/x/term":             {"cmd/kmemd", "cmd/kmemctl"},
	"golang.org/x/text":             {"rules/lang", "store/index"},
	"mvdan.cc/sh":                   {"rules/shell"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func TestLayers(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, modulePath+"/")
		allowed, known := layers[name]
		if !known {
			t.Errorf("package %s is not in the architecture", name)
			continue
		}
		for _, imp := range p.Imports {
			if own, ok := strings.CutPrefix(imp, modulePath+"/"); ok {
				if !slices.Contains(allowed, own) {
					t.Errorf("%s must not import %s", name, own)
				}
				continue
			}
			if !strings.Contains(strings.Split(imp, "/")[0], ".") {
				continue
			}
			if !atHome(imp, name) {
				t.Errorf("%s must not import %s: that dependency lives elsewhere", name, imp)
			}
		}
	}
}

func atHome(imp, name string) bool {
	for module, where := range homes {
		if imp == module || strings.HasPrefix(imp, module+"/") {
			return slices.Contains(where, name)
		}
	}
	return false
}

// TestNoTCP keeps the daemon and its client free of HTTP.
func TestNoTCP(t *testing.T) {
	t.Parallel()
	for _, cmd := range []string{"./cmd/kmemd", "./cmd/kmemctl"} {
		out, err := run(t, "list", "-deps", cmd)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(strings.Fields(out), "net/http") {
			t.Errorf("%s links net/http", cmd)
		}
	}
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := run(t, "list", "-json=ImportPath,Imports", "./...")
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	dec := json.NewDecoder(strings.NewReader(out))
	for {
		var p listed
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = ".."
	out, err := cmd.Output()
	return string(out), err
}
