package graph

import (
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

const hour = 3_600_000

// made is a fact in the making.
type made func(*fact.Fact)

// saved returns a fact that a caller saved.
func saved(key, value string, at int64, with ...made) fact.Fact {
	f := fact.Fact{Entry: fact.Entry{Key: key, Value: value, Type: fact.TypeOf(key), CreatedAt: at, UpdatedAt: at}}
	for _, w := range with {
		w(&f)
	}
	return f
}

// captured returns a fact of a row of the capture table, of a session and turn.
func captured(row fact.Row, session, turn, key, value string, at int64, with ...made) fact.Fact {
	f := saved(key, value, at)
	f.Row, f.Turn = row, turn
	f.Origin = &fact.Origin{Session: session, Via: fact.ViaTranscript}
	f.Task = row == fact.RowTask
	for _, w := range with {
		w(&f)
	}
	return f
}

func refs(keys ...string) made         { return func(f *fact.Fact) { f.References = keys } }
func class(c fact.Class) made          { return func(f *fact.Fact) { f.Class = c } }
func typed(t fact.Type) made           { return func(f *fact.Fact) { f.Type = t } }
func resolved() made                   { return func(f *fact.Fact) { f.Resolved = true } }
func changed(at int64) made            { return func(f *fact.Fact) { f.UpdatedAt = at } }
func namespaced(namespace string) made { return func(f *fact.Fact) { f.Namespace = namespace } }

// turn returns a closed turn that began at a time and took a minute.
func turn(session, id string, ordinal int, at int64) fact.Turn {
	return fact.Turn{Stamp: fact.Stamp{Time: at, Session: session}, ID: id, Ordinal: ordinal, End: at + 60_000, Closed: true}
}

// view returns a view of turns and facts.
func view(turns []fact.Turn, facts ...fact.Fact) *fact.View {
	slices.SortFunc(facts, byName)
	return &fact.View{Turns: turns, Facts: facts}
}
