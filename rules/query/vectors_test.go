package query

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/store/fact"
)

// peerFile is the peer's recorded queries and the data they ran on.
type peerFile struct {
	Vectors struct {
		Memory    []fact.Entry
		ToolCalls []struct {
			Name, Args, Result string
			Timestamp          int64
		} `json:"tool_calls"`
		Goal struct {
			Tasks []struct {
				ID                 int
				Desc, Status, Note string
				Rounds             int
			}
		}
		Queries []peerQuery
	}
}

type peerQuery struct {
	ID, Query string
	Limit     any
	Result    any
	Error     string
}

// peerDiffers says what the page decides otherwise than the peer: "rows" where
// a value that is no relation becomes rows, "works" where the query works here,
// "error" where it is refused here.
var peerDiffers = map[string]string{
	"qy02": "works", // a map literal after a comma
	"qy05": "rows",
	"qy07": "works", // union takes any relation
	"qy10": "works", // join takes any relation
	"qy13": "error", // an unknown field is named
	"qy21": "works", // limits are numbers here: the caller sees to it
	"qy23": "rows", "qy30": "rows", "qy32": "rows", "qy43": "rows", "qy44": "rows", "qy45": "rows",
	"qy31": "works", // a map is one row
	"qy33": "error", // an unknown field is named
	"qy40": "works", // the text join has fewer arguments
	"qy41": "works", // union takes any list of rows
}

func (p *peerFile) view() *fact.View {
	v := &fact.View{Sessions: []fact.Session{{ID: "s1"}}, Calls: make(map[string][]fact.Call)}
	for _, e := range p.Vectors.Memory {
		v.Facts = append(v.Facts, fact.Fact{Entry: e})
	}
	for _, c := range p.Vectors.ToolCalls {
		v.Calls["s1"] = append(v.Calls["s1"], fact.Call{
			Stamp: fact.Stamp{Time: c.Timestamp, Session: "s1"}, Name: c.Name, Args: c.Args, Result: c.Result,
		})
	}
	for _, task := range p.Vectors.Goal.Tasks {
		id, _ := json.Marshal(task.ID)
		v.Tasks = append(v.Tasks, fact.TaskItem{ID: string(id), Text: task.Desc, Status: task.Status, Note: task.Note, Rounds: task.Rounds})
	}
	return v
}

func TestPeerQueries(t *testing.T) {
	t.Parallel()
	var file peerFile
	readShared(t, "conformance/kdeps/query.json", &file)
	rel := Relations{View: file.view()}
	for _, q := range file.Vectors.Queries {
		t.Run(q.ID, func(t *testing.T) {
			t.Parallel()
			limit := 0
			if f, ok := q.Limit.(float64); ok {
				limit = int(f)
			}
			res, err := Run(context.Background(), q.Query, rel, limit)
			switch differs := peerDiffers[q.ID]; {
			case differs == "works":
				if err != nil || len(res.Rows) == 0 {
					t.Errorf("%s: %d rows, %v; want rows", q.Query, len(res.Rows), err)
				}
			case differs == "error" || differs == "" && q.Error != "":
				if err == nil {
					t.Errorf("%s: no error", q.Query)
				}
			case err != nil:
				t.Errorf("%s: %v", q.Query, err)
			default:
				compare(t, q, res, differs == "rows")
			}
		})
	}
}

// compare compares a result with the peer's, without the fields that the peer
// does not have.
func compare(t *testing.T, q peerQuery, res Result, bare bool) {
	t.Helper()
	data, err := json.Marshal(res)
	if err != nil {
		t.Fatalf("encode the result of %s: %v", q.Query, err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if bare {
		want := q.Result
		if _, ok := want.([]any); !ok {
			want = []any{want}
			if q.Result == nil {
				want = []any{}
			}
		}
		if diff := cmp.Diff(want, got["rows"]); diff != "" {
			t.Errorf("rows of %s (-want +got):\n%s", q.Query, diff)
		}
		return
	}
	for _, r := range got["rows"].([]any) {
		row, _ := r.(map[string]any)
		for _, prefix := range []string{"", "left_", "right_"} {
			_, call := row[prefix+"args"]
			_, task := row[prefix+"rounds"]
			_, memory := row[prefix+"references"]
			mixed := call && memory && prefix == ""
			for _, field := range []string{"origin", "failed", "session", "agent"} {
				delete(row, prefix+field)
			}
			if task {
				id, _ := row["id"].(string)
				var n any
				_ = json.Unmarshal([]byte(id), &n)
				row["id"] = n // the peer's are numbers
			}
			if mixed {
				t.Errorf("%s: a row has the fields of two relations", q.Query)
			}
		}
	}
	if diff := cmp.Diff(q.Result, any(got)); diff != "" {
		t.Errorf("result of %s (-want +got):\n%s", q.Query, diff)
	}
}

// readShared decodes a file of the shared test data, or skips the test where
// it is not at hand.
func readShared(t *testing.T, name string, into any) {
	t.Helper()
	dir := os.Getenv("KMEM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no shared vectors: %v", err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
