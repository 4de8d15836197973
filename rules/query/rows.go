package query

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
)

// columnNames returns the columns of a row of a relation, as they stand in it.
func columnNames(r row) []string {
	t := reflect.TypeOf(r).Elem()
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Tag.Get("expr")
	}
	return names
}

// table gives the rows of a list by column, whatever they are.
type table struct {
	rows    []any
	columns map[reflect.Type]map[string]int // of rows of relations: field by column
}

// newTable returns the table of a list of rows. Name is what the list is for,
// in the words of an error.
func newTable(name string, list any) (*table, error) {
	rows, ok := elements(list)
	if !ok {
		return nil, fmt.Errorf("%s needs a relation, got %s", name, kindOf(list))
	}
	t := &table{rows: rows, columns: make(map[reflect.Type]map[string]int)}
	for _, element := range rows {
		switch r := element.(type) {
		case map[string]any:
		case row:
			t.know(r)
		default:
			return nil, fmt.Errorf("%s needs rows with columns, got %s", name, kindOf(element))
		}
	}
	return t, nil
}

// know learns the columns of the relation that a row belongs to.
func (t *table) know(r row) {
	typ := reflect.TypeOf(r)
	if t.columns[typ] != nil {
		return
	}
	t.columns[typ] = make(map[string]int)
	for i, name := range columnNames(r) {
		t.columns[typ][name] = i
	}
}

// value returns the value of a column of a row, false where it has none.
func (t *table) value(element any, column string) (any, bool) {
	if m, ok := element.(map[string]any); ok {
		v, ok := m[column]
		return v, ok
	}
	i, ok := t.columns[reflect.TypeOf(element)][column]
	if !ok {
		return nil, false
	}
	return reflect.ValueOf(element).Elem().Field(i).Interface(), true
}

// fields returns a row as a map, its columns with a prefix.
func (t *table) fields(element any, prefix string) map[string]any {
	out := make(map[string]any)
	t.into(out, element, prefix)
	return out
}

// into puts the columns of a row into a map.
func (t *table) into(out map[string]any, element any, prefix string) {
	if m, ok := element.(map[string]any); ok {
		for name, v := range m {
			out[prefix+name] = v
		}
		return
	}
	v := reflect.ValueOf(element).Elem()
	for name, i := range t.columns[reflect.TypeOf(element)] {
		out[prefix+name] = v.Field(i).Interface()
	}
}

// has returns an error that names the columns where no row has the given one.
func (t *table) has(column string) error {
	if len(t.rows) == 0 {
		return nil
	}
	known := make(map[string]bool)
	for _, element := range t.rows {
		if _, ok := t.value(element, column); ok {
			return nil
		}
		if m, ok := element.(map[string]any); ok && len(known) < 64 {
			for name := range m {
				known[name] = true
			}
		}
	}
	for _, columns := range t.columns {
		for name := range columns {
			known[name] = true
		}
	}
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	sort.Strings(names)
	return fmt.Errorf("no row has a field %s; the fields are %s", column, strings.Join(names, ", "))
}

// mixed reports whether the rows do not all belong to one relation.
func (t *table) mixed() bool {
	if len(t.columns) > 1 {
		return true
	}
	for _, element := range t.rows {
		if _, ok := element.(map[string]any); ok {
			return len(t.columns) > 0
		}
	}
	return false
}

// kindOf names the kind of a value as a person would.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return "a text"
	case bool:
		return "a truth value"
	case row:
		return "one row of " + v.relation()
	case map[string]any:
		return "one row"
	}
	switch k := reflect.TypeOf(v).Kind(); {
	case k >= reflect.Int && k <= reflect.Float64:
		return "a number"
	case k == reflect.Slice || k == reflect.Array:
		return "a list"
	}
	return "something else"
}
