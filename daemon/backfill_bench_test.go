package daemon_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkBackfill reads the corpus into empty stores. It reports the rate, and
// the processor time of the whole process as a ratio to a bare scan of the same
// lines, both from this run.
func BenchmarkBackfill(b *testing.B) {
	root := shared(b, "corpus/home")
	names := transcripts(files(b, root))
	var size int64
	m := newMachine(b)
	for _, n := range names {
		m.put(filepath.Join(root, n), n)
	}
	const scans = 20
	scan := processorTime(b, func() {
		for range scans {
			size = scanLines(b, m.home, names)
		}
	}) / scans
	b.SetBytes(size)
	var spent time.Duration
	for b.Loop() {
		m.data = filepath.Join(b.TempDir(), "data")
		spent += processorTime(b, m.read)
	}
	b.ReportMetric(float64(spent)/float64(b.N)/float64(scan), "cpu/scan")
}

// scanLines is the work that reading cannot do without.
func scanLines(b *testing.B, home string, names []string) (size int64) {
	buf := make([]byte, 1<<20)
	lines := 0
	for _, n := range names {
		f, err := os.Open(filepath.Join(home, n))
		if err != nil {
			b.Fatal(err)
		}
		for {
			n, err := f.Read(buf)
			size += int64(n)
			for rest := buf[:n]; ; lines++ {
				i := bytes.IndexByte(rest, '\n')
				if i < 0 {
					break
				}
				rest = rest[i+1:]
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		f.Close()
	}
	if lines == 0 {
		b.Skip("no lines")
	}
	return size
}
