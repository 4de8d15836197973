package rules

import (
	"fmt"
	"reflect"
	"regexp"
	"sync"

	"github.com/expr-lang/expr"

	"github.com/kmemd/kmemd/rules/lang"
)

const stringKind = reflect.String

// maxMatches bounds what match gives.
const maxMatches = 50

// functions are what expressions may call beside the language's own. All are
// pure; none does I/O.
func functions() []expr.Option {
	patterns := new(sync.Map)
	return []expr.Option{
		fn1("markers", lang.Markers),
		fn1("firstAction", lang.FirstAction),
		fn1("firstLine", func(s string) string { return firstLine(s) }),
		fn1("slug", lang.Slug),
		fn1("planTitle", lang.PlanTitle),
		fn1("preferences", lang.Preferences),
		fn1("bullets", lang.SummaryBullets),
		fn1("checkpoint", lang.Checkpoint),
		fn1("joinPaths", lang.JoinPaths),
		fn2("clip", lang.Clip),
		fn2("condense", lang.Condense),
		fn2("paths", lang.ProsePaths),
		expr.Function("clipMiddle", func(p ...any) (any, error) {
			return lang.ClipMiddle(p[0].(string), p[1].(int), p[2].(int)), nil
		}, lang.ClipMiddle),
		expr.Function("match", func(p ...any) (any, error) {
			return match(patterns, p[0].(string), p[1].(string))
		}, func(text, pattern string) []string { return nil }),
		expr.Function("concat", func(p ...any) (any, error) {
			a, b := p[0].([]string), p[1].([]string)
			return append(append(make([]string, 0, len(a)+len(b)), a...), b...), nil
		}, func(a, b []string) []string { return nil }),
	}
}

func fn1[A, R any](name string, f func(A) R) expr.Option {
	return expr.Function(name, func(p ...any) (any, error) { return f(p[0].(A)), nil }, f)
}

func fn2[A, B, R any](name string, f func(A, B) R) expr.Option {
	return expr.Function(name, func(p ...any) (any, error) { return f(p[0].(A), p[1].(B)), nil }, f)
}

// match returns what the pattern finds in text: its first group where it has
// one, else the whole match. The pattern is compiled once an expression.
func match(cache *sync.Map, text, pattern string) ([]string, error) {
	var re *regexp.Regexp
	if known, ok := cache.Load(pattern); ok {
		re = known.(*regexp.Regexp)
	} else {
		var err error
		if re, err = regexp.Compile(pattern); err != nil {
			return nil, fmt.Errorf("match: %w", err)
		}
		cache.Store(pattern, re)
	}
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, maxMatches) {
		out = append(out, m[min(1, len(m)-1)])
	}
	return out, nil
}
