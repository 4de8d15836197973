package query

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/vm/runtime"
)

// function is a function of the language under guard.
type function struct {
	name  string
	types []any // what it takes and gives, for the checker
	call  func(*guard, []any) (any, error)
}

// Shapes of functions.
var (
	anyToAny    = new(func(any) any)
	anyToList   = new(func(any) []any)
	anyToText   = new(func(any) string)
	anysToAny   = new(func(...any) any)
	anysToList  = new(func(...any) []any)
	anyToMap    = new(func(any) map[string]any)
	textToText  = new(func(string) string)
	twoToTruth  = new(func(any, any) bool)
	splitShape  = []any{new(func(string, string) []string), new(func(string, string, int) []string)}
	sortShape   = []any{anyToList, new(func(any, string) []any)}
	joinShape   = []any{new(func(any, any, string, string) []any), new(func(any, string) string), anyToText}
	numberShape = []any{anysToAny}
)

// functions returns the options that put the package's own functions, and
// guarded twins of the language's, into an expression.
func (g *guard) functions() []expr.Option {
	list := []function{
		{fnTick, []any{new(func() any), new(func(int) any)}, tick},
		{fnAdd, []any{new(func(any, any) any)}, add},
		{fnEqual, []any{twoToTruth}, equal},
		{fnIn, []any{twoToTruth}, in},
		{fnMatches, []any{twoToTruth}, matches()},
		{"join", joinShape, join},
		{"union", []any{anysToList}, union},
		{"uniq", []any{anyToList}, uniq},
		{"flatten", []any{anyToList}, flatten},
		{"string", []any{anyToText}, text},
		{"toJSON", []any{anyToText}, toJSON},
		{"fromJSON", []any{new(func(string) any)}, costly("fromJSON", 48)},
		{"upper", []any{textToText}, costly("upper", 1)},
		{"lower", []any{textToText}, costly("lower", 1)},
		{"toBase64", []any{textToText}, costly("toBase64", 2)},
		{"fromBase64", []any{textToText}, costly("fromBase64", 1)},
		{"repeat", []any{new(func(string, int) string)}, repeat},
		{"replace", []any{new(func(string, string, string) string), new(func(string, string, string, int) string)}, replace},
		{"split", splitShape, split("split")},
		{"splitAfter", splitShape, split("splitAfter")},
		{"keys", []any{anyToList}, costly("keys", 16)},
		{"values", []any{anyToList}, costly("values", 16)},
		{"toPairs", []any{anyToAny}, costly("toPairs", 32)},
		{"fromPairs", []any{anyToMap}, costly("fromPairs", 128)},
		{"reverse", []any{anyToList}, costly("reverse", 16)},
		{"concat", []any{anysToList}, costly("concat", 16)},
		{"sort", sortShape, costly("sort", 16)},
		{"min", numberShape, numbers("min")},
		{"max", numberShape, numbers("max")},
		{"mean", numberShape, numbers("mean")},
		{"median", numberShape, numbers("median")},
	}
	options := make([]expr.Option, 0, len(list)+1)
	for _, f := range list {
		options = append(options, expr.Function(f.name, func(args ...any) (any, error) { return f.call(g, args) }, f.types...))
	}
	return append(options, expr.DisableBuiltin("timezone")) // it reads files
}

// native calls one of the language's own functions.
func native(name string, args []any) (any, error) {
	f := builtin.Builtins[builtin.Index[name]]
	switch {
	case f.Func != nil:
		return f.Func(args...)
	case f.Safe != nil:
		out, _, err := f.Safe(args...)
		return out, err
	case len(args) == 1:
		return f.Fast(args[0]), nil
	}
	return nil, fmt.Errorf("invalid number of arguments for %s (expected 1, got %d)", name, len(args))
}

// costly returns a twin of a function whose memory is in proportion to what it
// is given: unit bytes for each byte of a text or element of a list.
func costly(name string, unit int) func(*guard, []any) (any, error) {
	return func(g *guard, args []any) (any, error) {
		size := 0
		for _, arg := range args {
			size += length(arg)
		}
		if err := g.spend(size*unit + 32); err != nil {
			return nil, err
		}
		if err := g.check(); err != nil {
			return nil, err
		}
		return native(name, args)
	}
}

// length returns the length of a text, list or map, 0 of anything else.
func length(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []any:
		return len(v)
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.String:
		return r.Len()
	}
	return 0
}

func tick(g *guard, args []any) (any, error) {
	if len(args) == 1 {
		return nil, g.spend(args[0].(int))
	}
	return nil, g.tick()
}

func add(g *guard, args []any) (any, error) {
	a, ok := args[0].(string)
	b, also := args[1].(string)
	if !ok || !also {
		return runtime.Add(args[0], args[1]), nil
	}
	if err := g.text(len(a) + len(b)); err != nil {
		return nil, err
	}
	return a + b, nil
}

func repeat(g *guard, args []any) (any, error) {
	s, n := args[0].(string), runtime.ToInt(args[1])
	if n < 0 {
		return nil, fmt.Errorf("repeat needs a number that is not negative, got %d", n)
	}
	if len(s) > 0 && n > maxString/len(s) {
		return nil, errString
	}
	if err := g.text(len(s) * n); err != nil {
		return nil, err
	}
	return strings.Repeat(s, n), nil
}

func replace(g *guard, args []any) (any, error) {
	s, from, to := args[0].(string), args[1].(string), args[2].(string)
	n := strings.Count(s, from)
	if len(args) == 4 {
		if most := runtime.ToInt(args[3]); most >= 0 {
			n = min(n, most)
		}
	}
	if len(to) > 0 && n > 4*maxString/len(to) {
		return nil, errString
	}
	if err := g.text(len(s) + n*(len(to)-len(from))); err != nil {
		return nil, err
	}
	return strings.Replace(s, from, to, n), nil
}

func split(name string) func(*guard, []any) (any, error) {
	return func(g *guard, args []any) (any, error) {
		if err := g.spend(16 * (strings.Count(args[0].(string), args[1].(string)) + 1)); err != nil {
			return nil, err
		}
		return native(name, args)
	}
}

// numbers returns a twin of a function over numbers, which may be given in
// lists of lists.
func numbers(name string) func(*guard, []any) (any, error) {
	return func(g *guard, args []any) (any, error) {
		flat, err := appendFlat(g, nil, args, 0)
		if err != nil {
			return nil, err
		}
		if len(flat) == 0 {
			return nil, errors.New("not enough arguments to call " + name)
		}
		return native(name, flat)
	}
}

func flatten(g *guard, args []any) (any, error) {
	list, ok := elements(args[0])
	if !ok {
		return nil, fmt.Errorf("cannot flatten %T", args[0])
	}
	return appendFlat(g, []any{}, list, 0)
}

// appendFlat appends the elements of a list, those of lists in it in their
// place.
func appendFlat(g *guard, dst, list []any, depth int) ([]any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	for _, element := range list {
		if err := g.spend(32); err != nil { // a list has room to grow
			return nil, err
		}
		if inner, ok := elements(element); ok {
			var err error
			if dst, err = appendFlat(g, dst, inner, depth+1); err != nil {
				return nil, err
			}
			continue
		}
		dst = append(dst, element)
	}
	return dst, nil
}

// elements returns the elements of a list, false for anything else.
func elements(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case nil, string, []byte:
		return nil, false
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice && r.Kind() != reflect.Array {
		return nil, false
	}
	out := make([]any, r.Len())
	for i := range out {
		out[i] = r.Index(i).Interface()
	}
	return out, true
}
