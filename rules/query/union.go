package query

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"reflect"
	"slices"
	"strings"
)

// union appends relations and drops equal rows; the first of them stays. Rows
// of different relations become maps, so that each has a value, if only nil,
// for the fields of the others.
func union(g *guard, args []any) (any, error) {
	if len(args) < 2 {
		return nil, errors.New("union needs two relations, as in union(filter(…), filter(…))")
	}
	var all []any
	for _, arg := range args {
		t, err := newTable("union", arg)
		if err != nil {
			return nil, err
		}
		if err := g.spend(16 * len(t.rows)); err != nil {
			return nil, err
		}
		all = append(all, t.rows...)
	}
	t, err := newTable("union", all)
	if err != nil {
		return nil, err
	}
	if t.mixed() {
		for i, r := range all {
			if _, ok := r.(row); ok {
				m := t.fields(r, "")
				if err := g.spend(64 * len(m)); err != nil {
					return nil, err
				}
				all[i] = m
			}
		}
	}
	return distinct(g, all)
}

// uniq drops equal elements of a list; the first of them stays.
func uniq(g *guard, args []any) (any, error) {
	list, ok := elements(args[0])
	if !ok {
		return nil, fmt.Errorf("uniq needs a list, got %s", kindOf(args[0]))
	}
	return distinct(g, list)
}

// distinct returns the different ones of a list of values.
func distinct(g *guard, list []any) ([]any, error) {
	d := newDigester(g)
	seen := make(map[[2]uint64]bool)
	out := make([]any, 0, len(list))
	for _, v := range list {
		sum, err := d.digest(v)
		if err != nil {
			return nil, err
		}
		if seen[sum] {
			continue
		}
		if err := g.spend(64); err != nil {
			return nil, err
		}
		seen[sum] = true
		out = append(out, v)
	}
	return out, nil
}

// digester makes digests of values that are equal for equal values: numbers by
// what they are worth, rows and maps by their fields.
type digester struct {
	guard   *guard
	seeds   [2]maphash.Seed
	buf     []byte
	columns map[reflect.Type][]column // of rows of relations, by name
}

// column is a field of a row of a relation.
type column struct {
	name  string
	field int
}

func newDigester(g *guard) *digester {
	return &digester{
		guard: g, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, columns: make(map[reflect.Type][]column),
	}
}

// digest returns 128 bits that stand for a value.
func (d *digester) digest(v any) ([2]uint64, error) {
	d.buf = d.buf[:0]
	if err := d.value(v, 0); err != nil {
		return [2]uint64{}, err
	}
	return [2]uint64{maphash.Bytes(d.seeds[0], d.buf), maphash.Bytes(d.seeds[1], d.buf)}, nil
}

// value appends a value to the buffer, in a form that no other value has.
func (d *digester) value(v any, depth int) error {
	if depth > maxDepth {
		return errDeep
	}
	if len(d.buf) > 8*maxString {
		return errMemory
	}
	if err := d.guard.tick(); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		d.buf = append(d.buf, 'n')
	case string:
		d.text('s', v)
	case bool:
		d.text('b', fmt.Sprint(v))
	case map[string]any:
		return d.fields(v, depth)
	case row:
		return d.row(v, depth)
	case origin:
		d.origin(v)
	default:
		return d.other(v, depth)
	}
	return nil
}

// other appends numbers, lists and what is left.
func (d *digester) other(v any, depth int) error {
	if list, ok := elements(v); ok {
		d.number('l', uint64(len(list)))
		for _, element := range list {
			if err := d.value(element, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		d.number('f', math.Float64bits(float64(r.Int())))
	case r.CanUint():
		d.number('f', math.Float64bits(float64(r.Uint())))
	case r.CanFloat():
		d.number('f', math.Float64bits(r.Float()))
	default:
		d.text('v', fmt.Sprintf("%T %.200v", v, v))
	}
	return nil
}

// row appends a row of a relation, as fields does a map.
func (d *digester) row(r row, depth int) error {
	typ := reflect.TypeOf(r)
	columns, ok := d.columns[typ]
	if !ok {
		for i, name := range columnNames(r) {
			columns = append(columns, column{name, i})
		}
		slices.SortFunc(columns, func(a, b column) int { return strings.Compare(a.name, b.name) })
		d.columns[typ] = columns
	}
	d.buf = append(d.buf, 'm')
	v := reflect.ValueOf(r).Elem()
	for _, c := range columns {
		f := v.Field(c.field)
		if f.Kind() == reflect.Slice && f.IsNil() {
			continue
		}
		d.text('k', c.name)
		if f.Kind() == reflect.String {
			d.text('s', f.String())
			continue
		}
		if err := d.value(f.Interface(), depth+1); err != nil {
			return err
		}
	}
	d.buf = append(d.buf, 'e')
	return nil
}

func (d *digester) origin(o origin) {
	for _, s := range []string{o.Agent, o.Session, o.Record, o.File, o.Role, o.Via} {
		d.text('o', s)
	}
	d.number('o', uint64(o.Offset))
}

// fields appends the fields of a row, by name. A field that is nil counts as
// missing.
func (d *digester) fields(m map[string]any, depth int) error {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	d.buf = append(d.buf, 'm')
	for _, name := range names {
		if isNil(m[name]) {
			continue
		}
		d.text('k', name)
		if err := d.value(m[name], depth+1); err != nil {
			return err
		}
	}
	d.buf = append(d.buf, 'e')
	return nil
}

func (d *digester) text(kind byte, s string) {
	d.number(kind, uint64(len(s)))
	d.buf = append(d.buf, s...)
}

func (d *digester) number(kind byte, n uint64) {
	d.buf = append(d.buf, kind)
	d.buf = binary.LittleEndian.AppendUint64(d.buf, n)
}
