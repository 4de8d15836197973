// Package query answers relational questions about a project's memory, in the
// language of expr-lang with two functions more: join and union.
//
// The relations are memory, tool_calls, tasks, sessions and files. Rows of a
// relation have fixed columns: naming another one is an error that lists them.
// Rows that a query makes itself (maps, joins, unions of different relations)
// give nil for what they do not have.
//
// A query comes from an agent, so it is not trusted: its length and the number
// of its nodes are limited, whatever it computes is charged against budgets of
// time and memory (guard.go), and what the language would do without a limit
// is replaced by a guarded twin (patch.go, functions.go). The package changes
// nothing and reads nothing but the view it is given.
package query

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
	"github.com/expr-lang/expr/vm"

	"github.com/kmemd/kmemd/store/fact"
)

// The limits of a query.
const (
	DefaultLimit = 50  // rows returned where no limit is given
	MaxLimit     = 500 // rows returned at most

	maxLength = 8 << 10                 // bytes of an expression
	maxNodes  = 1000                    // nodes of its tree
	maxTime   = 1800 * time.Millisecond // leaves room to end within 2 s
	maxValues = 900_000                 // values that lists and maps may hold, all in all
	maxBytes  = 64 << 20                // bytes that text and rows may take, all in all
	maxString = 1 << 20                 // bytes of one text
	maxResult = 4 << 20                 // bytes of the rows returned
)

// Relations are what a query can ask about.
type Relations struct {
	View    *fact.View
	Session string // whose tool calls are meant; the newest where it is not known
}

// Result is what a query gives.
type Result struct {
	Rows      []any `json:"rows"`      // can be encoded as JSON
	Count     int   `json:"count"`     // matches before the limit
	Truncated bool  `json:"truncated"` // there are more matches than rows
}

// Run answers a query with up to limit rows: DefaultLimit where limit is not
// positive, never more than MaxLimit. A list gives a row for each element, any
// other value one row, nil none. Every error is an *Error.
func Run(ctx context.Context, query string, rel Relations, limit int) (res Result, err error) {
	src := &source{text: query}
	defer func() {
		if r := recover(); r != nil { // the language checks types late
			res, err = Result{}, src.explain(fmt.Errorf("%v", r))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	g := &guard{ctx: ctx, deadline: time.Now().Add(maxTime), bytes: maxBytes}
	out, err := run(g, src, rel)
	if err != nil {
		return Result{}, src.explain(err)
	}
	res, err = shape(g, out, limit)
	if err != nil {
		return Result{}, src.explain(err)
	}
	return res, nil
}

// run compiles and evaluates a query.
func run(g *guard, src *source, rel Relations) (any, error) {
	if len(src.text) > maxLength {
		return nil, fmt.Errorf("the query is longer than %d bytes; shorten it", maxLength)
	}
	tokens, err := lexer.Lex(file.NewSource(src.text))
	if err != nil {
		return nil, err
	}
	if len(tokens) <= 1 { // the end is a token too
		return nil, errors.New("the query is empty; try: filter(memory, .type == \"error\")")
	}
	for _, t := range tokens {
		if t.Is(lexer.Identifier, "$env") {
			return nil, &file.Error{Location: t.Location, Message: "unknown name $env"}
		}
	}
	env := relations(rel, tokens)
	options := append(g.functions(),
		expr.Env(env), expr.Optimize(false), expr.MaxNodes(maxNodes), expr.Patch(&patcher{}))
	program, err := expr.Compile(src.rewrite(tokens), options...)
	if err != nil {
		return nil, err
	}
	machine := vm.VM{MemoryBudget: maxValues}
	return machine.Run(program, env)
}

// shape turns the value of a query into rows.
func shape(g *guard, out any, limit int) (Result, error) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, MaxLimit)
	list, ok := elements(out)
	switch {
	case out == nil:
		list = nil
	case !ok:
		list = []any{out}
	}
	shown := list[:min(limit, len(list))]
	res := Result{Rows: make([]any, 0, len(shown)), Count: len(list), Truncated: len(list) > len(shown)}
	p := plainer{guard: g, left: maxResult}
	for _, row := range shown {
		value, err := p.plain(row, 0)
		if err != nil {
			return Result{}, err
		}
		res.Rows = append(res.Rows, value)
	}
	return res, nil
}
