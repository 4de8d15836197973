package scan

import "bytes"

// Span is a part of a line: line[From:To].
type Span struct{ From, To int }

// maxRecords bounds what one broken line may give.
const maxRecords = 64

// Split finds the records of a line that Parse refuses: complete objects glued
// together, and a complete object after a torn one. Only objects with a member
// "type" or "uuid" (any agent's records have one) count after a torn beginning.
// It returns nothing where nothing can be saved.
func Split(line []byte) []Span {
	var spans []Span
	budget := 8 // how often a torn beginning may be tried again
	for i := skipBlank(line, 0); i < len(line) && len(spans) < maxRecords; {
		if line[i] == '{' {
			if end, err := (*Scanner)(nil).check(line, i, 0); err == nil {
				spans = append(spans, Span{i, end})
				i = skipBlank(line, end)
				continue
			}
		}
		if budget--; budget < 0 {
			break
		}
		next := nextRecord(line, i+1)
		if next < 0 {
			break
		}
		i = next
	}
	return spans
}

// nextRecord finds the next place from i on where an object begins that is
// complete and looks like a record.
func nextRecord(line []byte, i int) int {
	for tries := 0; tries < maxRecords && i < len(line); tries++ {
		n := bytes.Index(line[i:], []byte(`{"`))
		if n < 0 {
			return -1
		}
		i += n
		if end, err := (*Scanner)(nil).check(line, i, 0); err == nil {
			v := Value{raw: line[i:end]}
			if v.Get("type").Kind() == String || v.Get("uuid").Kind() == String {
				return i
			}
			i = end
			continue
		}
		i++
	}
	return -1
}
