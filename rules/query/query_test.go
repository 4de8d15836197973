package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/store/fact"
)

// shop is a small project.
func shop() *fact.View {
	entry := func(key, value string, at int64, refs ...string) fact.Fact {
		return fact.Fact{Entry: fact.Entry{
			Key: key, Value: value, Type: fact.TypeOf(key), References: refs, CreatedAt: at, UpdatedAt: at,
			Origin: &fact.Origin{Agent: "codex", Session: "s2", Via: fact.ViaTranscript},
		}}
	}
	call := func(session, name string, at int64, failed bool) fact.Call {
		return fact.Call{Stamp: fact.Stamp{Time: at, Session: session}, Agent: "codex", Name: name, Args: `{"a":1}`, Failed: failed}
	}
	return &fact.View{
		Project: "/home/ana/shop",
		Facts: []fact.Fact{
			entry("bash", "shell habits {key: 1}", 10),
			entry("decision:db", "bolt", 20, "prompt:db"),
			entry("error:build", "undefined: total", 30, "prompt:db"),
			entry("prompt:db", "Which database?", 5),
		},
		Sessions: []fact.Session{{ID: "s2", Agent: "codex", Turns: 3}, {ID: "s1", Agent: "codex", Turns: 1}},
		Calls: map[string][]fact.Call{
			"s1": {call("s1", "read", 1, false)},
			"s2": {call("s2", "bash", 2, false), call("s2", "bash", 3, true), call("s2", "edit", 4, false)},
		},
		Tasks: []fact.TaskItem{{ID: "1", Text: "add carts", Status: "pending", Rounds: 1, Stamp: fact.Stamp{Session: "s2"}}},
		Files: []fact.File{{Path: "cart.go", Action: "edit", Stamp: fact.Stamp{Time: 4, Session: "s2"}}},
	}
}

// ask runs a query on the shop and returns its rows as JSON.
func ask(t *testing.T, query string) string {
	t.Helper()
	res, err := Run(context.Background(), query, Relations{View: shop()}, 0)
	if err != nil {
		t.Fatalf("Run(%s): %v", query, err)
	}
	data, err := json.Marshal(res.Rows)
	if err != nil {
		t.Fatalf("encode the rows of %s: %v", query, err)
	}
	return string(data)
}

