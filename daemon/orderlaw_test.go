package daemon_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/kmemd/kmemd/ipc/api"
)

func sorted(list []string) []string {
	sort.Strings(list)
	return list
}

// The order law: what is remembered is a function of the set of records and
// calls. Each trial reads the same files shuffled, in pieces cut anywhere, with
// parts read again, restarts and deletes in between, and compares the export
// byte for byte with that of one plain reading.

func TestOrderLawOnFixtures(t *testing.T) {
	t.Parallel()
	orderLaw(t, filepath.Join("..", "testdata", "transcripts", "home"), 6, 1)
}

func TestOrderLawOnCorpus(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	orderLaw(t, shared(t, "corpus/home"), 2, 4)
}

func TestOrderLawOnGeneratedSessions(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			generate(t, root, rand.New(rand.NewPCG(seed, 7)))
			orderLaw(t, root, 3, 1)
		})
	}
}

// orderLaw runs trials over the transcripts below root. Only every n-th file of
// a trial is cut into pieces, so that a big corpus stays affordable.
func orderLaw(t *testing.T, root string, trials, every int) {
	names := transcripts(files(t, root))
	if len(names) == 0 {
		t.Skip("no transcripts")
	}
	deletes := chooseDeletes(t, root, names)
	want := oneReading(t, root, names, deletes)
	for trial := range trials {
		seed := uint64(trial)*1000 + 17
		got := shuffled(t, root, names, deletes, rand.New(rand.NewPCG(seed, 3)), every)
		if got != want {
			t.Fatalf("trial with seed %d differs:\n%s", seed, firstDifference(want, got))
		}
	}
}

func transcripts(names []string) []string {
	var out []string
	for _, n := range names {
		if strings.HasSuffix(n, ".jsonl") && (strings.HasPrefix(n, ".claude/") || strings.HasPrefix(n, ".codex/")) {
			out = append(out, n)
		}
	}
	return out
}

// fixedTime is the modification time of every file, so that records without a
// time of their own get the same one in every trial.
var fixedTime = time.UnixMilli(1_790_000_000_000)

// deletion is a delete at a fixed time.
type deletion struct {
	cwd, key string
	at       int64
}

// chooseDeletes takes some keys of a plain reading, to be deleted at times in
// the middle and at the end of what was read.
func chooseDeletes(t *testing.T, root string, names []string) []deletion {
	m := newMachine(t)
	for _, n := range names {
		m.put(filepath.Join(root, n), n)
		m.stamp(n)
	}
	m.read()
	d := m.start()
	defer d.Close()
	projects, err := d.Projects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []deletion
	for _, p := range projects {
		entries, err := d.Export(t.Context(), p.Cwd)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range entries {
			if i%9 == 4 && len(out) < 40 {
				out = append(out, deletion{p.Cwd, e.Key, nowInTests})
			}
		}
	}
	return out
}

func (m *machine) stamp(name string) {
	if err := os.Chtimes(filepath.Join(m.home, name), fixedTime, fixedTime); err != nil {
		m.t.Fatal(err)
	}
}

// forget carries out the deletes whose keys exist and gives those that are left:
// a key that is not there yet cannot be deleted.
func (m *machine) forget(list []deletion) []deletion {
	m.t.Helper()
	if len(list) == 0 {
		return nil
	}
	d := m.start()
	defer d.Close()
	var left []deletion
	for _, del := range list {
		m.now = del.at
		done, err := d.Forget(m.t.Context(), api.ForgetParams{Cwd: del.cwd, Keys: []string{del.key}})
		m.now = nowInTests
		if err != nil {
			m.t.Fatal(err)
		}
		if done.Forgotten == 0 {
			left = append(left, del)
		}
	}
	return left
}

func oneReading(t *testing.T, root string, names []string, deletes []deletion) string {
	m := newMachine(t)
	for _, n := range names {
		m.put(filepath.Join(root, n), n)
		m.stamp(n)
	}
	m.read()
	m.forget(deletes)
	return m.normal(m.exported())
}

// normal takes the trial's own directory out of an export.
func (m *machine) normal(text string) string { return strings.ReplaceAll(text, m.home, "HOME") }

// shuffled reads the files in another order and in pieces.
func shuffled(t *testing.T, root string, names []string, deletes []deletion, r *rand.Rand, every int) string {
	m := newMachine(t)
	left := map[string][][]byte{}
	var steps []string
	for i, n := range names {
		data, err := os.ReadFile(filepath.Join(root, n))
		if err != nil {
			t.Fatal(err)
		}
		left[n] = pieces(data, r, (i+int(r.Uint64()%uint64(every)))%every == 0)
		for range left[n] {
			steps = append(steps, n)
		}
	}
	r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	pending := slices.Clone(deletes)
	have := map[string][]byte{}
	for i, n := range steps {
		have[n] = append(have[n], left[n][0]...)
		left[n] = left[n][1:]
		m.write(n, have[n])
		m.stamp(n)
		// Several steps go into one reading; each reading is a fresh process.
		if r.IntN(4) != 0 && i+1 < len(steps) {
			continue
		}
		m.read()
		if len(pending) > 0 && r.IntN(3) == 0 {
			pending = append(m.forget(pending[:1]), pending[1:]...)
		}
	}
	m.read()
	if left := m.forget(pending); len(left) > 0 {
		t.Errorf("deletes that found nothing: %v", left)
	}
	if r.IntN(2) == 0 {
		m.again()
	}
	return m.normal(m.exported())
}

// again reads every file from its beginning once more.
func (m *machine) again() {
	d := m.start()
	defer d.Close()
	if _, err := d.Rescan(m.t.Context(), api.RescanParams{Full: true}); err != nil {
		m.t.Fatal(err)
	}
	if err := d.Ingest(m.t.Context(), nil, nil); err != nil {
		m.t.Fatal(err)
	}
}

func pieces(data []byte, r *rand.Rand, cut bool) [][]byte {
	if !cut || len(data) < 2 {
		return [][]byte{data}
	}
	at := []int{0, len(data)}
	for range 1 + r.IntN(3) {
		at = append(at, r.IntN(len(data)))
	}
	sort.Ints(at)
	var out [][]byte
	for i := 1; i < len(at); i++ {
		if at[i] > at[i-1] {
			out = append(out, data[at[i-1]:at[i]])
		}
	}
	return out
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	var b strings.Builder
	shown := 0
	inWant, inGot := map[string]bool{}, map[string]bool{}
	for _, l := range w {
		inWant[l] = true
	}
	for _, l := range g {
		inGot[l] = true
	}
	for _, l := range w {
		if !inGot[l] && shown < 6 {
			fmt.Fprintf(&b, "- %s\n", l)
			shown++
		}
	}
	for _, l := range g {
		if !inWant[l] && shown < 12 {
			fmt.Fprintf(&b, "+ %s\n", l)
			shown++
		}
	}
	return b.String()
}
