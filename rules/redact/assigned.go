package redact

import "strings"

// A place says how a value stands beside its name.
type place struct {
	kind    string
	name    string
	capital bool // the name is in capitals: an environment variable
	flag    bool // it is a command-line flag
	tight   bool // name=value without blanks
	sep     byte // '=', ':', ',', '>' or ' '
	line    bool // name and value are all there is on the line
	query   bool // it is a parameter of a URL
	prose   bool // "the password is …"
	quote   byte // quote around the value, 0 without
	long    bool // the value goes on behind what is judged of it
}

// assigned returns the rule for a keyword of n bytes that is part of a name: it
// finds the value that the name is given.
func assigned(n int) rule {
	return func(s string, at, done int) (span, bool) {
		if s[at] == '"' {
			at++
			n := n - 2
			return assignedName(s, at, at+n, done)
		}
		lo, hi := at, at+n
		for lo > done && at-lo < maxName/2 && nameByte(s[lo-1]) {
			lo--
		}
		for hi < len(s) && hi-at < maxName/2 && (nameByte(s[hi]) && s[hi] != '.' || s[hi] == '.' && hi+1 < len(s) && alnumBytes[s[hi+1]]) {
			hi++
		}
		return assignedName(s, lo, hi, done)
	}
}

func nameByte(c byte) bool { return alnumBytes[c] || c == '_' || c == '-' || c == '.' }

func assignedName(s string, lo, hi, done int) (span, bool) {
	if hi >= len(s) || strings.IndexByte("\"'`\\]:=>?%, \t*\r\n", s[hi]) < 0 {
		return span{}, false
	}
	name := s[lo:hi]
	if len(name) > 1 && name[0] == 'n' && lo > 0 && s[lo-1] == '\\' {
		name = name[1:] // after an escaped line break
	}
	if i := strings.LastIndexByte(name, '-'); i >= 0 && strings.HasPrefix(name[i:], "-D") && len(name) > i+2 {
		name = name[i+2:]
	}
	p := place{name: name, flag: strings.HasPrefix(name, "-")}
	from, ok := p.separator(s, lo, hi)
	if !ok {
		return span{}, false
	}
	if p.kind = secretName(name); p.kind == "" {
		return span{}, false
	}
	p.capital = capitals(name)
	p.query = lo > 0 && (s[lo-1] == '?' || s[lo-1] == '&')
	p.line = alone(s, lo)
	from, to, ok := p.value(s, from)
	if p.sep == '>' && !strings.HasPrefix(s[to:], "</") {
		return span{}, false
	}
	if !ok || from < done || !p.plausible(s, s[from:to], to) {
		return span{}, false
	}
	if f, ok := knownFormat(s[from:to]); ok {
		p.kind = f
	}
	if p.long {
		if strings.IndexByte(s[from:to], ' ') >= 0 {
			return span{}, false
		}
		to = credentialEnd(s, to, len(s))
	}
	return span{from, to, p.kind}, true
}

// capitals reports whether a name is written like an environment variable.
func capitals(name string) bool {
	upper := false
	for i := 0; i < len(name); i++ {
		if c := name[i]; c >= 'a' && c <= 'z' {
			return false
		} else if c >= 'A' && c <= 'Z' {
			upper = true
		}
	}
	return upper
}

// alone reports whether nothing but blanks and what may lead an assignment
// stands on the line before lo.
func alone(s string, lo int) bool {
	begin := strings.LastIndexByte(s[max(0, lo-80):lo], '\n') + max(0, lo-80) + 1
	if lo > 80 && begin == lo-80 {
		return false
	}
	lead := strings.Trim(s[begin:lo], " \t\"'-")
	return lead == "" || lead == "export" || lead == "set" || lead == "ENV" || strings.HasSuffix(lead, "\\n") || strings.HasSuffix(lead, "\\")
}

// knownFormat returns the kind of the key that value is as a whole.
func knownFormat(value string) (string, bool) {
	for i := range formats {
		f := &formats[i]
		if f.kind != "api-key" && strings.HasPrefix(value, f.prefix) {
			if _, n := f.read(value, len(f.prefix)); n >= f.min {
				return f.kind, true
			}
		}
	}
	return "", false
}

