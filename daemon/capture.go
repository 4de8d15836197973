package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/rules"
	"github.com/kmemd/kmemd/store"
)

// maxRemembered is how many event ids of a captured session are known again
// when they are sent a second time.
const maxRemembered = 4096

// captureCursor is the position of a session that comes over the socket.
type captureCursor struct {
	Position int64                   `json:"position"`
	Seen     []string                `json:"seen,omitempty"`
	Calls    map[string]*event.Event `json:"calls,omitempty"`
}

// capture takes the events of a session whose agent writes no readable
// transcript. They go the same way as those of an adapter. An event that was
// sent before changes nothing.
func (d *Daemon) capture(ctx context.Context, p api.CaptureParams) (api.CaptureResult, error) {
	if err := needCwd(p.Cwd); err != nil {
		return api.CaptureResult{}, err
	}
	if p.Agent == "" || p.Session == "" {
		return api.CaptureResult{}, invalid("session", "agent and session are needed: they name whose events these are")
	}
	if d.pool.Paused() {
		return api.CaptureResult{}, &ipc.Error{Code: api.CodeRefused, Message: `capture is paused; "kmemctl unpause" goes on`}
	}
	if d.excluded(p.Cwd) {
		return api.CaptureResult{}, &ipc.Error{Code: api.CodeRefused, Message: fmt.Sprintf("%s is excluded from memory", p.Cwd)}
	}
	d.capturing.Lock()
	defer d.capturing.Unlock()
	agent, path := p.Agent, "capture:"+p.Session
	var cur captureCursor
	saved, known := d.pool.Resume(agent, path)
	if known {
		if err := json.Unmarshal(saved.Cursor, &cur); err != nil {
			return api.CaptureResult{}, fmt.Errorf("position of session %s: %w", p.Session, err)
		}
	}
	x, err := rules.NewExtractor(rules.Options{Rules: d.pipe.rules(), Redact: d.redact, Belongs: d.pool.Belongs, Silent: d.pool.PausedAt},
		rules.Source{Agent: agent, Path: path, FirstSeen: d.now()}, saved.Extractor)
	if err != nil {
		return api.CaptureResult{}, err
	}
	taken := 0
	for i := range p.Events {
		ev, err := captured(&p, &p.Events[i], &cur, d.now())
		if err != nil {
			return api.CaptureResult{}, invalid(fmt.Sprintf("events[%d]", i), "event %d: %s", i, err)
		}
		if ev == nil {
			continue
		}
		x.Feed([]event.Event{*ev})
		taken++
	}
	if taken == 0 {
		return api.CaptureResult{}, nil
	}
	return api.CaptureResult{Captured: taken}, d.commitCapture(ctx, agent, path, x, &cur, !known)
}

func (d *Daemon) commitCapture(ctx context.Context, agent, path string, x *rules.Extractor, cur *captureCursor, first bool) error {
	deltas := x.Take()
	state, err := x.State()
	if err != nil {
		return err
	}
	cursor, err := json.Marshal(cur)
	if err != nil {
		return fmt.Errorf("save position of %s: %w", path, err)
	}
	return d.pool.Commit(ctx, []store.Pass{{
		Agent: agent, Path: path, Restart: first, Pos: cur.Position, Generation: "capture",
		Cursor: cursor, Extractor: state, Deltas: deltas, ModTime: d.now(),
	}})
}

var captureKinds = map[string]event.Kind{
	api.EventSession: event.SessionStarted, api.EventUser: event.UserMessage, api.EventAssistant: event.AssistantMessage,
	api.EventThinking: event.Thinking, api.EventCall: event.ToolCalled, api.EventReturn: event.ToolReturned,
	api.EventTasks: event.TasksChanged, api.EventCompacted: event.Compacted, api.EventAsk: event.Asked,
	api.EventAnswer: event.Answered, api.EventClosed: event.TurnClosed, api.EventInterrupted: event.Interrupted,
	api.EventRolledBack: event.RolledBack,
}

var captureUsers = map[string]event.UserKind{
	"": event.Typed, "typed": event.Typed, "command": event.Command, "plan": event.Plan,
	"injected": event.Injected, "summary": event.Summary, "subagent": event.Subagent,
}

