package daemon

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/render"
	"github.com/kmemd/kmemd/render/graph"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// errors lists what failed more than once, open ones first, then newest first.
func (d *Daemon) errors(ctx context.Context, p api.CwdParams) (api.ErrorsResult, error) {
	views, err := d.viewsOf(ctx, p.Cwd)
	if err != nil {
		return api.ErrorsResult{}, err
	}
	out := api.ErrorsResult{Errors: []api.Failure{}}
	for _, v := range views {
		for i := range v.Facts {
			f := &v.Facts[i]
			if f.Type != fact.Error || f.Captured() && f.Times < 2 {
				continue
			}
			out.Errors = append(out.Errors, failureOf(v.Project, f))
		}
	}
	sort.SliceStable(out.Errors, func(i, j int) bool {
		a, b := &out.Errors[i], &out.Errors[j]
		if a.Open != b.Open {
			return a.Open
		}
		return a.LastAt > b.LastAt
	})
	return out, nil
}

func failureOf(project string, f *fact.Fact) api.Failure {
	e := api.Failure{Key: f.Key, Value: f.Value, Project: project, Times: max(f.Times, 1), FirstAt: f.CreatedAt, LastAt: f.UpdatedAt}
	if f.Origin != nil {
		e.Agent, e.Session = f.Origin.Agent, f.Origin.Session
	}
	e.Open = !f.Resolved && !fact.Handled(f.Value)
	if !e.Open {
		e.EndedBy, e.EndedAt, e.EndedWith = f.EndedBy, f.EndedAt, f.EndedIn
	}
	return e
}

// viewsOf gives one project, or all of them where no directory is named.
func (d *Daemon) viewsOf(ctx context.Context, cwd string) ([]*fact.View, error) {
	if cwd == "" {
		return d.allViews(ctx)
	}
	v, err := d.view(ctx, cwd)
	if err != nil {
		return nil, err
	}
	return []*fact.View{v}, nil
}

// handoff makes a block for another agent about the newest session.
func (d *Daemon) handoff(ctx context.Context, p api.CwdParams) (api.HandoffResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.HandoffResult{}, err
	}
	for _, s := range v.Sessions {
		if s.Sub {
			continue
		}
		block := render.Block(v, render.Options{MaxTokens: d.config().Render.MaxTokens, Now: d.minute(), Session: s.ID, Event: "resume"})
		head := fmt.Sprintf("Handed over from %s, session %s in %s", s.Agent, s.ID, s.Cwd)
		if s.Branch != "" {
			head += ", branch " + s.Branch
		}
		return api.HandoffResult{Text: strings.TrimRight(head+".\n"+block.Text, "\n"), Session: s.ID, Agent: s.Agent}, nil
	}
	return api.HandoffResult{}, nil
}

// graph gives the memory as nodes and edges, parents before children.
func (d *Daemon) graph(ctx context.Context, p api.GraphParams) (api.GraphResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.GraphResult{}, err
	}
	g := graph.New(v)
	nodes := make([]int, 0, len(g.Facts))
	var around map[string]bool
	if p.Key != "" {
		if _, ok := v.Get(p.Key); !ok {
			return api.GraphResult{}, notFound("no entry has the key %q in the memory of %s", p.Key, v.Project)
		}
		around = neighbours(v, p.Key)
	}
	for i := range g.Facts {
		if around == nil || around[g.Facts[i].Key] {
			nodes = append(nodes, i)
		}
	}
	block := render.Block(v, render.Options{MaxTokens: d.config().Render.MaxTokens, Now: d.minute()})
	out := api.GraphResult{Nodes: []api.Node{}, Edges: []api.Edge{}}
	for _, n := range g.Order(nodes) {
		f := &g.Facts[n]
		out.Nodes = append(out.Nodes, api.Node{Key: f.Key, Type: f.Type, Value: lang.Clip(f.Value, previewLimit), UpdatedAt: f.UpdatedAt, Resume: f.Key == block.Resume})
		for _, parent := range g.Parents(n) {
			if from := g.Facts[parent].Key; around == nil || around[from] {
				out.Edges = append(out.Edges, api.Edge{Parent: from, Child: f.Key})
			}
		}
	}
	return out, nil
}

// neighbours gives an entry, all it comes from and all that comes from it.
func neighbours(v *fact.View, key string) map[string]bool {
	children := map[string][]string{}
	parents := map[string][]string{}
	for i := range v.Facts {
		f := &v.Facts[i]
		for _, p := range f.References {
			children[p] = append(children[p], f.Key)
			parents[f.Key] = append(parents[f.Key], p)
		}
	}
	seen := map[string]bool{}
	for _, next := range []map[string][]string{children, parents} {
		visited := map[string]bool{}
		todo := []string{key}
		for len(todo) > 0 {
			k := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if visited[k] {
				continue
			}
			visited[k], seen[k] = true, true
			todo = append(todo, next[k]...)
		}
	}
	return seen
}
