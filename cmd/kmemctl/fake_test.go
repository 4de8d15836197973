//go:build unix

package main

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

// fake is a daemon of invented memories. It answers as package daemon does, as
// far as the scripts look.
type fake struct {
	mu       sync.Mutex // guards the fields below
	entries  []fact.Entry
	excluded []string
}

func minutesAgo(n int) int64 { return time.Now().Add(-time.Duration(n) * time.Minute).UnixMilli() }

func newFake() *fake {
	entry := func(minutes int, key string, typ fact.Type, value string, refs ...string) fact.Entry {
		return fact.Entry{
			Key: key, Type: typ, Value: value, References: refs, CreatedAt: minutesAgo(minutes), UpdatedAt: minutesAgo(minutes),
			Origin: &fact.Origin{Agent: "claude-code", Session: "s1", Record: "r", File: "/home/ana/.claude/s1.jsonl", Offset: 42, Role: "user", Via: fact.ViaTranscript},
		}
	}
	f := &fake{entries: []fact.Entry{
		entry(2, "result:endpoint", fact.Result, "compiles; tests pending", "prompt:endpoint"),
		entry(5, "prompt:endpoint", fact.Prompt, "Add a /users endpoint"),
		entry(90, "error:go_test", fact.Error, "go test ./... => FAIL shop/users", "prompt:endpoint"),
		entry(60*24*3, "decision:db", fact.Decision, "We take Onyx,\nnot Jade"),
		entry(60*24*4, "note:crate", fact.Note, "Label the \x1b[31mcrate\x1b[0m red\x07 \u202enow\u202c.\x1b]0;owned\x07\x00\b\r end.\x7f"),
	}}
	return f
}

func (f *fake) handlers() map[string]ipc.Handler {
	return map[string]ipc.Handler{
		api.MethodGet:           ipc.Method(f.get),
		api.MethodWhy:           ipc.Method(f.why),
		api.MethodList:          ipc.Method(f.list),
		api.MethodSearch:        ipc.Method(f.search),
		api.MethodToolsCall:     ipc.Method(f.tool),
		api.MethodRender:        ipc.Method(f.render),
		api.MethodGraph:         ipc.Method(f.graph),
		api.MethodExport:        ipc.Method(f.export),
		api.MethodImport:        ipc.Method(f.importPage),
		api.MethodForget:        ipc.Method(f.forget),
		api.MethodExclude:       ipc.Method(f.exclude),
		api.MethodSessions:      ipc.Method(f.sessions),
		api.MethodWatch:         ipc.MethodConn(f.watch),
		api.MethodPause:         constant(api.PauseResult{Paused: true}),
		api.MethodUnpause:       constant(api.PauseResult{}),
		api.MethodRescan:        constant(api.RescanResult{Sources: 2}),
		api.MethodStatus:        constant(fakeStatus()),
		api.MethodAgents:        constant(fakeAgents()),
		api.MethodProjects:      constant(api.ProjectsResult{Projects: []api.Project{{Cwd: "/home/ana/shop", Directories: []string{"/home/ana/shop"}, Entries: 5, Bytes: 70000, UpdatedAt: minutesAgo(2)}}}),
		api.MethodSessionConfig: constant(api.SessionConfigResult{Session: "s1", Agent: "claude-code", Model: "opus", Version: "2.0"}),
		api.MethodHandoff:       constant(api.HandoffResult{Text: "Handed over from claude-code.\n<memory>\n</memory>", Session: "s1"}),
		api.MethodErrors: constant(api.ErrorsResult{Errors: []api.Failure{
			{Key: "error:go_test", Value: "go test => FAIL", Times: 3, LastAt: minutesAgo(90), Open: true},
			{Key: "error:lint", Value: "golint => 2 issues", Times: 2, LastAt: minutesAgo(200), EndedBy: "golint ./...", EndedAt: minutesAgo(100)},
		}}),
	}
}

