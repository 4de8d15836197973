package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode"
)

// Texts this short are no one's secret alone: cutting them out of saved states
// would cut words that mean something else there.
const (
	shortText = 5
	plainText = 12
)

// scrub takes deleted texts out of the states that extractors and readers have
// saved in the catalog, and out of its free pages. A state of unknown form that
// holds one is dropped: its transcript is read again.
func (p *Pool) scrub(texts []string) error {
	parts := pieces(texts)
	return p.catalog.scrub(func(_ string, row *sourceRow) *sourceRow {
		next := *row
		next.cursor = p.scrubState(row.cursor, parts)
		next.extractor = p.scrubState(row.extractor, parts)
		if bytes.Equal(next.cursor, row.cursor) && bytes.Equal(next.extractor, row.extractor) {
			return nil
		}
		return &next
	})
}

func (p *Pool) scrubState(state []byte, parts []string) []byte {
	if len(state) == 0 || len(parts) == 0 {
		return state
	}
	if p.o.Scrub != nil {
		return p.o.Scrub(state, parts)
	}
	return scrubJSON(state, parts)
}

// pieces returns the parts of texts that can stand in a state: a text that was
// cut in the middle or at its end is whole there.
func pieces(texts []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		for part := range strings.SplitSeq(text, " […] ") {
			part = strings.TrimSpace(strings.TrimSuffix(part, "..."))
			if telling(part) && !seen[part] {
				seen[part] = true
				out = append(out, part)
			}
		}
	}
	return out
}

// telling reports whether a text is more than a word of the state's own.
func telling(s string) bool {
	if len(s) < shortText {
		return false
	}
	return len(s) >= plainText || strings.ContainsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLower(r) })
}

// scrubJSON cuts texts out of every string of a JSON value. It returns the
// value itself where there is none.
func scrubJSON(state []byte, parts []string) []byte {
	d := json.NewDecoder(bytes.NewReader(state))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return state
	}
	v, changed := cutTexts(v, parts)
	if !changed {
		return state
	}
	out, err := json.Marshal(v)
	if err != nil {
		return state
	}
	return out
}

// cutText cuts texts out of one string, or out of the state that it holds in
// base 64, which is how a state stands inside another.
func cutText(s string, parts []string) (string, bool) {
	if inner, err := base64.StdEncoding.DecodeString(s); err == nil && len(inner) > 1 && inner[0] == '{' {
		if next := scrubJSON(inner, parts); !bytes.Equal(next, inner) {
			return base64.StdEncoding.EncodeToString(next), true
		}
		return s, false
	}
	changed := false
	for _, part := range parts {
		if strings.Contains(s, part) {
			s, changed = strings.ReplaceAll(s, part, ""), true
		}
	}
	return s, changed
}

func cutTexts(v any, parts []string) (any, bool) {
	changed := false
	switch v := v.(type) {
	case string:
		return cutText(v, parts)
	case []any:
		for i := range v {
			var c bool
			v[i], c = cutTexts(v[i], parts)
			changed = changed || c
		}
	case map[string]any:
		for k := range v {
			var c bool
			v[k], c = cutTexts(v[k], parts)
			changed = changed || c
		}
	}
	return v, changed
}
