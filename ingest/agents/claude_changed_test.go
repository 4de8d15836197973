package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/ingest/event"
)

func TestClaudeChangedFiles(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 3 * maxChanged {
		fmt.Fprintf(&many, `,"/home/ana/shop/f%d"`, i)
	}
	for _, tc := range []struct {
		name, diff string
		want       []event.Path
	}{
		{"none", ``, nil},
		{"edited by sed", `,"bashEditDiff":{"files":[{"filePath":"/home/ana/shop/price.go","hunks":[{"lines":["-a","+b"]}]}],"moreFiles":0,"changedFiles":["/home/ana/shop/price.go"]}`,
			[]event.Path{{Name: "/home/ana/shop/price.go", Op: "edit"}}},
		{"moved", `,"bashEditDiff":{"files":[{"filePath":"/home/ana/shop/a.go","deleted":true},{"filePath":"/home/ana/shop/b.go","created":true}],"changedFiles":["/home/ana/shop/a.go","/home/ana/shop/b.go"]}`,
			[]event.Path{{Name: "/home/ana/shop/a.go", Op: "delete"}, {Name: "/home/ana/shop/b.go", Op: "create"}}},
		{"more than it describes", `,"bashEditDiff":{"files":[{"filePath":"/home/ana/shop/a.go","created":true}],"moreFiles":2,"changedFiles":["/home/ana/shop/a.go","/home/ana/shop/b.go",7,""," "]}`,
			[]event.Path{{Name: "/home/ana/shop/a.go", Op: "create"}, {Name: "/home/ana/shop/b.go", Op: "edit"}}},
		{"broken", `,"bashEditDiff":["x",{"files":7}]`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, changedBy(t, tc.diff)); diff != "" {
				t.Errorf("files (-want +got)\n%s", diff)
			}
		})
	}
	if got := changedBy(t, `,"bashEditDiff":{"files":[],"changedFiles":["/home/ana/shop/x"`+many.String()+`]}`); len(got) != maxChanged {
		t.Errorf("%d files of a long list, want %d", len(got), maxChanged)
	}
}

// changedBy decodes a shell command whose structured answer holds diff.
func changedBy(t *testing.T, diff string) []event.Path {
	t.Helper()
	lines := toolUse(1, "t", "Bash", `{"command":"sed -i s/a/b/ price.go"}`) + "\n" +
		toolResult(2, "t", "", false, `,"toolUseResult":{"stdout":"","stderr":""`+diff+`}`) + "\n"
	events := decodeAll(t, "/r/p/s1.jsonl", []byte(lines))
	last := events[len(events)-1]
	if last.Kind != event.ToolReturned {
		t.Fatalf("last event %v, want an answer", last.Kind)
	}
	return last.Paths
}
