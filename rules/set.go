package rules

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/expr-lang/expr/vm"

	"github.com/kmemd/kmemd/store/fact"
)

// A Set is all rules in force. It may be shared by any number of extractors.
type Set struct {
	limits Limits
	rules  []*Rule
	on     map[On][]*Rule
}

// Rules returns the rules in their order.
func (s *Set) Rules() []*Rule { return s.rules }

// Limits returns the byte limits that the rules were loaded with.
func (s *Set) Limits() Limits { return s.limits }

// Troubles returns the rules that have failed while running.
func (s *Set) Troubles() []Trouble {
	var out []Trouble
	for _, r := range s.rules {
		if n := r.failed.Load(); n > 0 {
			out = append(out, Trouble{Rule: r.Name, File: r.File, Failed: n, Off: r.Off(), Error: *r.lastErr.Load()})
		}
	}
	return out
}

// captured is what one rule made of one moment.
type captured struct {
	rule       *Rule
	key, value string
	typ        fact.Type
}

// maxEach bounds how many entries one rule makes of one moment.
const maxEach = 200

// runner runs the rules of a set for one extractor. It is not shared.
type runner struct {
	set *Set
	vm  vm.VM
	out []captured
}

// run evaluates every rule that looks at the moment and returns what they
// made, in the order of the rules. The result is valid until the next run.
func (r *runner) run(on On, env *Env) []captured {
	r.out = r.out[:0]
	for _, rule := range r.set.on[on] {
		if rule.Off() {
			continue
		}
		rule.note(r.apply(rule, env))
	}
	return r.out
}

// wantsArgs reports whether a rule of the moment reads the call's arguments.
func (r *runner) wantsArgs(on On) bool {
	for _, rule := range r.set.on[on] {
		if rule.usesArgs {
			return true
		}
	}
	return false
}

func (r *runner) apply(rule *Rule, env *Env) error {
	env.It = nil
	if rule.when != nil {
		ok, err := r.vm.Run(rule.when, env)
		if err != nil {
			return fmt.Errorf("when: %s", firstLine(err.Error()))
		}
		if yes, _ := ok.(bool); !yes {
			return nil
		}
	}
	if rule.each == nil {
		return r.one(rule, env)
	}
	list, err := r.vm.Run(rule.each, env)
	if err != nil {
		return fmt.Errorf("each: %s", firstLine(err.Error()))
	}
	v := reflect.ValueOf(list)
	if !v.IsValid() {
		return nil
	}
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Array {
		return fmt.Errorf("each: gives %s, not a list", v.Kind())
	}
	for i := range min(v.Len(), maxEach) {
		env.It = v.Index(i).Interface()
		if err := r.one(rule, env); err != nil {
			return err
		}
	}
	return nil
}

// one evaluates key and value and keeps the pair if neither is empty.
func (r *runner) one(rule *Rule, env *Env) error {
	value, err := r.text(rule.value, env)
	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	if value == "" {
		return nil
	}
	key, err := r.text(rule.key, env)
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	key = cleanKey(key)
	if key == "" {
		return nil
	}
	typ := rule.Type
	if typ == "" {
		typ = fact.TypeOf(key)
	}
	r.out = append(r.out, captured{rule: rule, key: key, value: value, typ: typ})
	return nil
}

func (r *runner) text(p *vm.Program, env *Env) (string, error) {
	v, err := r.vm.Run(p, env)
	if err != nil {
		return "", fmt.Errorf("%s", firstLine(err.Error()))
	}
	switch s := v.(type) {
	case string:
		return s, nil
	case nil:
		return "", nil
	default:
		return fmt.Sprint(s), nil
	}
}

// decodeArgs gives the arguments of a call as expressions see them; what was
// cut or is no object gives none.
func decodeArgs(text string) map[string]any {
	args := map[string]any{}
	if json.Unmarshal([]byte(text), &args) != nil {
		return map[string]any{}
	}
	return args
}
