package query

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// maxDepth is how deep lists and maps may be nested.
const maxDepth = 64

var (
	errDeep   = errors.New("the query makes lists or maps that are nested too deeply")
	errResult = fmt.Errorf("the rows take more than %d MiB; select fewer fields with map, or set a limit", maxResult>>20)
)

// plainer turns values into what can be encoded as JSON.
type plainer struct {
	guard *guard
	left  int // bytes that the result may still take
}

// plain returns a value as JSON knows it: maps have texts for keys, texts are
// valid UTF-8, what is no number is nil, rows stay rows.
func (p *plainer) plain(v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDeep
	}
	if err := p.take(8); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		return strings.ToValidUTF8(v, "\uFFFD"), p.take(len(v))
	case row:
		return v, p.take(rowSize(v))
	case origin:
		return v, p.take(len(fmt.Sprint(v)))
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	case time.Duration:
		return v.String(), nil
	case []byte:
		return v, p.take(2 * len(v))
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Float32, reflect.Float64:
		if math.IsNaN(r.Float()) || math.IsInf(r.Float(), 0) {
			return nil, nil
		}
		return v, nil
	case reflect.Map:
		return p.mapping(r, depth)
	case reflect.Slice, reflect.Array:
		return p.list(r, depth)
	}
	if r.CanInt() || r.CanUint() {
		return v, nil
	}
	return nil, fmt.Errorf("a row holds %T, which is no value", v)
}

func (p *plainer) take(n int) error {
	if p.left -= n; p.left < 0 {
		return errResult
	}
	return p.guard.tick()
}

func (p *plainer) mapping(m reflect.Value, depth int) (any, error) {
	out := make(map[string]any, min(m.Len(), 64))
	for it := m.MapRange(); it.Next(); {
		key, err := p.plain(it.Key().Interface(), depth+1)
		if err != nil {
			return nil, err
		}
		value, err := p.plain(it.Value().Interface(), depth+1)
		if err != nil {
			return nil, err
		}
		out[fmt.Sprint(key)] = value
	}
	return out, nil
}

func (p *plainer) list(l reflect.Value, depth int) (any, error) {
	if l.Kind() == reflect.Slice && l.IsNil() {
		return nil, nil
	}
	out := make([]any, 0, min(l.Len(), 1024))
	for i := range l.Len() {
		value, err := p.plain(l.Index(i).Interface(), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

// rowSize estimates what a row takes as JSON.
func rowSize(r row) int {
	n := 0
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		n += 24
		if f := v.Field(i); f.Kind() == reflect.String {
			n += f.Len()
		} else if f.Kind() == reflect.Slice {
			for j := range f.Len() {
				n += f.Index(j).Len() + 4
			}
		}
	}
	return n
}

// toJSON encodes a value.
func toJSON(g *guard, args []any) (any, error) {
	p := plainer{guard: g, left: maxString}
	value, err := p.plain(args[0], 0)
	if errors.Is(err, errResult) {
		err = errString
	}
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return string(data), g.text(len(data))
}

// text returns a value as text: lists and maps as JSON.
func text(g *guard, args []any) (any, error) {
	switch v := args[0].(type) {
	case string:
		return v, nil
	case nil, bool, int, int64, float64:
		return fmt.Sprint(v), g.spend(32)
	case time.Time, time.Duration:
		return fmt.Sprint(v), g.spend(64)
	}
	return toJSON(g, args)
}
