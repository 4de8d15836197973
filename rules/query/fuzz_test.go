package query

import (
	"context"
	"encoding/json"
	"testing"
	"time"
)

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		`filter(memory, .type == "error")`, `map(memory, {key: .key})`, `join(tool_calls, memory, "name", "key")`,
		`union(filter(memory, true), tasks)`, `{{{}}}`, `map(memory, {"{": '}'})`, `let a = 1; a in [1]`, "map(files, {`{a:`: 1})",
		`groupBy(memory, .type)`, `a ?? {b: 1}`, `"é{" + "}"`, `if true {1} else {2}`, `1..9 | map({{a: #}})`,
	} {
		f.Add(seed)
	}
	v := shop()
	f.Fuzz(func(t *testing.T, query string) {
		start := time.Now()
		res, err := Run(context.Background(), query, Relations{View: v}, 5)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%q took %v", query, took)
		}
		if err != nil {
			e, ok := err.(*Error)
			if !ok || e.Message == "" || e.Column < 0 || e.Column > len(query)+1 {
				t.Errorf("%q gives %#v", query, err)
			}
			return
		}
		if _, err := json.Marshal(res); err != nil {
			t.Errorf("%q gives rows that are no JSON: %v", query, err)
		}
	})
}
