package rules

import (
	"sync/atomic"

	"github.com/expr-lang/expr/vm"

	"github.com/kmemd/kmemd/store/fact"
)

// A Rule is one compiled rule. It may be shared.
type Rule struct {
	Name string
	File string    // where it was read, for messages
	Line int       // its [[rule]] line
	Row  fact.Row  // the row of the capture table it stands for; RowCustom for a new one
	Type fact.Type // stated type, empty: by key
	on   map[On]bool

	when, each, key, value *vm.Program
	usesArgs               bool

	failures atomic.Int32 // in a row
	failed   atomic.Int64 // in all
	lastErr  atomic.Pointer[string]
}

// maxFailures is how often a rule may fail in a row before it is switched off.
const maxFailures = 10

// Off reports whether the rule was switched off because it kept failing.
func (r *Rule) Off() bool { return r.failures.Load() >= maxFailures }

func (r *Rule) note(err error) {
	if err == nil {
		if r.failures.Load() != 0 {
			r.failures.Store(0)
		}
		return
	}
	r.failures.Add(1)
	r.failed.Add(1)
	msg := err.Error()
	r.lastErr.Store(&msg)
}

// rowOf gives the row that a built-in rule's name stands for.
func rowOf(name string) fact.Row {
	switch name {
	case "done":
		return fact.RowAction
	case string(fact.RowMarker), string(fact.RowPrompt), string(fact.RowPreference), string(fact.RowOutcome),
		string(fact.RowOpenTurn), string(fact.RowAction), string(fact.RowFiles), string(fact.RowTool),
		string(fact.RowFailure), string(fact.RowThinking), string(fact.RowTask), string(fact.RowSection),
		string(fact.RowCheckpoint), string(fact.RowChoice), string(fact.RowSession), string(fact.RowConfig):
		return fact.Row(name)
	}
	return fact.RowCustom
}

// Trouble is what a rule has failed with.
type Trouble struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Failed int64  `json:"failed"`
	Off    bool   `json:"off"`
	Error  string `json:"error"`
}
