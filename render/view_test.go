package render

import (
	"cmp"
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// sortFacts puts facts in the order that a view promises.
func sortFacts(facts []fact.Fact) {
	slices.SortFunc(facts, func(a, b fact.Fact) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Key, b.Key))
	})
}

// made is what a test says about a fact beside its key and value.
type made func(*fact.Fact)

func refs(keys ...string) made { return func(f *fact.Fact) { f.References = keys } }
func class(c fact.Class) made  { return func(f *fact.Fact) { f.Class = c } }
func typed(t fact.Type) made   { return func(f *fact.Fact) { f.Type = t } }
func resolved(f *fact.Fact)    { f.Resolved = true }

// saved returns a fact that a caller saved, changed some minutes after the
// beginning of time.
func saved(key, value string, minutes int, with ...made) fact.Fact {
	at := int64(minutes) * minute
	f := fact.Fact{Entry: fact.Entry{
		Key: key, Value: value, Type: fact.TypeOf(key), CreatedAt: at, UpdatedAt: at, Origin: &fact.Origin{Via: fact.ViaTool},
	}}
	for _, w := range with {
		w(&f)
	}
	return f
}

// captured returns a fact of a row of the capture table, of a turn of the
// session s1.
func captured(row fact.Row, turn, key, value string, minutes int, with ...made) fact.Fact {
	return saved(key, value, minutes, append([]made{func(f *fact.Fact) {
		f.Row, f.Turn, f.Task = row, turn, row == fact.RowTask
		f.Origin = &fact.Origin{Agent: "claude-code", Session: "s1", Via: fact.ViaTranscript}
	}}, with...)...)
}

// turns returns closed turns of the session s1, ten minutes apart from the
// given minute on.
func turns(minutes int, ids ...string) []fact.Turn {
	var list []fact.Turn
	for i, id := range ids {
		at := int64(minutes+10*i) * minute
		list = append(list, fact.Turn{
			Stamp: fact.Stamp{Time: at, Session: "s1"}, ID: id, Ordinal: i + 1, End: at + 5*minute, Closed: true,
		})
	}
	return list
}

// view returns a view of turns and facts.
func view(turns []fact.Turn, facts ...fact.Fact) *fact.View {
	sortFacts(facts)
	return &fact.View{Project: "/home/ana/shop", Turns: turns, Facts: facts}
}

// work returns the usual facts of some turns of work on a shop: a prompt, a
// check and an outcome each.
func work(minutes int, ids ...string) []fact.Fact {
	var facts []fact.Fact
	for i, id := range ids {
		at := minutes + 10*i
		facts = append(facts,
			captured(fact.RowPrompt, id, "prompt:"+id, "Add the "+id+" and test it", at),
			captured(fact.RowTool, id, "tool:bash:test_"+id, "go test ./"+id+" => ok 12 passed", at+2, class(fact.ClassCheck), refs("prompt:"+id)),
			captured(fact.RowOutcome, id, "result:"+id, "The "+id+" is there and its tests pass.", at+4, refs("tool:bash:test_"+id)))
	}
	return facts
}
