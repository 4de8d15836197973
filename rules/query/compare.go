package query

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"

	"github.com/expr-lang/expr/vm/runtime"
)

const (
	maxPattern = 1000     // instructions of a compiled pattern
	maxMatch   = 64 << 20 // instructions times bytes of one match
	kept       = 64       // compiled patterns kept for the next row
)

var errPattern = errors.New("the pattern is too large; use a shorter one without large counts")

// equal compares two values, lists and maps element by element.
func equal(g *guard, args []any) (any, error) {
	return same(g, args[0], args[1], 0)
}

func same(g *guard, a, b any, depth int) (bool, error) {
	if depth > maxDepth {
		return false, errDeep
	}
	if err := g.tick(); err != nil {
		return false, err
	}
	x, isList := elements(a)
	y, isListToo := elements(b)
	if isList && isListToo {
		return sameLists(g, x, y, depth)
	}
	if m, ok := a.(map[string]any); ok {
		n, ok := b.(map[string]any)
		if !ok || len(m) != len(n) {
			return false, nil
		}
		return sameMaps(g, m, n, depth)
	}
	if isList || isListToo {
		return false, nil
	}
	return runtime.Equal(a, b), nil
}

func sameLists(g *guard, x, y []any, depth int) (bool, error) {
	if len(x) != len(y) {
		return false, nil
	}
	for i := range x {
		if ok, err := same(g, x[i], y[i], depth+1); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

func sameMaps(g *guard, m, n map[string]any, depth int) (bool, error) {
	for key, value := range m {
		other, ok := n[key]
		if !ok {
			return false, nil
		}
		if ok, err := same(g, value, other, depth+1); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// in reports whether a list holds a value, or a map a key.
func in(g *guard, args []any) (any, error) {
	needle, stack := args[0], args[1]
	switch list := stack.(type) {
	case nil:
		return false, nil
	case []string:
		s, ok := needle.(string)
		if !ok {
			return false, g.tick()
		}
		for _, element := range list {
			if element == s {
				return true, nil
			}
		}
		return false, g.spend(len(list) / 64)
	}
	list, ok := elements(stack)
	if !ok {
		return runtime.In(needle, stack), nil
	}
	for _, element := range list {
		if ok, err := same(g, needle, element, 0); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// matches returns the operator of the same name. It keeps compiled patterns
// for the next row.
func matches() func(*guard, []any) (any, error) {
	type pattern struct {
		re   *regexp.Regexp
		size int
	}
	patterns := make(map[string]pattern)
	return func(g *guard, args []any) (any, error) {
		if isNil(args[0]) || isNil(args[1]) {
			return false, nil
		}
		s, ok := args[0].(string)
		source, also := args[1].(string)
		if !ok || !also {
			return nil, fmt.Errorf("matches needs two texts, got %T and %T", args[0], args[1])
		}
		p, ok := patterns[source]
		if !ok {
			var err error
			if p.re, p.size, err = compile(source); err != nil {
				return nil, err
			}
			if len(patterns) == kept {
				clear(patterns)
			}
			patterns[source] = p
		}
		if p.size*len(s) > maxMatch {
			return nil, errors.New("the pattern is too large for so long a text; use a simpler one")
		}
		if err := g.tick(); err != nil {
			return nil, err
		}
		if p.size*len(s) > maxMatch/64 {
			if err := g.check(); err != nil {
				return nil, err
			}
		}
		return p.re.MatchString(s), nil
	}
}

// compile compiles a pattern that is not too large, and returns its size in
// instructions.
func compile(source string) (*regexp.Regexp, int, error) {
	if len(source) > maxLength {
		return nil, 0, errPattern
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, 0, err
	}
	if repeats(tree) > maxPattern {
		return nil, 0, errPattern
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, 0, err
	}
	if len(prog.Inst) > maxPattern {
		return nil, 0, errPattern
	}
	re, err := regexp.Compile(source)
	return re, len(prog.Inst), err
}

// repeats estimates how many instructions a pattern has once its counted
// repetitions are written out. It stops growing soon after maxPattern.
func repeats(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += repeats(sub)
		if n > 2*maxPattern {
			break
		}
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return min(n, 1_000_000)
}

// isNil reports whether a value is nil or a nil pointer, list or map.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func:
		return r.IsNil()
	}
	return false
}