func TestQueries(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		// as the page writes them
		`map(memory, {key: .key, value: .value})`: `[{"key":"bash","value":"shell habits {key: 1}"},{"key":"decision:db","value":"bolt"},` +
			`{"key":"error:build","value":"undefined: total"},{"key":"prompt:db","value":"Which database?"}]`,
		`map(filter(memory, .type == "error"), .key)`:                                                       `["error:build"]`,
		`map(join(tool_calls, memory, "name", "key"), [.left_timestamp, .right_value])`:                     `[[2,"shell habits {key: 1}"],[3,"shell habits {key: 1}"]]`,
		`map(union(filter(memory, .type == "error"), filter(memory, .type == "decision")), .key)`:           `["error:build","decision:db"]`,
		`filter(memory, .type == "error") | map({k: .key})`:                                                 `[{"k":"error:build"}]`,
		`map(memory, {{key: .key}}) | first()`:                                                              `[{"key":"bash"}]`,
		`map(union(memory, memory), .key) | len()`:                                                          `[4]`,
		`map(union(tool_calls, memory), .key ?? .name)`:                                                     `["bash","bash","edit","bash","decision:db","error:build","prompt:db"]`,
		`map(join(join(tool_calls, memory, "name", "key"), tasks, "left_session", "session"), .right_desc)`: `["add carts","add carts"]`,
		`map(filter(tool_calls, .failed), .timestamp)`:                                                      `[3]`,
		`map(tasks, {id: .id, open: .status != "completed"})`:                                               `[{"id":"1","open":true}]`,
		`map(sessions, .id)`:                                         `["s2","s1"]`,
		`map(files, .path)`:                                          `["cart.go"]`,
		`map(memory, .origin.session) | uniq()`:                      `["s2"]`,
		`filter(memory, "prompt:db" in .references) | map(.key)`:     `["decision:db","error:build"]`,
		`filter(memory, .type in ["error", "note"]) | map(.key)`:     `["bash","error:build"]`,
		`filter(memory, .value matches "(?i)WHICH") | map(.key)`:     `["prompt:db"]`,
		`groupBy(memory, .type) | keys() | sort()`:                   `["decision","error","note","prompt"]`,
		`len(groupBy(memory, .type)["error"])`:                       `[1]`,
		`sortBy(memory, .updatedAt, "desc")[0].key`:                  `["error:build"]`,
		`reduce(memory, #acc + .updatedAt, 0)`:                       `[65]`,
		`sum(memory, .updatedAt)`:                                    `[65]`,
		`max(map(memory, .updatedAt))`:                               `[30]`,
		`map(memory, .key) | join(", ")`:                             `["bash, decision:db, error:build, prompt:db"]`,
		`"a" + "b" + string(1) + string([1, "x"])`:                   `["ab1[1,\"x\"]"]`,
		`let errors = filter(memory, .type == "error"); len(errors)`: `[1]`,
		`uniq([1, 1.0, "1", nil, [1], [1.0], {"a": 1}, {"a": 1}])`:   `[1,"1",null,[1],{"a":1}]`,
		`[1, [2, [3]]] | flatten()`:                                  `[1,2,3]`,
		`[{a: 1}, {a: 1}] | union([{a: 2}])`:                         `[{"a":1},{"a":2}]`,
		`{"a": 1} == {"a": 1} and [1, [2]] == [1, [2]]`:              `[true]`,
		`1 != 2 and [1] != [2] and not ({} == {a: 1})`:               `[true]`,
		`nil`:                           `[]`,
		`[]`:                            `[]`,
		`{}`:                            `[{}]`,
		`{a: {b: {}}}`:                  `[{"a":{"b":{}}}]`,
		`toJSON({a: memory[0].key})`:    `["{\"a\":\"bash\"}"]`,
		`1 / 0`:                         `[null]`,
		`replace("a-b-c", "-", "+", 1)`: `["a+b-c"]`,
		`split("a,b", ",")`:             `["a","b"]`,
		`true ? {a: 1} : {a: 2}`:        `[{"a":1}]`,
		`map(memory[0:1], {(.key): 1, "}{": "{key: 1}", 'x': {y: [{z: "\"{"}]}})`: `[{"bash":1,"x":{"y":[{"z":"\"{"}]},"}{":"{key: 1}"}]`,
		"map(memory[0:1], {a: `,{b: 1}`})":                                        `[{"a":",{b: 1}"}]`,
		`map(memory[0:1], {"key: {": .key /* {a: 1} */})`:                         `[{"key: {":"bash"}]`,
		`filter(memory, {.type == "error"}) | map({let k = .key; k + "!"})`:       `["error:build!"]`,
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, ask(t, query)); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]Error{
		``:                                {Message: "the query is empty; try: filter(memory, .type == \"error\")"},
		`  `:                              {Message: "the query is empty; try: filter(memory, .type == \"error\")"},
		`memroy`:                          {"there is no relation or variable memroy; the relations are memory, tool_calls, tasks, sessions, files", 1},
		`$env`:                            {"there is no relation or variable $env; the relations are memory, tool_calls, tasks, sessions, files", 1},
		`filter(memory, .type = "error")`: {`unexpected "="; to compare, write ==`, 22},
		`filter(memory, .nosuch == "x")`:  {"memory has no field nosuch; its fields are key, value, namespace, type, references, createdAt, updatedAt, origin", 17},
		`map(memory, {a: .nosuch})`:       {"memory has no field nosuch; its fields are key, value, namespace, type, references, createdAt, updatedAt, origin", 18},
		`filter(memory, true)[0].nosuch`:  {"memory has no field nosuch; its fields are key, value, namespace, type, references, createdAt, updatedAt, origin", 25},
		`map(memory, .origin.where)`:      {"origin has no field where; its fields are agent, session, record, file, offset, role, via", 21},
		`join(tool_calls, memory, "nome", "key")`: {"no row has a field nome; the fields are agent, args, failed, name, result, session, timestamp", 1},
		`join("a", memory, "name", "key")`:        {"join needs a relation, got a text", 1},
		`union([1], [2])`:                         {"union needs rows with columns, got a number", 1},
		`filter(memory, .key`:                     {"the query ends too early", 19},
		`filter(memory, .key matches "(")`:        {"error parsing regexp: missing closing ): `(`", 21},
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			_, err := Run(context.Background(), query, Relations{View: shop()}, 0)
			var got *Error
			if !errors.As(err, &got) {
				t.Fatalf("Run(%s) = %v, want an *Error", query, err)
			}
			if diff := cmp.Diff(&want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ limit, rows int }{{0, 50}, {-3, 50}, {7, 7}, {9999, 500}} {
		res, err := Run(context.Background(), "1..1000", Relations{}, test.limit)
		if err != nil || len(res.Rows) != test.rows || res.Count != 1000 || !res.Truncated {
			t.Errorf("limit %d: %d rows of %d, truncated %v, %v; want %d of 1000", test.limit, len(res.Rows), res.Count, res.Truncated, err, test.rows)
		}
	}
	res, err := Run(context.Background(), "1..3", Relations{}, 3)
	if err != nil || res.Truncated || res.Count != 3 {
		t.Errorf("all rows: %+v, %v", res, err)
	}
}

