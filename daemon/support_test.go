package daemon_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kmemd/kmemd/daemon"
	"github.com/kmemd/kmemd/daemon/config"
)

// shared gives a folder of the design's material; the test is skipped where it
// is not there.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("KMEM_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	dir, err := filepath.Abs(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not there", name)
	}
	return dir
}

// machine is a home directory and a data directory of a test's own.
type machine struct {
	t    testing.TB
	home string
	data string
	now  int64
	env  map[string]string
	conf func(*config.Config)
}

// nowInTests is later than every record of the corpus: 2027-01-01.
const nowInTests = 1_798_761_600_000

func newMachine(t testing.TB) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, home: filepath.Join(dir, "home"), data: filepath.Join(dir, "data"), now: nowInTests, env: map[string]string{}}
	if err := os.MkdirAll(m.home, 0o700); err != nil {
		t.Fatal(err)
	}
	return m
}

// start opens the daemon; it is closed by the caller.
func (m *machine) start() *daemon.Daemon {
	m.t.Helper()
	c := config.Default(m.home)
	c.Data = m.data
	if m.conf != nil {
		m.conf(&c)
	}
	d, err := daemon.New(daemon.Options{
		Config: c, Home: m.home, Getenv: func(k string) string { return m.env[k] },
		Now: func() int64 { return m.now },
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return d
}

// read reads everything once and closes the daemon again.
func (m *machine) read() {
	m.t.Helper()
	d := m.start()
	if err := d.Ingest(m.t.Context(), nil, nil); err != nil {
		m.t.Error(err)
	}
	if err := d.Close(); err != nil {
		m.t.Error(err)
	}
}

// exported gives the whole memory as text: every project with all its entries.
func (m *machine) exported() string {
	m.t.Helper()
	d := m.start()
	defer d.Close()
	return export(m.t, d)
}

func export(t testing.TB, d *daemon.Daemon) string {
	t.Helper()
	projects, err := d.Projects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byCwd := map[string]string{}
	var order []string
	for _, p := range projects {
		entries, err := d.Export(t.Context(), p.Cwd)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range entries {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(line)
			b.WriteByte('\n')
		}
		byCwd[p.Cwd] = b.String()
		order = append(order, p.Cwd)
	}
	var b strings.Builder
	for _, cwd := range sorted(order) {
		b.WriteString("# " + cwd + "\n" + byCwd[cwd])
	}
	return b.String()
}

// put copies a file into the home directory.
func (m *machine) put(from, to string) {
	m.t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		m.t.Fatal(err)
	}
	m.write(to, data)
}

func (m *machine) write(name string, data []byte) {
	m.t.Helper()
	path := filepath.Join(m.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// files lists the regular files below a folder, relative to it.
func files(t testing.TB, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.Type().IsRegular() {
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			out = append(out, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func stampOf(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
