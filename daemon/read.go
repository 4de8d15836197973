package daemon

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/render"
	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/index"
)

// Rule is the standing rule that callers may put before the block.
const Rule = "Check memory first. Before taking ANY action, use memory_search and memory_list to see what is already known about the task."

// view gives the memory of the project that a directory belongs to.
func (d *Daemon) view(ctx context.Context, cwd string) (*fact.View, error) {
	if err := needCwd(cwd); err != nil {
		return nil, err
	}
	return d.pool.View(ctx, cwd)
}

func (d *Daemon) render(ctx context.Context, p api.RenderParams) (api.RenderResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.RenderResult{}, err
	}
	if p.MaxTokens < 0 {
		return api.RenderResult{}, invalid("max_tokens", "max_tokens is %d; it must not be negative", p.MaxTokens)
	}
	budget := p.MaxTokens
	if budget == 0 {
		budget = d.config().Render.MaxTokens
	}
	block := render.Block(v, render.Options{Prompt: p.Prompt, MaxTokens: budget, Now: d.minute(), Session: p.Session, Event: p.Event})
	out := api.RenderResult{Text: block.Text, Tokens: block.Tokens, Shown: block.Shown, Dropped: block.Dropped, Resume: block.Resume, Error: block.Error}
	if p.Rule && out.Text != "" {
		out.Text = Rule + "\n" + out.Text
	}
	return out, nil
}

// minute is the present one: within it the same memory gives the same block.
func (d *Daemon) minute() int64 { return d.now() / 60_000 * 60_000 }

func (d *Daemon) get(ctx context.Context, p api.GetParams) (api.GetResult, error) {
	f, err := d.entry(ctx, p)
	if err != nil {
		return api.GetResult{}, err
	}
	return f.Entry, nil
}

func (d *Daemon) entry(ctx context.Context, p api.GetParams) (*fact.Fact, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return nil, err
	}
	if f, ok := v.GetIn(p.Namespace, p.Key); ok {
		return f, nil
	}
	return nil, notFound("no entry has the key %q in the memory of %s", p.Key, v.Project)
}

func (d *Daemon) list(ctx context.Context, p api.ListParams) (api.ListResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.ListResult{}, err
	}
	if p.Type != "" && !fact.Valid(fact.Type(p.Type)) {
		return api.ListResult{}, invalid("type", "there is no type %q", p.Type)
	}
	var chosen []*fact.Fact
	for _, f := range d.index(v).Recent() {
		if (p.Type == "" || f.Type == fact.Type(p.Type)) && strings.HasPrefix(f.Key, p.Prefix) {
			chosen = append(chosen, f)
		}
	}
	page, next, err := paginate(chosen, p.Cursor, p.Limit)
	if err != nil {
		return api.ListResult{}, err
	}
	return api.ListResult{Entries: entries(page), Next: next}, nil
}

// search looks for exact matches first; where nothing holds the whole query and
// it has several words, the closest entries follow.
func (d *Daemon) search(ctx context.Context, p api.SearchParams) (api.SearchResult, error) {
	if strings.TrimSpace(p.Query) == "" {
		return api.SearchResult{}, invalid("query", "the query is empty")
	}
	if p.Turns {
		return api.SearchResult{}, invalid("turns", "conversations are not searchable yet; search without turns")
	}
	views, err := d.searched(ctx, p)
	if err != nil {
		return api.SearchResult{}, err
	}
	out := api.SearchResult{Hits: []api.Hit{}}
	collect := func(find func(*index.Index) []index.Hit) {
		for _, v := range views {
			for _, h := range find(d.index(v)) {
				if p.Type == "" || h.Fact.Type == fact.Type(p.Type) {
					out.Hits = append(out.Hits, api.Hit{Entry: h.Fact.Entry, Score: h.Score, Project: v.Project})
				}
			}
		}
	}
	ranked := func(x *index.Index) []index.Hit { return x.Ranked(p.Query) }
	if p.Rank {
		collect(ranked)
	} else {
		collect(func(x *index.Index) []index.Hit { return x.Exact(p.Query) })
		if len(out.Hits) == 0 && len(strings.Fields(p.Query)) > 1 {
			collect(ranked)
			out.Inexact = len(out.Hits) > 0
		}
	}
	if len(views) > 1 {
		sort.SliceStable(out.Hits, func(i, j int) bool {
			a, b := &out.Hits[i], &out.Hits[j]
			if a.Score != b.Score {
				return a.Score > b.Score
			}
			return a.Entry.UpdatedAt > b.Entry.UpdatedAt
		})
	}
	out.Total = len(out.Hits)
	if n := limitOf(p.Limit); len(out.Hits) > n {
		out.Hits = out.Hits[:n]
	}
	return out, nil
}

