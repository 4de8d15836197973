package store

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

// backfill returns passes as a first reading gives them: 300 transcripts of 60
// directories, 100 rows each.
func backfill() (passes []Pass, net int64) {
	for n := range 300 {
		session := fmt.Sprintf("0b5c1f52-3a44-4c5e-9d4e-%012d", n)
		dir := fmt.Sprintf("/home/ana/work/p%02d", n%60)
		ps := pass(session, dir, 1<<20)
		d := ps.Deltas[dir]
		for i := range 60 {
			key := fmt.Sprintf("result:turn_%d_of_%d", i, n)
			value := strings.Repeat(fmt.Sprintf("line %d of session %d; ", i, n), 10)
			w := marker(session, int64(1_000_000+n*1000+i), key, value)
			w.Record = fmt.Sprintf("1b5c1f52-3a44-4c5e-%04d-%012d", i, n)
			w.Turn, w.Parents = w.Record, []string{"prompt:x"}
			d.Writes = append(d.Writes, w)
			net += int64(len(key) + len(value))
		}
		for i := range 40 {
			d.Calls = append(d.Calls, fact.Call{
				Stamp: d.Writes[i].Stamp, Record: d.Writes[i].Record + "#1", Name: "Bash", Args: "go test ./...", Result: strings.Repeat("ok ", 40),
			})
			net += 130
		}
		passes = append(passes, ps)
	}
	return passes, net
}

// BenchmarkBackfill commits 30,000 rows of 300 transcripts in batches of 16.
func BenchmarkBackfill(b *testing.B) {
	passes, net := backfill()
	b.ReportAllocs()
	var disk int64
	for b.Loop() {
		p, err := OpenPool(b.TempDir(), Options{Home: "/home/nobody"})
		if err != nil {
			b.Fatal(err)
		}
		for at := 0; at < len(passes); at += 16 {
			if err := p.Commit(b.Context(), passes[at:min(at+16, len(passes))]); err != nil {
				b.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
		disk = 0
		_ = filepath.WalkDir(p.data, func(_ string, d fs.DirEntry, _ error) error {
			if info, err := d.Info(); err == nil && !d.IsDir() {
				disk += info.Size()
			}
			return nil
		})
	}
	b.ReportMetric(float64(disk)/float64(net), "disk/net")
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/30_000, "ns/row")
}

// BenchmarkLiveTurn commits one turn to a store that holds many, and looks at it.
func BenchmarkLiveTurn(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p, err := OpenPool(b.TempDir(), Options{Home: "/home/nobody"})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			for at := 0; at < n; at += 100 {
				ps := pass(fmt.Sprintf("s%d", at), shop, 1)
				for i := range 100 {
					ps.Deltas[shop].Writes = append(ps.Deltas[shop].Writes, marker(fmt.Sprintf("s%d", at), int64(at+i), fmt.Sprintf("result:%d", at+i), "value"))
				}
				if err := p.Commit(b.Context(), []Pass{ps}); err != nil {
					b.Fatal(err)
				}
			}
			i := 0
			for b.Loop() {
				i++
				ps := pass("live", shop, int64(i+1))
				for k := range 8 {
					ps.Deltas[shop].Writes = append(ps.Deltas[shop].Writes, marker("live", int64(i*10+k), fmt.Sprintf("result:live%d", i*8+k), "value"))
				}
				if err := p.Commit(b.Context(), []Pass{ps}); err != nil {
					b.Fatal(err)
				}
				if _, err := p.View(b.Context(), shop); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