// separator finds what stands between the name that ends at hi and its value,
// and returns where the value begins.
func (p *place) separator(s string, lo, hi int) (int, bool) {
	end, quoted := closeName(s, hi)
	if end < len(s) && s[end] == '>' && lo > 0 && s[lo-1] == '<' {
		p.sep = '>'
		return end + 1, true
	}
	i := blanks(s, end)
	if i >= len(s) {
		return 0, false
	}
	if at, ok := listed(s, i); ok {
		p.sep = ':'
		return at, true
	}
	spaced := i > end
	switch n := p.sign(s[i:]); {
	case n > 0:
		i += n
		spaced = spaced || n > 1 && s[i-n] != '%'
	case n < 0:
		return 0, false
	case s[i] == ',' && quoted && argument(s, lo):
		p.sep = ','
		i++
	case !spaced || quoted:
		return 0, false
	default:
		return p.spaced(s, i)
	}
	after := blanks(s, i)
	p.tight = !spaced && after == i
	if p.sep == ':' {
		if at, ok := typed(s, after); ok {
			p.sep, p.tight = '=', false
			return at, true
		}
	}
	return after, after < len(s)
}

// closeName passes over what closes a name: quotes, escaped ones included, a
// bracket, the question mark of an optional field.
func closeName(s string, i int) (end int, quoted bool) {
	for n := 0; i < len(s) && n < 6; n++ {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			quoted = true
		case c == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\'' || s[i+1] == '\\'):
		case c == ']' && quoted, c == '*' && n < 3:
		case strings.HasPrefix(s[i:], "%22"), strings.HasPrefix(s[i:], "%27"):
			quoted = true
			i += 2
		default:
			n = 6
			continue
		}
		i++
	}
	if i+1 < len(s) && s[i] == '?' && s[i+1] == ':' {
		i++
	}
	return i, quoted
}

// sign reads the sign of an assignment or comparison at the beginning of rest
// and returns its length, 0 where there is none, -1 where it rules a value out.
func (p *place) sign(rest string) int {
	if strings.HasPrefix(rest, "::") || strings.HasPrefix(rest, "!=") {
		return -1
	}
	p.sep = '='
	for _, two := range [...]string{"===", ":=", "=>", "==", "?=", "+="} {
		if strings.HasPrefix(rest, two) {
			p.sep = '='
			return len(two)
		}
	}
	if rest[0] == '=' || rest[0] == ':' {
		p.sep = rest[0]
		return 1
	}
	for _, escaped := range [...]string{"%3D", "%3d", "%3A", "%3a"} {
		if strings.HasPrefix(rest, escaped) {
			return len(escaped)
		}
	}
	return 0
}

// spaced finds the value of a name that is divided from it by blanks alone: a
// flag's, one in prose, one after a type.
func (p *place) spaced(s string, i int) (int, bool) {
	rest := s[i:]
	if p.flag {
		p.sep = ' '
		return i, true
	}
	if strings.HasPrefix(rest, "is ") || strings.HasPrefix(rest, "was ") || strings.HasPrefix(rest, "is: ") {
		p.sep, p.prose = ' ', true
		at := blanks(s, i+strings.IndexByte(rest, ' '))
		return at, at < len(s)
	}
	return typed(s, i)
}

// argument reports whether the quoted name at lo is the first argument of a
// call: set("password", "x").
func argument(s string, lo int) bool {
	for i := lo - 1; i >= 0 && lo-i < 6; i-- {
		switch s[i] {
		case '"', '\'', '`', '\\', ' ':
		case '(', '[':
			return true
		default:
			return false
		}
	}
	return false
}

// blanks passes over blanks, escaped ones included.
func blanks(s string, i int) int {
	for n := 0; i < len(s) && n < 40; n++ {
		switch {
		case s[i] == ' ' || s[i] == '\t':
			i++
		case strings.HasPrefix(s[i:], "%20"):
			i += 3
		default:
			return i
		}
	}
	return i
}

