package merge

import "github.com/kmemd/kmemd/store/fact"

// statement is a session's having said something of a deleted key.
type statement struct {
	key     string // hash
	content string // hash
	session string
}

// statements tell what was said of deleted keys at or before their
// tombstones, and by which sessions. Rows are counted, so that they can be
// taken out again.
type statements struct {
	g     *Graves
	by    map[statement]int
	total map[statement]int // whoever said it: session empty
}

func newStatements(g *Graves) *statements {
	return &statements{g: g, by: map[statement]int{}, total: map[statement]int{}}
}

// active reports whether anything was deleted by key at all.
func (s *statements) active() bool { return s.g != nil && len(s.g.keys) > 0 }

// add counts what a row has said n times: 1, or -1 to take it out again. It
// returns the hashes of the keys that it speaks of, as far as they are deleted.
func (s *statements) add(row any, n int) (keys []string) {
	if !s.active() {
		return nil
	}
	switch v := row.(type) {
	case *fact.Write:
		if byContent(v.Row) {
			keys = s.text(keys, v.Stamp, v.Key, v.Value, n)
		}
	case *fact.Compaction:
		for i := range v.Sections {
			keys = s.text(keys, v.Stamp, v.Sections[i].Key, v.Sections[i].Value, n)
		}
	case *Ghost:
		if v.Content != "" && v.Time <= s.g.buriedHash(v.Key) {
			s.count(statement{v.Key, v.Content, v.Session}, n)
			keys = append(keys, v.Key)
		}
	}
	return keys
}

func (s *statements) text(keys []string, st fact.Stamp, key, value string, n int) []string {
	h := s.g.hash(key)
	if st.Time > s.g.buriedHash(h) {
		return keys
	}
	s.count(statement{h, ContentHash(value), st.Session}, n)
	return append(keys, h)
}

func (s *statements) count(st statement, n int) {
	add(s.by, st, n)
	st.session = ""
	add(s.total, st, n)
}

func add(m map[statement]int, st statement, n int) {
	if m[st] += n; m[st] == 0 {
		delete(m, st)
	}
}

// hides reports whether a write is hidden by its content: the key was deleted
// when it had it, and the session had not said it by then.
func (s *statements) hides(row fact.Row, key, value, session string) bool {
	if !s.active() || !byContent(row) {
		return false
	}
	h := s.g.hash(key)
	grave := s.g.keys[h]
	if grave == nil {
		return false
	}
	content := ContentHash(value)
	if !grave.contents[content] && s.total[statement{h, content, ""}] == 0 {
		return false
	}
	return s.by[statement{h, content, session}] == 0
}
