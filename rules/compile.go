package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/kmemd/kmemd/store/fact"
)

// maxNodes bounds an expression.
const maxNodes = 500

var allOn = []On{OnUser, OnPrompt, OnReply, OnOutcome, OnOpen, OnDone, OnReturn, OnFailure, OnThinking,
	OnTask, OnSummary, OnCompact, OnAnswer, OnSession, OnConfig}

// compile turns one stated rule into a runnable one.
func compile(path string, src source, at place) (*Rule, error) {
	fail := func(field, format string, args ...any) error {
		pos := at.of[field]
		if pos.line == 0 {
			pos = position{at.line, 1}
		}
		return &Error{File: path, Line: pos.line, Column: pos.column, Rule: src.Name, Message: fmt.Sprintf(format, args...)}
	}
	r := &Rule{Name: src.Name, File: path, Line: at.line, Row: rowOf(src.Name), on: map[On]bool{}}
	if len(src.On) == 0 {
		return nil, fail("on", "on is missing: name the moments to look at (%s)", joinOn())
	}
	for _, name := range src.On {
		if !known(On(name)) {
			return nil, fail("on", "unknown moment %q; there are %s", name, joinOn())
		}
		r.on[On(name)] = true
	}
	if src.Key == "" || src.Value == "" {
		return nil, fail("key", "key and value are needed")
	}
	if src.Type != "" {
		if !fact.Valid(fact.Type(src.Type)) {
			return nil, fail("type", "unknown type %q", src.Type)
		}
		r.Type = fact.Type(src.Type)
	}
	for _, part := range []struct {
		field, code string
		into        **vm.Program
		options     []expr.Option
	}{
		{"when", src.When, &r.when, []expr.Option{expr.AsBool()}},
		{"each", src.Each, &r.each, nil},
		{"key", src.Key, &r.key, []expr.Option{expr.AsKind(stringKind)}},
		{"value", src.Value, &r.value, []expr.Option{expr.AsKind(stringKind)}},
	} {
		if part.code == "" {
			continue
		}
		program, args, err := compileExpr(part.code, part.options)
		if err != nil {
			return nil, exprError(path, src.Name, part.field, at, err)
		}
		*part.into = program
		r.usesArgs = r.usesArgs || args
	}
	return r, nil
}

func compileExpr(code string, options []expr.Option) (*vm.Program, bool, error) {
	look := &argsVisitor{}
	options = append([]expr.Option{
		expr.Env(Env{}), // of a pointer the fields would be looked up by name at every run
		expr.MaxNodes(maxNodes),
		expr.Patch(look),
	}, options...)
	options = append(options, functions()...)
	program, err := expr.Compile(code, options...)
	return program, look.found, err
}

// argsVisitor notes whether an expression reads args, which are decoded only then.
type argsVisitor struct{ found bool }

func (v *argsVisitor) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok && id.Value == "args" {
		v.found = true
	}
}

func exprError(path, rule, field string, at place, err error) error {
	out := &Error{File: path, Line: at.line, Column: 1, Rule: rule, Message: field + ": " + firstLine(err.Error())}
	pos, known := at.of[field]
	if known {
		out.Line, out.Column = pos.line, pos.column
	}
	var located *file.Error
	if errors.As(err, &located) {
		out.Message = field + ": " + located.Message
		if known {
			if located.Line <= 1 {
				out.Column += located.Column
			} else {
				out.Line, out.Column = pos.line+located.Line-1, located.Column+1
			}
		}
	}
	return out
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func known(on On) bool {
	for _, o := range allOn {
		if o == on {
			return true
		}
	}
	return false
}

func joinOn() string {
	names := make([]string, len(allOn))
	for i, on := range allOn {
		names[i] = string(on)
	}
	return strings.Join(names, ", ")
}
