package agents

import (
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ingest/event"
)

// update has the golden files written instead of compared.
var update = flag.Bool("update", false, "write the golden files")

// fixtures is the invented home directory with transcripts of every agent.
const fixtures = "../../testdata/transcripts/home"

// golden writes events one a line, leaving out what is empty.
func golden(t testing.TB, events []event.Event) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatal(err)
		}
		if res, ok := fields["Result"].(map[string]any); ok {
			dropEmpty(res)
		}
		dropEmpty(fields)
		raw, err = json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	return b.String()
}

func dropEmpty(m map[string]any) {
	for k, v := range m {
		switch x := v.(type) {
		case nil:
			delete(m, k)
		case string:
			if x == "" {
				delete(m, k)
			}
		case bool:
			if !x {
				delete(m, k)
			}
		case float64:
			if x == 0 && k != "Exit" {
				delete(m, k)
			}
		case map[string]any:
			if len(x) == 0 {
				delete(m, k)
			}
		}
	}
}
