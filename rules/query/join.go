package query

import (
	"errors"
	"fmt"
)

// maxJoined is how many rows a join may give.
const maxJoined = 50_000

var errJoin = fmt.Errorf("the join gives more than %d rows; filter both sides first", maxJoined)

// join is the equi-join of two relations: join(left, right, leftField,
// rightField) gives a row for each pair of rows with equal fields, which has
// all fields of both with left_ and right_ in front. With one or two arguments
// it is the language's own join of texts.
func join(g *guard, args []any) (any, error) {
	if len(args) != 4 {
		return joinText(g, args)
	}
	left, err := newTable("join", args[0])
	if err != nil {
		return nil, err
	}
	right, err := newTable("join", args[1])
	if err != nil {
		return nil, err
	}
	leftField, ok := args[2].(string)
	rightField, also := args[3].(string)
	if !ok || !also {
		return nil, errors.New(`join needs the names of two fields as texts, as in join(tool_calls, memory, "name", "key")`)
	}
	if err := errors.Join(left.has(leftField), right.has(rightField)); err != nil {
		return nil, err
	}
	pairs, err := match(g, left, right, leftField, rightField)
	if err != nil {
		return nil, err
	}
	return combine(g, left, right, pairs)
}

// pair is a row of the left and one of the right side.
type pair struct{ left, right int }

// match returns the pairs of rows with equal fields, in the order of the left
// side, then of the right one.
func match(g *guard, left, right *table, leftField, rightField string) ([]pair, error) {
	rows := make(map[string][]int) // of the right side, for keys that the left side has
	for _, r := range left.rows {
		if key, ok := joinKey(left, r, leftField); ok {
			if err := g.spend(len(key) + 32); err != nil {
				return nil, err
			}
			rows[key] = nil
		}
	}
	for i, r := range right.rows {
		if key, ok := joinKey(right, r, rightField); ok {
			if list, wanted := rows[key]; wanted {
				rows[key] = append(list, i)
			}
		}
		if err := g.tick(); err != nil {
			return nil, err
		}
	}
	var pairs []pair
	for i, r := range left.rows {
		key, ok := joinKey(left, r, leftField)
		if !ok {
			continue
		}
		for _, j := range rows[key] {
			if len(pairs) == maxJoined {
				return nil, errJoin
			}
			pairs = append(pairs, pair{i, j})
		}
		if err := g.tick(); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// joinKey returns the text by which a field of a row is compared, false for a
// field that is missing, nil, or no single value.
func joinKey(t *table, r any, field string) (string, bool) {
	v, ok := t.value(r, field)
	if !ok || v == nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case int, int64, bool, float64:
		return fmt.Sprint(v), true
	}
	return "", false
}

// combine makes the rows of a join.
func combine(g *guard, left, right *table, pairs []pair) ([]any, error) {
	sides := make(map[pair]map[string]any) // a row's own part, made once
	side := func(t *table, r any, at pair, prefix string) map[string]any {
		if sides[at] == nil {
			sides[at] = t.fields(r, prefix)
		}
		return sides[at]
	}
	out := make([]any, 0, len(pairs))
	for _, p := range pairs {
		l := side(left, left.rows[p.left], pair{p.left, -1}, "left_")
		r := side(right, right.rows[p.right], pair{-1, p.right}, "right_")
		if err := g.spend(64 * (len(l) + len(r))); err != nil {
			return nil, err
		}
		joined := make(map[string]any, len(l)+len(r))
		for name, v := range l {
			joined[name] = v
		}
		for name, v := range r {
			joined[name] = v
		}
		out = append(out, joined)
	}
	return out, nil
}

// joinText puts texts together, with a text between them.
func joinText(g *guard, args []any) (any, error) {
	list, ok := elements(args[0])
	if !ok {
		return nil, fmt.Errorf("join needs a list, got %s", kindOf(args[0]))
	}
	glue := ""
	if len(args) == 2 {
		if glue, ok = args[1].(string); !ok {
			return nil, fmt.Errorf("join needs a text to stand between others, got %s", kindOf(args[1]))
		}
	}
	size := 0
	for _, element := range list {
		s, ok := element.(string)
		if !ok {
			return nil, fmt.Errorf("join needs a list of texts, got %s in it", kindOf(element))
		}
		if size += len(s) + len(glue); size > maxString {
			return nil, errString
		}
	}
	if err := g.text(size); err != nil {
		return nil, err
	}
	return native("join", []any{list, glue})
}