func constant(v any) ipc.Handler {
	return func(context.Context, json.RawMessage, *ipc.Conn) (any, error) { return v, nil }
}

func fakeStatus() api.StatusResult {
	return api.StatusResult{
		Pid: 4711, Version: "1.2.3", Uptime: 3 * 3600 * 1000, Socket: "/run/kmemd.sock", Data: "/home/ana/.kdeps/memory", Config: "/home/ana/.config/kmem/config.toml",
		Sources: []api.Source{{
			Agent: "claude-code", Directory: "/home/ana/.claude/projects", Sessions: 21, LastRecord: minutesAgo(2), State: "watching",
			Skipped: []api.Skip{{File: "/home/ana/.claude/x.jsonl", Reason: "torn record", Count: 3}},
			Polled:  []api.Polled{{Directory: "/mnt/nfs", Why: "no watch there"}},
		}},
		Stores: api.Stores{Open: 3, Total: 17, Bytes: 4 << 20}, Memory: api.Memory{Resident: 38 << 20, Heap: 12 << 20},
		Rules: api.Rules{Loaded: 18, Errors: []api.RuleError{{Rule: "ticket", Reason: "when: unknown name nope (1:1)", Off: true}}}, Problems: []string{},
	}
}

func fakeAgents() api.AgentsResult {
	return api.AgentsResult{Agents: []api.Agent{
		{Name: "claude-code", Enabled: true, Found: true, Sessions: 21, LastRecord: minutesAgo(2), Directories: []api.AgentRoot{
			{Directory: "/home/ana/.claude/projects", Exists: true}, {Directory: "/srv/claude"}}},
		{Name: "codex", Enabled: false, Directories: []api.AgentRoot{}},
	}}
}

// find returns the place of a key, -1 without it. f.mu is held.
func (f *fake) find(key string) int {
	return slices.IndexFunc(f.entries, func(e fact.Entry) bool { return e.Key == key })
}