func TestCallSession(t *testing.T) {
	t.Parallel()
	v := shop()
	v.Sessions = append([]fact.Session{{ID: "s3"}}, v.Sessions...)
	for asked, want := range map[string]string{"s1": "s1", "s2": "s2", "s3": "s3", "unknown": "s2", "": "s2"} {
		if got := callSession(Relations{View: v, Session: asked}); got != want {
			t.Errorf("the calls for session %q are those of %q, want %q", asked, got, want)
		}
	}
	v.Sessions = nil
	if got := callSession(Relations{View: v}); got != "s2" {
		t.Errorf("without sessions the calls are those of %q, want s2", got)
	}
}

// TestRunaway holds that no query outlives the time or takes the memory of the
// daemon, whatever it asks for.
func TestRunaway(t *testing.T) {
	t.Parallel()
	v := many(10_000)
	double := "let a = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]; "
	last := "a"
	for i := range 20 {
		next := fmt.Sprintf("a%d", i)
		double += fmt.Sprintf("let %s = [%s, %s, %s, %s]; ", next, last, last, last, last)
		last = next
	}
	for _, query := range []string{
		`count(memory, any(memory, .key == "none" and #.value == "none"))`,
		`reduce(1..900000, #acc + "0123456789abcdef", "")`,
		`reduce(1..60, #acc + #acc, "0123456789abcdef")`,
		`map(1..100000, groupBy(memory, .key))`,
		`map(1..100000, upper(repeat("x", 1000000)))`,
		`replace(repeat("a", 1000000), "a", repeat("b", 1000000))`,
		`join(map(1..800000, "a"), repeat("b", 1000000))`,
		`join(memory, memory, "type", "type")`,
		`union(memory, union(memory, join(memory, memory, "type", "type")))`,
		`1..1000000000`,
		`map(1..100000, split(repeat("x,", 400000), ","))`,
		`sum(map(1..800, sum(map(1..800, sum(1..800)))))`,
		`map(memory, filter(memory, .value contains "x"))`,
		`memory | map(.value matches "(x{1000}){1000}")`,
		`"a" matches repeat("a?", 400000)`,
		`repeat("a", 1000000) matches "(a?){100}(a?){100}(a?){100}x"`,
		`reduce(1..100000, [#acc], [])`,
		`reduce(1..100000, [#acc], []) == reduce(1..100000, [#acc], [])`,
		double + "toJSON(" + last + ")",
		double + "string(" + last + ")",
		double + "flatten(" + last + ")",
		double + "max(" + last + ")",
		double + "uniq([" + last + "])",
		double + last + " == [" + strings.TrimSuffix(strings.Repeat(last+",", 4), ",") + "]",
		double + last + " in [" + last + "]",
		double + last,
		strings.Repeat("(", 4000) + "1" + strings.Repeat(")", 4000),
		strings.Repeat("[", 8000),
		strings.Repeat("-", 8000) + "1",
		"sort(sort(sort(" + strings.Repeat("reverse(", 200) + "1..800000" + strings.Repeat(")", 203),
		"[" + strings.Repeat("1..899999,", 200) + "1]",
	} {
		t.Run(query[:min(len(query), 40)], func(t *testing.T) {
			start := time.Now()
			_, err := Run(context.Background(), query, Relations{View: v}, 0)
			if took := time.Since(start); took > 4*time.Second { // shared machines stall
				t.Errorf("took %v, %v", took, err)
			} else if took > 500*time.Millisecond {
				t.Logf("took %v, %v", took, err)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Run(ctx, `count(memory, any(memory, .key == "none"))`, Relations{View: many(5000)}, 0)
	if err == nil || !strings.HasPrefix(err.Error(), errSlow.Error()) {
		t.Errorf("a cancelled query gives %v", err)
	}
}

// many makes a view of n notes of one type.
func many(n int) *fact.View {
	v := &fact.View{}
	for i := range n {
		v.Facts = append(v.Facts, fact.Fact{Entry: fact.Entry{
			Key: fmt.Sprintf("note_%06d", i), Value: "the total is rounded at the till, see cart.go", Type: fact.Note, UpdatedAt: int64(i),
		}})
	}
	return v
}

func BenchmarkFilter(b *testing.B) {
	v := many(100_000)
	for _, query := range []string{
		`filter(memory, .type == "error")`, `filter(memory, lower(.value) contains "rate")`, `count(memory, .type == "error")`,
		`map(memory, {key: .key, value: .value})`, `join(filter(memory, .updatedAt < 200), memory, "key", "key")`, `union(memory, memory)`,
	} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(context.Background(), query, Relations{View: v}, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