// typed passes over a type between a name and "=": `: string = "x"`, ` string = "x"`.
func typed(s string, i int) (int, bool) {
	j := i
	for j < len(s) && j-i < 40 && (nameByte(s[j]) || strings.IndexByte("<>[]&'?|* ", s[j]) >= 0) {
		j++
	}
	if j == i || j >= len(s) || s[j] != '=' || strings.Count(strings.Trim(s[i:j], " "), " ") > 1 || j+1 < len(s) && (s[j+1] == '=' || s[j+1] == '>') {
		return 0, false
	}
	j = blanks(s, j+1)
	return j, j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`')
}

// listed finds the value of a name that stands in a list of names and values:
// `name: DB_PASSWORD` + `value: x`, `"name":"DB_PASSWORD","value":"x"`.
func listed(s string, i int) (int, bool) {
	j := i
	for j < len(s) && j-i < 60 && strings.IndexByte(" \t\r\n,\"'\\", s[j]) >= 0 {
		j++
		if j < len(s) && s[j] == 'n' && s[j-1] == '\\' {
			j++
		}
	}
	if j == i || !strings.HasPrefix(s[j:], "value") && !strings.HasPrefix(s[j:], "Value") {
		return 0, false
	}
	j += len("value")
	for j < len(s) && strings.IndexByte("\"'\\ ", s[j]) >= 0 {
		j++
	}
	if j >= len(s) || s[j] != ':' && s[j] != '=' {
		return 0, false
	}
	j = blanks(s, j+1)
	return j, j < len(s)
}

// maxValue bounds what is judged of a value, in bytes.
const maxValue = 512

// value returns where the value at s[i:] begins and ends, without its quotes.
func (p *place) value(s string, i int) (from, to int, ok bool) {
	j := i
	for j < len(s) && j-i < 8 && s[j] == '\\' {
		j++
	}
	escape := s[i:j]
	if j < len(s) && j-i < 8 && (s[j] == 'b' || s[j] == 'f' || s[j] == 'r' || s[j] == 'u' || s[j] == '@') && j+1 < len(s) && (s[j+1] == '"' || s[j+1] == '\'') && escape == "" {
		j++ // the prefix of a string: b"…"
	}
	if strings.HasPrefix(s[j:], "%22") || strings.HasPrefix(s[j:], "%27") {
		n := strings.Index(s[j+3:min(len(s), j+maxValue)], s[j:j+3])
		p.quote = '"'
		return j + 3, j + 3 + n, n > 0
	}
	if j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`') {
		p.quote = s[j]
		from = j + 1
		for to = from; to < len(s) && to-from < maxValue; to++ {
			if s[to] == '\n' && p.quote != '`' {
				break
			}
			if s[to] != p.quote {
				continue
			}
			k := to
			for k > from && s[k-1] == '\\' {
				k--
			}
			if to-k <= len(escape) {
				return from, k, k > from
			}
		}
		p.long = to-from >= maxValue
		return from, to, to > from // else cut off
	}
	return p.bare(s, i)
}

// bare returns the extent of a value without quotes.
func (p *place) bare(s string, i int) (from, to int, ok bool) {
	to = i
	for to < len(s) && to-i < maxValue {
		c := s[to]
		if c <= ' ' || strings.IndexByte("\"'`;|<>", c) >= 0 || c == '&' && (p.query || to > i) {
			break
		}
		if c == ',' && (to+1 >= len(s) || s[to+1] <= ' ' || !p.capital) {
			break
		}
		if c == '\\' && to+1 < len(s) && strings.IndexByte("nrt\"'\\", s[to+1]) >= 0 {
			break
		}
		if c == '%' && (strings.HasPrefix(s[to:], "%26") || strings.HasPrefix(s[to:], "%22") || strings.HasPrefix(s[to:], "%0A")) {
			break
		}
		if p.sep == '>' && c == '<' {
			break
		}
		to++
	}
	if p.long = to-i >= maxValue; p.long {
		return i, to, true
	}
	for to > i && strings.IndexByte(")]}.:!?,*", s[to-1]) >= 0 && !(s[to-1] == '}' && strings.Contains(s[i:to], "{")) && !(s[to-1] == ')' && strings.Contains(s[i:to], "(")) {
		to--
	}
	return i, to, to > i
}
