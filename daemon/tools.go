package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/rules/query"
	"github.com/kmemd/kmemd/store/fact"
)

// What the texts of the tools show, in bytes.
const (
	previewLimit = 300
	wholeLimit   = 8 << 10
)

// answer is what a tool gives: the text that a model reads, and the same as data.
type answer struct {
	text string
	data any
}

// toolsCall runs one tool. A tool's own failure is an answer with isError, not
// an error of the method.
func (d *Daemon) toolsCall(ctx context.Context, p api.ToolsCallParams) (api.ToolsCallResult, error) {
	run, ok := toolTable[p.Name]
	if !ok {
		return api.ToolsCallResult{}, &ipc.Error{Code: api.CodeInvalidParams, Message: fmt.Sprintf("no tool %q; there are %s", p.Name, strings.Join(toolNames(), ", "))}
	}
	if err := needCwd(p.Cwd); err != nil {
		return api.ToolsCallResult{}, err
	}
	if len(p.Arguments) == 0 || string(p.Arguments) == "null" {
		p.Arguments = json.RawMessage("{}")
	}
	a, err := run.call(d, ctx, p)
	if err != nil {
		return toolFailure(err)
	}
	data, err := json.Marshal(a.data)
	if err != nil {
		return api.ToolsCallResult{}, fmt.Errorf("encode the answer of %s: %w", p.Name, err)
	}
	return api.ToolsCallResult{Content: []api.Content{{Type: "text", Text: a.text}}, StructuredContent: data}, nil
}

// toolFailure turns an error that a person or a model can act on into an answer.
func toolFailure(err error) (api.ToolsCallResult, error) {
	var e *ipc.Error
	if !errors.As(asRPC(err), &e) || e.Code == api.CodeInternal || e.Code == api.CodeBusy {
		return api.ToolsCallResult{}, err
	}
	failure := api.ToolFailure{Code: e.Code}
	if e.Data != nil {
		failure.Data, _ = json.Marshal(e.Data)
	}
	data, _ := json.Marshal(failure)
	return api.ToolsCallResult{Content: []api.Content{{Type: "text", Text: e.Message}}, StructuredContent: data, IsError: true}, nil
}

func (d *Daemon) toolSave(ctx context.Context, p api.ToolsCallParams) (answer, error) {
	var a api.SaveArguments
	if err := decodeArguments(p, &a); err != nil {
		return answer{}, err
	}
	via := p.Via
	if via == "" {
		via = fact.ViaTool
	}
	if via != fact.ViaTool && via != fact.ViaCLI {
		return answer{}, invalid("via", "via is %q; it is \"tool\" or \"cli\"", via)
	}
	value, _ := d.redact.Text(a.Value)
	entry, created, err := d.pool.Save(ctx, p.Cwd, fact.Entry{
		Key: a.Key, Value: lang.Clean(value), Namespace: a.Namespace, Type: fact.Type(a.Type), References: a.References,
		Origin: &fact.Origin{Agent: p.Agent, Session: p.Session, Via: via},
	})
	if err != nil {
		return answer{}, err
	}
	return answer{"Saved: " + entry.Key, api.SaveOutput{Entry: entry, Created: created}}, nil
}

func (d *Daemon) toolDelete(ctx context.Context, p api.ToolsCallParams) (answer, error) {
	var a api.DeleteArguments
	if err := decodeArguments(p, &a); err != nil {
		return answer{}, err
	}
	if a.Key == "" {
		return answer{}, invalid("key", "key is missing")
	}
	deleted, err := d.delete(ctx, p.Cwd, a.Namespace, []string{a.Key})
	if err != nil {
		return answer{}, err
	}
	if len(deleted) == 0 {
		return answer{}, notFound("No memory entry has the key %q.", a.Key)
	}
	return answer{"Deleted: " + a.Key, api.DeleteOutput{Deleted: a.Key}}, nil
}

func (d *Daemon) toolSearch(ctx context.Context, p api.ToolsCallParams) (answer, error) {
	var a api.SearchArguments
	if err := decodeArguments(p, &a); err != nil {
		return answer{}, err
	}
	found, err := d.search(ctx, api.SearchParams{Cwd: p.Cwd, Query: a.Query, Limit: a.Limit, Rank: a.Rank})
	if err != nil {
		return answer{}, err
	}
	out := api.SearchOutput{Entries: make([]fact.Entry, 0, len(found.Hits)), Total: found.Total}
	for _, h := range found.Hits {
		out.Entries = append(out.Entries, h.Entry)
	}
	return answer{searchText(a.Query, found), out}, nil
}

func searchText(q string, found api.SearchResult) string {
	if len(found.Hits) == 0 {
		return fmt.Sprintf("No memory entries match %q.", q)
	}
	var b strings.Builder
	if found.Inexact {
		b.WriteString("No exact match; closest:")
	} else {
		fmt.Fprintf(&b, "Found %d memory entries:", found.Total)
	}
	for _, h := range found.Hits {
		limit := previewLimit
		if h.Entry.Key == q || len(found.Hits) == 1 {
			limit = wholeLimit
		}
		fmt.Fprintf(&b, "\n- %s: %s", h.Entry.Key, lang.Clip(h.Entry.Value, limit))
	}
	return b.String()
}

func (d *Daemon) toolList(ctx context.Context, p api.ToolsCallParams) (answer, error) {
	var a api.KeysArguments
	if err := decodeArguments(p, &a); err != nil {
		return answer{}, err
	}
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return answer{}, err
	}
	page, next, err := paginate(d.index(v).Recent(), a.Cursor, a.Limit)
	if err != nil {
		return answer{}, err
	}
	out := api.KeysOutput{Keys: make([]string, 0, len(page)), Total: len(v.Facts), Next: next}
	for _, f := range page {
		out.Keys = append(out.Keys, f.Key)
	}
	return answer{fmt.Sprintf("%d keys:", out.Total) + linesOf(out.Keys), out}, nil
}

func linesOf(items []string) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString("\n" + item)
	}
	return b.String()
}

func (d *Daemon) toolQuery(ctx context.Context, p api.ToolsCallParams) (answer, error) {
	var a api.QueryArguments
	if err := decodeArguments(p, &a); err != nil {
		return answer{}, err
	}
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return answer{}, err
	}
	res, err := query.Run(ctx, a.Query, query.Relations{View: v, Session: p.Session}, a.Limit)
	if err != nil {
		return answer{}, err
	}
	out := api.QueryOutput{Rows: make([]json.RawMessage, 0, len(res.Rows)), Count: res.Count, Truncated: res.Truncated}
	var b strings.Builder
	for _, row := range res.Rows {
		line, err := json.Marshal(row)
		if err != nil {
			return answer{}, fmt.Errorf("encode a row: %w", err)
		}
		out.Rows = append(out.Rows, line)
		b.Write(line)
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "count: %d, truncated: %t", res.Count, res.Truncated)
	return answer{b.String(), out}, nil
}

// decodeArguments reads a tool's arguments strictly enough to name what is wrong.
func decodeArguments(p api.ToolsCallParams, into any) error {
	if err := json.Unmarshal(p.Arguments, into); err != nil {
		var typeErr *json.UnmarshalTypeError
		if errors.As(err, &typeErr) {
			return invalid(typeErr.Field, "%s: %s is a %s, it must be a %s", p.Name, typeErr.Field, typeErr.Value, typeErr.Type)
		}
		return invalid("", "%s: arguments are no JSON object: %s", p.Name, err)
	}
	return nil
}
