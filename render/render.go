// Package render writes the <memory> block: what a project's memory has to
// say to an agent, within a budget.
//
// A block is a pure function of a view and the options. It goes through three
// steps: look sorts the facts that may be shown into groups (scene.go), fill
// takes them in the order in which they are worth their room (keep.go), as far
// as the budget holds (plan.go), and text writes what was taken. The budget is
// a promise for the whole block, tags and legend included. Nothing that is
// stored can close the block, open a tag or begin a line of its own.
//
// The package does not read stores, search, or add words around the block.
package render

import (
	"github.com/kmemd/kmemd/render/graph"
	"github.com/kmemd/kmemd/store/fact"
)

// DefaultTokens is the budget where none is given.
const DefaultTokens = 2000

// Options say what a block is for.
type Options struct {
	Prompt    string // what the user has asked, empty where it is not known
	MaxTokens int    // the budget, DefaultTokens where it is not positive
	Now       int64  // Unix milliseconds
	Session   string // of the asking agent, empty where it is not known
	Event     string // what the agent asks at: prompt, compact, resume, start
}

// Result is a block and what it holds.
type Result struct {
	Text    string // empty where there is nothing to show or no room to show it
	Tokens  int    // what Text costs by the estimate of Tokens
	Shown   int    // entries in the block
	Dropped int    // entries that may be shown and had no room
	Resume  string // key of the entry at which to go on, empty for none
	Error   string // key of the error that is named, empty for none
}

// Block renders a view. The view is not changed.
func Block(v *fact.View, o Options) Result {
	if o.MaxTokens <= 0 {
		o.MaxTokens = DefaultTokens
	}
	s := look(v, graph.Asking{Session: o.Session, Event: o.Event})
	p := newPlan(s, o.Now, o.MaxTokens)
	p.fill(o.Prompt)
	if len(p.lines) == 0 {
		return Result{Dropped: s.visible}
	}
	text := p.text()
	r := Result{Text: text, Tokens: Tokens(text), Shown: len(p.lines), Dropped: s.visible - len(p.lines)}
	if s.resume >= 0 {
		r.Resume = s.g.Facts[s.resume].Key
	}
	if s.failure >= 0 && p.at[s.failure] != nil {
		r.Error = s.g.Facts[s.failure].Key
	}
	return r
}
