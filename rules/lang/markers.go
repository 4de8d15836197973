package lang

import "strings"

// Pair is a key with its value.
type Pair struct{ Key, Value string }

const (
	markerTag   = "[MEMORY:"
	memoryOpen  = "<memory>"
	memoryClose = "</memory>"
)

// Markers returns the lines "[MEMORY: key] value" of the words of a user or an
// agent, in order of appearance; a key that comes twice is there twice. A
// marker stands on a line of its own, with at most a list bullet, a ">" and
// bold marks around it, and not in code or in a <memory> block quoted back.
func Markers(text string) []Pair {
	if !strings.Contains(text, markerTag) {
		return nil
	}
	var found []Pair
	lines := mdLines{text: text}
	block := false      // inside a <memory> block
	paragraph := 0      // where the present paragraph begins
	before := proseLine // kind of the line before
	for {
		line, kind, ok := lines.next()
		if !ok {
			return found
		}
		if kind == blankLine || before == blankLine || before == fenceLine || (kind == quoteLine) != (before == quoteLine) {
			paragraph = lines.start
		}
		before = kind
		if kind != proseLine && kind != quoteLine {
			continue
		}
		if block {
			block = !strings.Contains(line, memoryClose)
			continue
		}
		p, ok := marker(line)
		if ok {
			if !insideSpan(text[paragraph:lines.start], text[lines.start:]) {
				found = append(found, p)
			}
		} else if at := strings.Index(line, memoryOpen); at >= 0 {
			block = !strings.Contains(line[at:], memoryClose) && opensBlock(line[:at], text[lines.pos:])
		}
	}
}

// opensBlock reports whether a <memory> tag is more than a mention of its
// name: it begins its line or is closed later on.
func opensBlock(before, after string) bool {
	return strings.Trim(before, " \t>*-") == "" || strings.Contains(after, memoryClose)
}

// marker reads one line.
func marker(line string) (Pair, bool) {
	at := strings.Index(line, markerTag)
	if at < 0 {
		return Pair{}, false
	}
	bold, ok := decoration(line[:at])
	if !ok {
		return Pair{}, false
	}
	key, value, ok := strings.Cut(line[at+len(markerTag):], "]")
	if !ok {
		return Pair{}, false
	}
	if bold != "" {
		if rest, closed := strings.CutPrefix(value, bold); closed {
			value = rest
		} else {
			value = strings.TrimSuffix(strings.TrimRight(value, " \t"), bold)
		}
	}
	p := Pair{strings.TrimSpace(key), strings.TrimSpace(value)}
	return p, p.Key != "" && p.Value != ""
}

// decoration reports whether what stands before a marker may stand there, and
// which bold marks it ends in.
func decoration(s string) (bold string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	bullet, quote := false, false
	for {
		if n := bulletWidth(s); n > 0 && !bullet {
			bullet = true
			s = s[n:]
		} else if s != "" && s[0] == '>' && !quote {
			quote = true
			s = strings.TrimLeft(s[1:], " \t")
		} else {
			break
		}
	}
	s = strings.TrimSpace(s)
	switch s {
	case "", "*", "_", "**", "__", "***", "___":
		return s, true
	}
	return "", false
}

// insideSpan reports whether inline code that begins in the earlier lines of a
// paragraph ends in the rest of it.
func insideSpan(before, rest string) bool {
	if len(before) > maxSpan || strings.IndexByte(before, '`') < 0 {
		return false
	}
	if at := strings.Index(rest, "\n\n"); at >= 0 {
		rest = rest[:at]
	}
	rest = rest[:min(len(rest), maxSpan)]
	for {
		at := strings.IndexByte(before, '`')
		if at < 0 {
			return false
		}
		before = before[at:]
		_, size := codeSpan(before, true)
		if size == 0 {
			return closingRun(rest, run(before, '`')) >= 0
		}
		before = before[size:]
	}
}

// WithoutMarkers returns the text without its marker lines, which are entries
// of their own; a text of nothing else is returned as it is.
func WithoutMarkers(text string) string {
	if !strings.Contains(text, markerTag) {
		return text
	}
	var kept []string
	words := false
	for line := range strings.Lines(text) {
		if _, ok := marker(strings.TrimRight(line, "\r\n")); ok {
			continue
		}
		kept = append(kept, line)
		words = words || strings.TrimSpace(line) != ""
	}
	if !words {
		return text
	}
	return strings.Join(kept, "")
}