var captureActions = map[string]event.Action{
	"": event.Exec, "exec": event.Exec, "write": event.Write, "search": event.Search, "read": event.Read,
	"agent": event.Agent, "quiet": event.Quiet,
}

var captureWhys = map[string]event.Why{
	"": 0, "rejected": event.Rejected, "cancelled": event.Cancelled, "refused": event.Refused, "timed_out": event.TimedOut,
}

// captured turns one sent event into one of ours; nil if it was sent before, or
// is an answer without a call.
func captured(p *api.CaptureParams, in *api.Event, cur *captureCursor, now int64) (*event.Event, error) {
	kind, ok := captureKinds[in.Kind]
	if !ok {
		return nil, fmt.Errorf("unknown kind %q", in.Kind)
	}
	user, ok := captureUsers[in.User]
	if !ok {
		return nil, fmt.Errorf("unknown user %q", in.User)
	}
	action, ok := captureActions[in.Action]
	if !ok {
		return nil, fmt.Errorf("unknown action %q", in.Action)
	}
	why, ok := captureWhys[in.Why]
	if !ok {
		return nil, fmt.Errorf("unknown why %q", in.Why)
	}
	id := recordID(p, in)
	if contains(cur.Seen, id) {
		return nil, nil
	}
	cur.Seen = append(cur.Seen, id)
	if n := len(cur.Seen); n > maxRemembered {
		cur.Seen = cur.Seen[n-maxRemembered:]
	}
	ev := &event.Event{
		Kind: kind, Record: id, Time: in.Time, Offset: cur.Position, End: cur.Position + 1, Session: p.Session, Cwd: p.Cwd,
		Text: in.Text, User: user, Final: finalOf(in.Final), Agent: p.Agent, Model: in.Model, Provider: in.Provider,
		BaseURL: in.BaseURL, Version: in.Version, Branch: in.Branch, Parent: in.Parent, Title: in.Title, Resumed: in.Resumed,
		Call: in.Call, Tool: in.Tool, Action: action, Subject: in.Subject, Dir: in.Dir, Args: string(in.Args),
		Question: in.Question, Answer: in.Answer, Count: in.Count,
		Result: event.Result{Failed: in.Failed, Exit: in.Exit, Why: why, Lookup: in.Lookup, Git: in.Git, URL: in.URL, Added: in.Added, Removed: in.Removed},
	}
	if ev.Time == 0 {
		ev.Time = now
	}
	for _, path := range in.Paths {
		ev.Paths = append(ev.Paths, event.Path{Name: path.Name, Op: path.Op})
	}
	for _, t := range in.Tasks {
		ev.Tasks = append(ev.Tasks, event.Task{ID: t.ID, Text: t.Text, Status: t.Status, Note: t.Note})
	}
	cur.Position++
	return pair(ev, cur), nil
}

// pair gives a return what its call said; a return without a call is dropped.
func pair(ev *event.Event, cur *captureCursor) *event.Event {
	switch ev.Kind {
	case event.ToolCalled:
		if cur.Calls == nil {
			cur.Calls = map[string]*event.Event{}
		}
		if len(cur.Calls) < 256 {
			cur.Calls[ev.Call] = &event.Event{Tool: ev.Tool, Action: ev.Action, Subject: ev.Subject, Dir: ev.Dir, Paths: ev.Paths}
		}
	case event.ToolReturned:
		call := cur.Calls[ev.Call]
		if call == nil {
			return nil
		}
		delete(cur.Calls, ev.Call)
		ev.Tool, ev.Action, ev.Subject, ev.Dir = call.Tool, call.Action, call.Subject, call.Dir
		if len(ev.Paths) == 0 {
			ev.Paths = call.Paths
		}
	}
	return ev
}

func finalOf(b *bool) event.Tristate {
	switch {
	case b == nil:
		return event.Unknown
	case *b:
		return event.Yes
	}
	return event.No
}

// recordID is the event's own id, or one made of what it says.
func recordID(p *api.CaptureParams, in *api.Event) string {
	if in.ID != "" {
		return in.ID
	}
	data, _ := json.Marshal(in)
	sum := sha256.Sum256([]byte(strings.Join([]string{p.Agent, p.Session, string(data)}, "\x00")))
	return hex.EncodeToString(sum[:12])
}
