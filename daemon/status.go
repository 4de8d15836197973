package daemon

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/kmemd/kmemd/ingest"
	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ipc/api"
)

// status says how the daemon is and what it reads.
func (d *Daemon) status(context.Context, api.None) (api.StatusResult, error) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	stats := d.pool.Stats()
	out := api.StatusResult{
		Pid: os.Getpid(), Version: d.opts.Version, StartedAt: d.started.UnixMilli(), Uptime: time.Since(d.started).Milliseconds(),
		Socket: d.opts.Socket, Data: d.config().Data, Config: d.opts.ConfigFile, Paused: d.pool.Paused(),
		Sources:  []api.Source{},
		Stores:   api.Stores{Open: stats.Open, Total: stats.Stores, Bytes: stats.Bytes, Quarantined: stats.Quarantined},
		Memory:   api.Memory{Resident: resident(), Heap: int64(mem.HeapAlloc)},
		Queue:    api.Queue{Files: d.pipe.waiting()},
		Problems: []string{},
	}
	for _, r := range d.ingest.Status() {
		out.Sources = append(out.Sources, sourceOf(r))
		out.Queue.Files += r.Waiting
		if r.Polled > 0 && r.Reason != "" {
			out.Problems = append(out.Problems, fmt.Sprintf("%d folders of %s are polled, not watched: %s", r.Polled, r.Agent, r.Reason))
		}
	}
	out.Rules = d.rulesStatus()
	if msg := d.reloadErr.Load(); msg != nil {
		out.Problems = append(out.Problems, "the configuration or rules on disk are not in force: "+*msg)
	}
	for _, file := range slices.Sorted(maps.Keys(stats.Troubles)) {
		out.Problems = append(out.Problems, file+": "+stats.Troubles[file])
	}
	if stats.BadRows > 0 {
		out.Problems = append(out.Problems, fmt.Sprintf("%d damaged rows were met and left out; \"kmemctl rescan --full\" reads their transcripts again", stats.BadRows))
	}
	return out, nil
}

func (d *Daemon) rulesStatus() api.Rules {
	set := d.pipe.rules()
	out := api.Rules{Loaded: len(set.Rules()), Errors: []api.RuleError{}}
	for _, t := range set.Troubles() {
		out.Errors = append(out.Errors, api.RuleError{File: t.File, Rule: t.Rule, Reason: t.Error, Count: int(t.Failed), Off: t.Off})
	}
	return out
}

func sourceOf(r ingest.RootStatus) api.Source {
	s := api.Source{Agent: r.Agent, Directory: r.Dir, Sessions: r.Files, LastRecord: r.Read, Lag: r.Lag.Milliseconds(), State: r.State,
		Skipped: []api.Skip{}, Polled: []api.Polled{}}
	for _, k := range r.Skipped {
		s.Skipped = append(s.Skipped, api.Skip{Reason: k.Reason, Count: k.Count})
	}
	for _, f := range r.Failed {
		s.Skipped = append(s.Skipped, api.Skip{File: f.Path, Reason: f.Reason, Count: 1})
	}
	if r.Polled > 0 {
		s.Polled = append(s.Polled, api.Polled{Directory: r.Dir, Why: r.Reason})
	}
	return s
}

// agents lists every supported agent, where it looks and what it found.
func (d *Daemon) agents(context.Context, api.CwdParams) (api.AgentsResult, error) {
	byAgent := map[string][]ingest.RootStatus{}
	for _, r := range d.ingest.Status() {
		byAgent[r.Agent] = append(byAgent[r.Agent], r)
	}
	out := api.AgentsResult{Agents: []api.Agent{}}
	for _, a := range agents.All() {
		conf, stated := d.config().Agents[a.Name]
		info := api.Agent{Name: a.Name, Title: a.Title, Enabled: !stated || conf.Enabled == nil || *conf.Enabled, Directories: []api.AgentRoot{}}
		for _, r := range byAgent[a.Name] {
			_, err := os.Stat(r.Dir)
			info.Directories = append(info.Directories, api.AgentRoot{Directory: r.Dir, Exists: err == nil})
			info.Found = info.Found || err == nil
			info.Sessions += r.Files
			info.LastRecord = max(info.LastRecord, r.Read)
		}
		out.Agents = append(out.Agents, info)
	}
	return out, nil
}
