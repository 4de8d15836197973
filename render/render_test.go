package render

import (
	"fmt"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

func BenchmarkBlock(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		v := large(n)
		for _, prompt := range []string{"", "fix the parser so that handlers keep their order in shop checkout"} {
			b.Run(fmt.Sprintf("facts=%d,prompt=%v", n, prompt != ""), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Block(v, Options{Prompt: prompt, Now: int64(n+10) * minute, Session: "s1", Event: "prompt"})
				}
			})
		}
	}
}

// large makes a view of n facts: turns with a prompt, a check, an outcome, a
// decision and a saved note each.
func large(n int) *fact.View {
	v := &fact.View{Project: "/home/ana/shop"}
	for i := 0; len(v.Facts) < n; i++ {
		id, session, at := fmt.Sprintf("t%06d", i), fmt.Sprintf("s%03d", i/20), int64(i)*5*minute
		stamp := fact.Stamp{Time: at, Session: session}
		prompt, check, result := fmt.Sprintf("prompt:ask_%06d", i), fmt.Sprintf("tool:bash:test_%06d", i), fmt.Sprintf("result:ask_%06d", i)
		v.Turns = append(v.Turns, fact.Turn{Stamp: stamp, ID: id, Ordinal: i%20 + 1, End: at + 3*minute, Closed: true, Prompt: prompt})
		add := func(key, value string, row fact.Row, class fact.Class, after int64, refs ...string) {
			v.Facts = append(v.Facts, fact.Fact{
				Entry: fact.Entry{
					Key: key, Value: value, Type: fact.TypeOf(key), References: refs, CreatedAt: at + after, UpdatedAt: at + after,
					Origin: &fact.Origin{Agent: "claude-code", Session: session, Via: fact.ViaTranscript},
				},
				Row: row, Class: class, Turn: id,
			})
		}
		add(prompt, "Add the endpoint for orders and make sure that the checkout handler stays as it is, number "+id, fact.RowPrompt, "", 0)
		add(check, "go test ./... => ok 14 passed in "+id, fact.RowTool, fact.ClassCheck, minute, prompt)
		add(result, "The endpoint is there and the handler tests pass, the order of routes was kept, see "+id, fact.RowOutcome, "", 2*minute, check)
		add(fmt.Sprintf("decision:choice_%06d", i), "Routes are kept in one table → yes, sorted by path, "+id, fact.RowChoice, "", minute, prompt)
		add(fmt.Sprintf("parser_note_%06d", i), "The parser keeps comments, see parser.go and the notes on order "+id, fact.RowMarker, "", minute, check)
	}
	sortFacts(v.Facts)
	return v
}

// TestCost holds that the work of a block grows with what it shows, not with
// what there is.
func TestCost(t *testing.T) {
	few, many := large(1000), large(10_000)
	cost := func(v *fact.View) float64 {
		return testing.AllocsPerRun(5, func() { Block(v, Options{Now: 200_000 * minute}) })
	}
	if a, b := cost(few), cost(many); b > 1.2*a {
		t.Errorf("%.0f allocations for 10,000 facts, %.0f for 1,000", b, a)
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]*fact.View{
		"no facts": {}, "nothing to show": view(nil, captured(fact.RowThinking, "", "thinking:1:x", "hm", 1)),
	} {
		if r := Block(v, Options{}); r != (Result{}) {
			t.Errorf("%s: %+v, want nothing", name, r)
		}
	}
	if r := Block(view(nil, saved("a", "b", 1)), Options{MaxTokens: 10}); r != (Result{Dropped: 1}) {
		t.Errorf("no room: %+v, want one entry dropped", r)
	}
}
