package daemon_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/kmemd/kmemd/ipc/api"
)

// BenchmarkLive appends records to a transcript that a running daemon follows
// and waits until each is found by search. It reports the median and the
// longest time from the append to the hit.
func BenchmarkLive(b *testing.B) {
	m := newMachine(b)
	name := filepath.Join(".claude", "projects", "-home-ana-shop", "11111111-0000-4000-8000-000000000001.jsonl")
	m.write(name, []byte(line("u0", 1_780_000_000_000, "The first prompt of the shop")))
	d := m.start()
	ctx, stop := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx, nil) }()
	wait := func(text string) time.Duration {
		start := time.Now()
		for {
			found, err := d.Search(ctx, api.SearchParams{Cwd: "/home/ana/shop", Query: text})
			if err != nil {
				b.Fatal(err)
			}
			if len(found.Hits) > 0 && !found.Inexact {
				return time.Since(start)
			}
			time.Sleep(500 * time.Microsecond)
		}
	}
	wait("first prompt")
	f, err := os.OpenFile(filepath.Join(m.home, name), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		text := fmt.Sprintf("The prompt with number %06d", i)
		if _, err := f.WriteString(line(fmt.Sprintf("u-%d", i), 1_780_000_001_000+int64(i), text)); err != nil {
			b.Fatal(err)
		}
		took = append(took, wait(text))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
	f.Close()
	stop()
	if err := <-done; err != nil {
		b.Error(err)
	}
	if err := d.Close(); err != nil {
		b.Error(err)
	}
}