// searched gives the views that a search looks into.
func (d *Daemon) searched(ctx context.Context, p api.SearchParams) ([]*fact.View, error) {
	if !p.All {
		v, err := d.view(ctx, p.Cwd)
		if err != nil {
			return nil, err
		}
		return []*fact.View{v}, nil
	}
	return d.allViews(ctx)
}

// allViews gives the memory of every project; one that cannot be opened is
// left out and stands in status.
func (d *Daemon) allViews(ctx context.Context) ([]*fact.View, error) {
	projects, err := d.pool.Projects(ctx)
	if err != nil {
		return nil, err
	}
	var views []*fact.View
	for _, p := range projects {
		v, err := d.pool.View(ctx, p.Cwd)
		if err != nil {
			d.log.Warn("project left out of a search", "cwd", p.Cwd, "err", err)
			continue
		}
		views = append(views, v)
	}
	return views, ctx.Err()
}

func (d *Daemon) sessions(ctx context.Context, p api.SessionsParams) (api.SessionsResult, error) {
	var views []*fact.View
	var err error
	if p.All {
		views, err = d.allViews(ctx)
	} else {
		var v *fact.View
		v, err = d.view(ctx, p.Cwd)
		views = []*fact.View{v}
	}
	if err != nil {
		return api.SessionsResult{}, err
	}
	var chosen []*fact.Session
	for _, v := range views {
		for i := range v.Sessions {
			if s := &v.Sessions[i]; p.Agent == "" || s.Agent == p.Agent {
				chosen = append(chosen, s)
			}
		}
	}
	sort.SliceStable(chosen, func(i, j int) bool { return chosen[i].UpdatedAt > chosen[j].UpdatedAt })
	page, next, err := paginate(chosen, p.Cursor, p.Limit)
	if err != nil {
		return api.SessionsResult{}, err
	}
	out := api.SessionsResult{Sessions: []fact.Session{}, Next: next}
	for _, s := range page {
		out.Sessions = append(out.Sessions, *s)
	}
	return out, nil
}

func (d *Daemon) sessionConfig(ctx context.Context, p api.SessionConfigParams) (api.SessionConfigResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.SessionConfigResult{}, err
	}
	for _, s := range v.Sessions {
		if !s.Sub && (p.Agent == "" || s.Agent == p.Agent) {
			return api.SessionConfigResult{Session: s.ID, Agent: s.Agent, Model: s.Model, Provider: s.Provider, BaseURL: s.BaseURL, Version: s.Version}, nil
		}
	}
	return api.SessionConfigResult{}, notFound("no session is known in %s", v.Project)
}

func (d *Daemon) projects(ctx context.Context, _ api.None) (api.ProjectsResult, error) {
	infos, err := d.pool.Projects(ctx)
	if err != nil {
		return api.ProjectsResult{}, err
	}
	out := api.ProjectsResult{Projects: []api.Project{}}
	for _, p := range infos {
		out.Projects = append(out.Projects, api.Project{Cwd: p.Cwd, Directories: p.Directories, Entries: p.Entries, Bytes: p.Bytes, UpdatedAt: p.UpdatedAt})
	}
	sort.SliceStable(out.Projects, func(i, j int) bool { return out.Projects[i].UpdatedAt > out.Projects[j].UpdatedAt })
	return out, nil
}

func entries(facts []*fact.Fact) []fact.Entry {
	out := make([]fact.Entry, 0, len(facts))
	for _, f := range facts {
		out = append(out, f.Entry)
	}
	return out
}

func limitOf(n int) int {
	if n <= 0 {
		return api.DefaultLimit
	}
	return min(n, api.MaxLimit)
}

// paginate cuts one page out of a list. A cursor is the number of elements
// before the page.
func paginate[T any](list []T, cursor string, limit int) (page []T, next string, err error) {
	start := 0
	if cursor != "" {
		if start, err = strconv.Atoi(cursor); err != nil || start < 0 {
			return nil, "", &ipc.Error{Code: api.CodeInvalidParams, Message: fmt.Sprintf("cursor %q is not one that was handed out", cursor)}
		}
	}
	start = min(start, len(list))
	end := min(start+limitOf(limit), len(list))
	if end < len(list) {
		next = strconv.Itoa(end)
	}
	return list[start:end], next, nil
}
