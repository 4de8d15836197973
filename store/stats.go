package store

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
)

// A ProjectInfo describes one project.
type ProjectInfo struct {
	Cwd         string   // its root directory
	Directories []string // those that have stores, sorted
	Entries     int
	Bytes       int64 // of its files
	UpdatedAt   int64 // Unix milliseconds of the newest entry, 0 without any
}

// Projects describes all projects that have stores, the newest first.
func (p *Pool) Projects(ctx context.Context) ([]ProjectInfo, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	var out []ProjectInfo
	for id, dirs := range p.allProjects() {
		info := ProjectInfo{Cwd: p.rootOf(id), Directories: dirs}
		for _, dir := range dirs {
			if stat, err := os.Stat(storePath(p.data, dir)); err == nil {
				info.Bytes += stat.Size()
			}
		}
		v, err := p.viewOf(ctx, id)
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			p.trouble(id, err)
			out = append(out, info)
			continue
		}
		info.Entries = len(v.Facts)
		for i := range v.Facts {
			info.UpdatedAt = max(info.UpdatedAt, v.Facts[i].UpdatedAt)
		}
		out = append(out, info)
	}
	slices.SortFunc(out, func(a, b ProjectInfo) int {
		if a.UpdatedAt != b.UpdatedAt {
			return int(min(1, max(-1, b.UpdatedAt-a.UpdatedAt)))
		}
		return strings.Compare(a.Cwd, b.Cwd)
	})
	return out, nil
}

// allProjects returns the directories with stores by project.
func (p *Pool) allProjects() map[string][]string {
	c := p.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string][]string{}
	for _, dir := range sortedKeys(c.directories) {
		if row := c.directories[dir]; row.store {
			id := c.followLocked(p.ownProject(dir, row))
			out[id] = append(out[id], dir)
		}
	}
	return out
}

// A SourceInfo says how far a transcript has been read.
type SourceInfo struct {
	Agent, Path string
	Pos         int64    // bytes
	ModTime     int64    // Unix milliseconds
	Directories []string // whose stores it feeds, sorted
}

// Sources returns all transcripts that have been read, sorted.
func (p *Pool) Sources() []SourceInfo {
	if p.enter() != nil {
		return nil
	}
	defer p.leave()
	var out []SourceInfo
	err := p.catalog.eachSource(func(id string, row *sourceRow) {
		agent, path, _ := strings.Cut(id, "\x00")
		out = append(out, SourceInfo{agent, path, row.pos, row.modTime, row.directories})
	})
	p.trouble(p.catalog.file.path, err)
	slices.SortFunc(out, func(a, b SourceInfo) int {
		return strings.Compare(sourceID(a.Agent, a.Path), sourceID(b.Agent, b.Path))
	})
	return out
}

// Stats is the state of a pool.
type Stats struct {
	Data        string // the data directory
	Projects    int
	Stores      int
	Bytes       int64             // of the store files
	Open        int               // stores open at present
	Unclean     bool              // the last process ended without closing
	BadRows     int               // damaged rows met since the start
	Quarantined int               // damaged files put aside since the start
	Troubles    map[string]string // by file: what is wrong with it at present
}

// Stats returns the present state.
func (p *Pool) Stats() Stats {
	projects := p.allProjects()
	p.mu.Lock()
	defer p.mu.Unlock()
	st := Stats{
		Data: p.data, Projects: len(projects), Open: len(p.open), Unclean: p.catalog.unclean,
		BadRows: p.counts.badRows + p.catalog.badRows, Quarantined: p.counts.quarantined, Troubles: maps.Clone(p.troubles),
	}
	for _, dirs := range projects {
		st.Stores += len(dirs)
		for _, dir := range dirs {
			if stat, err := os.Stat(storePath(p.data, dir)); err == nil {
				st.Bytes += stat.Size()
			}
		}
	}
	return st
}
