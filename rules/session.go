package rules

import (
	"slices"
	"sort"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/store/fact"
)

// session returns the state of the event's session.
func (x *Extractor) session(ev *event.Event) *session {
	id := ev.Session
	if id == "" {
		id = x.st.Main
	}
	if id == "" {
		id, _, _ = strings.Cut(x.base, ".jsonl")
	}
	if x.st.Main == "" && !ev.Sub {
		x.st.Main = id
	}
	key := id
	if ev.Sub {
		key = "sub/" + id
	}
	s := x.st.Sessions[key]
	if s == nil {
		s = &session{Info: fact.Session{ID: id, Agent: x.src.Agent, File: x.src.Path, Sub: ev.Sub}}
		x.st.Sessions[key] = s
	}
	if ev.Parent != "" && ev.Parent != id {
		s.Info.Parent = ev.Parent
	}
	return s
}

// locate settles which directory the event belongs to.
func (x *Extractor) locate(s *session, ev *event.Event) {
	if ev.Cwd == "" || ev.Cwd == s.Cwd {
		return
	}
	dir := x.opts.Belongs(s.Bases, ev.Cwd)
	s.Cwd = ev.Cwd
	if dir == "" {
		return
	}
	s.Dir = dir
	if !slices.Contains(s.Bases, dir) {
		s.Bases = append(s.Bases, dir)
	}
	if s.Info.Cwd == "" {
		s.Info.Cwd = dir
	}
}

// started takes what a record says about its session.
func (x *Extractor) started(s *session, ev *event.Event) {
	s.state(ev, x)
	s.Announce = false
	x.announce(s, ev)
}

// state keeps what a record says about its session; what it leaves open stays.
func (s *session) state(ev *event.Event, x *Extractor) {
	for _, f := range []struct {
		to   *string
		from string
	}{
		{&s.Info.Model, ev.Model}, {&s.Info.Provider, ev.Provider}, {&s.Info.BaseURL, x.clean(ev.BaseURL)},
		{&s.Info.Version, ev.Version}, {&s.Info.Branch, ev.Branch}, {&s.Info.Title, x.clean(ev.Title)},
	} {
		if f.from != "" {
			*f.to = f.from
		}
	}
}

// announce keeps the start of a session, and what it runs with if that is new.
func (x *Extractor) announce(s *session, ev *event.Event) {
	if s.Info.Sub || s.Dir == "" {
		return
	}
	x.env.Model, x.env.Provider, x.env.BaseURL, x.env.Version = s.Info.Model, s.Info.Provider, s.Info.BaseURL, s.Info.Version
	if !s.Started || ev.Resumed {
		x.env.Kind = "started"
		if ev.Resumed {
			x.env.Kind = "resumed"
		}
		s.Started = true
		for _, c := range x.run.run(OnSession, &x.env) {
			x.write(s, ev, c, "", "", nil)
		}
	}
	for _, c := range x.run.run(OnConfig, &x.env) {
		if c.rule.Row == fact.RowConfig {
			if c.value == s.Config {
				continue
			}
			s.Config = c.value
		}
		x.write(s, ev, c, "", "", nil)
	}
}

// sessionRow states the session as it stands, in every directory it belongs to.
func (x *Extractor) sessionRow(s *session) {
	if !s.dirty {
		return
	}
	s.dirty = false
	for _, dir := range s.Bases {
		d := x.delta(dir)
		info := s.Info
		info.Cwd = dir
		d.Sessions = append(d.Sessions, info)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
