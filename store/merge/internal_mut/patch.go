package merge

import "slices"

// edits are changes to a sorted relation of a view: values to take out and to
// put in.
type edits[T any] struct{ out, in []*T }

// replace notes that a value has become another; either may be nil.
func (e *edits[T]) replace(old, now *T) {
	if old != nil {
		e.out = append(e.out, old)
	}
	if now != nil {
		e.in = append(e.in, now)
	}
}

// apply returns the relation after the edits. The old one is not changed, and
// what lies between edits is copied as it is.
func (e *edits[T]) apply(old []T, compare func(a, b *T) int) []T {
	if len(e.out)+len(e.in) == 0 {
		return old
	}
	slices.SortFunc(e.out, compare)
	slices.SortFunc(e.in, compare)
	next := room[T](len(old) - len(e.out) + len(e.in))
	from := 0
	for len(e.out)+len(e.in) > 0 {
		leaves := len(e.in) == 0 || len(e.out) > 0 && compare(e.out[0], e.in[0]) <= 0
		var v *T
		if leaves {
			v = e.out[0]
		} else {
			v = e.in[0]
		}
		n, _ := slices.BinarySearchFunc(old[from:], v, func(a T, v *T) int { return compare(&a, v) })
		next = append(next, old[from:from+n]...)
		from += n
		if leaves {
			from++
			e.out = e.out[1:]
		} else {
			next = append(next, *v)
			e.in = e.in[1:]
		}
	}
	return append(next, old[from:]...)
}