func (f *fake) get(ctx context.Context, p api.GetParams) (fact.Entry, error) {
	switch p.Key {
	case "hang":
		<-ctx.Done()
		return fact.Entry{}, ctx.Err()
	case "refused":
		return fact.Entry{}, ipc.Errorf(api.CodeRefused, "%s is excluded", p.Cwd)
	case "broken":
		return fact.Entry{}, &ipc.Error{Code: api.CodeUnavailable, Message: "memory.bolt is held by pid 99", Data: api.UnavailableData{Safe: "transcripts are untouched"}}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.find(p.Key)
	if i < 0 || p.Namespace != "" {
		return fact.Entry{}, ipc.Errorf(api.CodeNotFound, "no entry has the key %q in the memory of %s", p.Key, p.Cwd)
	}
	return f.entries[i], nil
}

func (f *fake) why(ctx context.Context, p api.GetParams) (api.WhyResult, error) {
	if strings.HasSuffix(p.Key, "/users.go") {
		return api.WhyResult{Path: "users.go", Touches: []api.Touch{{Action: "edit", Agent: "codex", Session: "s2", At: minutesAgo(7)}}}, nil
	}
	e, err := f.get(ctx, p)
	if err != nil {
		return api.WhyResult{}, err
	}
	r := api.WhyResult{Entry: e, Text: "the very words\x1b[2J", Past: []fact.Past{{Value: "We take Jade", At: minutesAgo(9000)}}}
	for _, ref := range e.References {
		if parent, err := f.get(ctx, api.GetParams{Key: ref}); err == nil {
			r.Parents = append(r.Parents, parent)
		}
	}
	return r, nil
}

func page[T any](all []T, cursor string, limit int) (some []T, next string) {
	start, _ := strconv.Atoi(cursor)
	if limit <= 0 || limit > 2 {
		limit = 2 // small, so that the scripts see several pages
	}
	end := min(start+limit, len(all))
	if end < len(all) {
		next = strconv.Itoa(end)
	}
	return append([]T{}, all[start:end]...), next
}

func (f *fake) list(_ context.Context, p api.ListParams) (r api.ListResult, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p.Type == "wrong" {
		return r, ipc.Errorf(api.CodeInvalid, "there is no type %q", p.Type)
	}
	var chosen []fact.Entry
	for _, e := range f.entries {
		if (p.Type == "" || string(e.Type) == p.Type) && strings.HasPrefix(e.Key, p.Prefix) {
			chosen = append(chosen, e)
		}
	}
	r.Entries, r.Next = page(chosen, p.Cursor, p.Limit)
	return r, nil
}

func (f *fake) search(_ context.Context, p api.SearchParams) (api.SearchResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := api.SearchResult{Hits: []api.Hit{}}
	for _, e := range f.entries {
		if strings.Contains(strings.ToLower(e.Key+e.Value), strings.ToLower(p.Query)) {
			r.Hits = append(r.Hits, api.Hit{Entry: e, Project: "/home/ana/shop"})
		}
	}
	r.Total = len(r.Hits)
	r.Hits = r.Hits[:min(len(r.Hits), p.Limit)]
	return r, nil
}

func (f *fake) tool(_ context.Context, p api.ToolsCallParams) (api.ToolsCallResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch p.Name {
	case api.ToolSave:
		var a api.SaveArguments
		json.Unmarshal(p.Arguments, &a)
		if a.Type == "wrong" {
			return failure(api.CodeInvalid, `there is no type "wrong"`), nil
		}
		e := fact.Entry{Key: a.Key, Value: a.Value, Type: fact.Note, Namespace: a.Namespace, References: a.References,
			CreatedAt: minutesAgo(0), UpdatedAt: minutesAgo(0), Origin: &fact.Origin{Via: p.Via}}
		f.entries = slices.Insert(f.entries, 0, e)
		return success("Saved: "+a.Key, api.SaveOutput{Entry: e, Created: true}), nil
	case api.ToolDelete:
		var a api.DeleteArguments
		json.Unmarshal(p.Arguments, &a)
		i := f.find(a.Key)
		if i < 0 {
			return failure(api.CodeNotFound, "No memory entry has the key "+strconv.Quote(a.Key)+"."), nil
		}
		f.entries = slices.Delete(f.entries, i, i+1)
		return success("Deleted: "+a.Key, api.DeleteOutput{Deleted: a.Key}), nil
	default:
		return fakeQuery(p), nil
	}
}

func fakeQuery(p api.ToolsCallParams) api.ToolsCallResult {
	var a api.QueryArguments
	json.Unmarshal(p.Arguments, &a)
	switch a.Query {
	case "none":
		return success("", api.QueryOutput{Rows: []json.RawMessage{}})
	case "bad(":
		return failure(api.CodeInvalid, "unexpected token EOF (1:5)")
	}
	return success("", api.QueryOutput{Rows: []json.RawMessage{json.RawMessage(`{"key":"a\u001b[0m"}`), json.RawMessage(`2`)}, Count: 7, Truncated: true})
}

func success(text string, v any) api.ToolsCallResult {
	raw, _ := json.Marshal(v)
	return api.ToolsCallResult{Content: []api.Content{{Type: "text", Text: text}}, StructuredContent: raw}
}

func failure(code int, text string) api.ToolsCallResult {
	r := success(text, api.ToolFailure{Code: code})
	r.IsError = true
	return r
}

func (f *fake) render(_ context.Context, p api.RenderParams) (api.RenderResult, error) {
	if strings.HasSuffix(p.Cwd, "empty") {
		return api.RenderResult{}, nil
	}
	return api.RenderResult{Text: "<memory>\nprompt: " + p.Prompt + " " + strconv.Itoa(p.MaxTokens) + "\n</memory>\n", Tokens: 10, Shown: 1}, nil
}

func (f *fake) graph(context.Context, api.GraphParams) (api.GraphResult, error) {
	return api.GraphResult{
		Nodes: []api.Node{
			{Key: "prompt:a", Type: fact.Prompt, Value: `Say "hi" <now>`}, {Key: "tool:b", Type: fact.ToolResult, Value: "ok"},
			{Key: "result:c", Type: fact.Result, Value: "done", Resume: true}, {Key: "x", Type: fact.Note, Value: "1"}, {Key: "y", Type: fact.Note, Value: "2"},
		},
		Edges: []api.Edge{{Parent: "prompt:a", Child: "tool:b"}, {Parent: "tool:b", Child: "result:c"}, {Parent: "prompt:a", Child: "result:c"},
			{Parent: "x", Child: "y"}, {Parent: "y", Child: "x"}},
	}, nil
}

func (f *fake) export(_ context.Context, p api.ExportParams) (r api.ExportResult, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r.Entries, r.Next = page(f.entries, p.Cursor, 0)
	return r, nil
}

func (f *fake) importPage(_ context.Context, p api.ImportParams) (api.ImportResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries = append(f.entries, p.Entries...)
	return api.ImportResult{Imported: len(p.Entries)}, nil
}

func (f *fake) forget(_ context.Context, p api.ForgetParams) (api.ForgetResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := len(f.entries)
	f.entries = slices.DeleteFunc(f.entries, func(e fact.Entry) bool {
		return p.All || slices.Contains(p.Keys, e.Key) || p.Before > 0 && e.UpdatedAt < p.Before || p.Session != "" && e.Origin.Session == p.Session
	})
	return api.ForgetResult{Forgotten: before - len(f.entries)}, nil
}

func (f *fake) exclude(_ context.Context, p api.ExcludeParams) (api.ExcludeResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.excluded = slices.DeleteFunc(f.excluded, func(d string) bool { return d == p.Directory })
	if p.Directory != "" && !p.Remove {
		f.excluded = append(f.excluded, p.Directory)
	}
	return api.ExcludeResult{Excluded: append([]string{}, f.excluded...)}, nil
}

func (f *fake) sessions(_ context.Context, p api.SessionsParams) (r api.SessionsResult, err error) {
	all := []fact.Session{
		{ID: "sub1", Agent: "claude-code", Cwd: "/home/ana/shop", Sub: true, Parent: "s1", UpdatedAt: minutesAgo(1)},
		{ID: "s1; rm -rf /", Agent: "claude-code", Model: "opus", Cwd: "/home/ana/my shop", Turns: 12, StartedAt: minutesAgo(200), UpdatedAt: minutesAgo(2), Title: "Endpoint"},
		{ID: "s0", Agent: "codex", Cwd: "/home/ana/shop", Turns: 1, StartedAt: minutesAgo(900), UpdatedAt: minutesAgo(800)},
		{ID: "g0", Agent: "gemini", Cwd: "/home/ana/shop", Turns: 1, UpdatedAt: minutesAgo(900)},
	}
	var chosen []fact.Session
	for _, s := range all {
		if p.Agent == "" || s.Agent == p.Agent {
			chosen = append(chosen, s)
		}
	}
	r.Sessions, r.Next = page(chosen, p.Cursor, p.Limit)
	return r, nil
}

// watch captures three entries at once and then ends the connection by a
// panic of none: the scripts end it with --timeout of their own.
func (f *fake) watch(_ context.Context, p api.WatchParams, conn *ipc.Conn) (api.WatchResult, error) {
	conn.Subscribe(func() {})
	project := p.Cwd
	if project == "" {
		project = "/home/ana/other"
	}
	conn.Notify(api.NotifyCaptured, api.Captured{Project: project, Entry: fact.Entry{Key: "note:live", Type: fact.Note, Value: "just\ncaptured", UpdatedAt: minutesAgo(0)}})
	conn.Notify(api.NotifyMissed, api.Missed{Count: 12})
	return api.WatchResult{Watching: true}, nil
}
