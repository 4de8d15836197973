package ingest

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ingest/event"
)

// corpusFiles lists the transcripts of one agent in the shared corpus.
func corpusFiles(b *testing.B, agent agents.Agent, home string) (files []string, root string, size int64) {
	for _, root = range agent.Roots(agents.Env{Home: home, OS: "linux"}) {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && agent.Match(root, strings.TrimPrefix(path, root+"/")) {
				info, err := d.Info()
				if err == nil {
					files, size = append(files, path), size+info.Size()
				}
			}
			return nil
		})
	}
	if len(files) == 0 {
		b.Skip("no corpus")
	}
	return files, root, size
}

// scanLines is the bare work that reading cannot do without.
func scanLines(b *testing.B, files []string, buf []byte) (lines int) {
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		for {
			n, err := f.Read(buf)
			for rest := buf[:n]; ; {
				i := bytes.IndexByte(rest, '\n')
				if i < 0 {
					break
				}
				lines++
				rest = rest[i+1:]
			}
			if err != nil {
				break
			}
		}
		f.Close()
	}
	return lines
}

// BenchmarkCorpus reads the shared corpus through the whole package and
// reports its speed and its time as a multiple of a bare scan for newlines.
func BenchmarkCorpus(b *testing.B) {
	home := filepath.Join(shared(b), "corpus", "home")
	for _, agent := range agents.All() {
		b.Run(agent.Name, func(b *testing.B) {
			files, _, size := corpusFiles(b, agent, home)
			buf := make([]byte, windowSize)
			b.SetBytes(size)
			b.ReportAllocs()
			var bare, whole time.Duration
			for b.Loop() {
				start := time.Now()
				scanLines(b, files, buf)
				bare += time.Since(start)
				start = time.Now()
				in := New(discard{}, Options{Agents: []agents.Agent{agent}, Env: agents.Env{Home: home, OS: "linux"}, Workers: 1})
				if err := in.Once(context.Background(), nil, nil); err != nil {
					b.Fatal(err)
				}
				whole += time.Since(start)
			}
			b.ReportMetric(float64(whole)/float64(bare), "x-bare-scan")
			b.ReportMetric(float64(size)*float64(b.N)/whole.Seconds()/1e6, "MB/s-read")
		})
	}
}

// BenchmarkDecode decodes the same files from memory.
func BenchmarkDecode(b *testing.B) {
	home := filepath.Join(shared(b), "corpus", "home")
	for _, agent := range agents.All() {
		b.Run(agent.Name, func(b *testing.B) {
			files, root, size := corpusFiles(b, agent, home)
			contents := make([][]byte, len(files))
			for i, path := range files {
				var err error
				if contents[i], err = os.ReadFile(path); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(size)
			b.ReportAllocs()
			var events []event.Event
			for b.Loop() {
				for i, content := range contents {
					d, err := agent.Open(agents.File{Root: root, Path: files[i]}, nil)
					if err != nil {
						b.Fatal(err)
					}
					for line := range bytes.Lines(content) {
						events, _ = d.Decode(events[:0], bytes.TrimRight(line, "\n"), 0, 0)
					}
				}
			}
		})
	}
}

// discard is a sink that keeps nothing.
type discard struct{}

func (discard) Resume(Source) (Cursor, bool)      { return Cursor{}, false }
func (discard) Take(context.Context, Chunk) error { return nil }
