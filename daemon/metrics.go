package daemon

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kmemd/kmemd/ipc/api"
)

// requests counts what was asked for.
type requests struct {
	// mu guards the field below.
	mu sync.Mutex
	of map[string]*tally
}

type tally struct {
	count, failed int64
	took          time.Duration
}

func (r *requests) observe(method string, took time.Duration, code int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[string]*tally{}
	}
	t := r.of[method]
	if t == nil {
		t = &tally{}
		r.of[method] = t
	}
	t.count++
	t.took += took
	if code != 0 {
		t.failed++
	}
}

// exposition is Prometheus text while it is written.
type exposition struct{ strings.Builder }

func (e *exposition) family(kind, name, help string, rows ...string) {
	fmt.Fprintf(e, "# HELP kmemd_%s %s\n# TYPE kmemd_%s %s\n", name, help, name, kind)
	for _, row := range rows {
		fmt.Fprintf(e, "kmemd_%s%s\n", name, row)
	}
}

// metricsText gives the daemon's figures as Prometheus text.
func (d *Daemon) metricsText(ctx context.Context, _ api.CwdParams) (api.MetricsResult, error) {
	s, err := d.status(ctx, api.None{})
	if err != nil {
		return api.MetricsResult{}, err
	}
	var e exposition
	var lag, sessions, last []string
	for _, src := range s.Sources {
		label := fmt.Sprintf("{agent=%q,directory=%q}", src.Agent, src.Directory)
		lag = append(lag, fmt.Sprintf("%s %g", label, float64(src.Lag)/1000))
		sessions = append(sessions, fmt.Sprintf("%s %d", label, src.Sessions))
		last = append(last, fmt.Sprintf("%s %g", label, float64(src.LastRecord)/1000))
	}
	e.family("gauge", "source_lag_seconds", "How long the oldest unread write has waited.", lag...)
	e.family("gauge", "source_sessions", "Transcripts known.", sessions...)
	e.family("gauge", "source_last_read_timestamp_seconds", "When something was last read.", last...)
	e.family("gauge", "stores_open", "Stores that are open.", fmt.Sprintf(" %d", s.Stores.Open))
	e.family("gauge", "stores", "Stores known.", fmt.Sprintf(" %d", s.Stores.Total))
	e.family("gauge", "stores_bytes", "Size of all stores on disk.", fmt.Sprintf(" %d", s.Stores.Bytes))
	e.family("gauge", "resident_bytes", "Resident memory.", fmt.Sprintf(" %d", s.Memory.Resident))
	e.family("gauge", "queue_files", "Transcripts with something unread or uncommitted.", fmt.Sprintf(" %d", s.Queue.Files))
	e.family("gauge", "uptime_seconds", "Time since the start.", fmt.Sprintf(" %g", float64(s.Uptime)/1000))
	d.requests.write(&e)
	return api.MetricsResult{Text: e.String()}, nil
}

func (r *requests) write(e *exposition) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var count, failed, took []string
	for _, method := range slices.Sorted(maps.Keys(r.of)) {
		t := r.of[method]
		label := fmt.Sprintf("{method=%q}", method)
		count = append(count, fmt.Sprintf("%s %d", label, t.count))
		failed = append(failed, fmt.Sprintf("%s %d", label, t.failed))
		took = append(took, fmt.Sprintf("%s %g", label, t.took.Seconds()))
	}
	e.family("counter", "requests_total", "Requests answered.", count...)
	e.family("counter", "requests_failed_total", "Requests answered with an error.", failed...)
	e.family("counter", "requests_seconds_total", "Time spent answering.", took...)
}
