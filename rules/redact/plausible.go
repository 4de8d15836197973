package redact

import "strings"

// plausible reports whether a value that stands at a secret's name is one, and
// no variable, call, type, stand-in or prose. to is where it ends in s.
func (p *place) plausible(s, v string, to int) bool {
	if len(v) < 4 || strings.Contains(v, opening) || reference(v) || placeholder(v, p.name) {
		return false
	}
	m := measure(v)
	if p.ambiguous(v, m) || p.sep == ' ' && v[0] == '-' {
		return false
	}
	if p.quote != 0 {
		return p.quoted(v, m)
	}
	if p.prose {
		return m.digits > 0 && m.letters > 0 && len(v) >= 6 && m.blanks == 0 && !dated(v)
	}
	if expression(v, m) || to < len(s) && (s[to] == '(' || s[to] == '[') {
		return false
	}
	if m.digits == len(v) {
		return p.kind == "password" && len(v) >= 6 && (p.capital || p.flag) || len(v) >= 16 && p.capital
	}
	if p.assigns() {
		if namesake(v, p.kind, m) && !p.capital {
			return false
		}
		return p.kind == "password" || m.mixed() || len(v) >= 12 && !m.wordy(v)
	}
	if m.mixed() && len(v) >= 6 {
		if namesake(v, p.kind, m) {
			return false
		}
		return p.kind == "password" || len(v) >= 12 || p.query && len(v) >= 8
	}
	return p.kind == "password" && p.line && p.sep == ':' && m.lower == len(v) && len(v) >= 6 &&
		(to == len(s) || s[to] == '\n' || s[to] == '\r' || s[to] == '\\') && !commonWords[v] && !strings.HasSuffix(v, "ed")
}

// ambiguous reports whether a name as short as pass or pwd, which mean a
// verdict and a directory as well, stands at what is hardly a password.
func (p *place) ambiguous(v string, m measured) bool {
	name := strings.TrimLeft(strings.ToLower(p.name), "-")
	if name != "pass" && name != "pwd" {
		return false
	}
	return strings.ContainsAny(v, `/\`) || p.sep == ',' || p.sep == ':' && (!m.mixed() || p.capital) || p.flag && p.sep == ' ' && !m.mixed()
}

// assigns reports whether the place can hold nothing but a value: a shell's
// VARIABLE=value, a flag's.
func (p *place) assigns() bool {
	return p.capital && p.tight && p.sep == '=' || p.flag && (p.sep == '=' || p.sep == ' ') || p.sep == '>' || p.query && p.tight
}

// quoted judges a value in quotes.
func (p *place) quoted(v string, m measured) bool {
	switch {
	case m.blanks > 0:
		return (p.capital || p.kind == "password") && m.digits > 0 && m.blanks <= 7 && m.letters > 0 && !strings.ContainsAny(v, ".,:;%{") && !strings.Contains(v, "  ")
	case p.prose:
		return len(v) >= 6 && !commonWords[strings.ToLower(v)]
	case m.digits == len(v):
		return p.kind == "password" && len(v) >= 6 || len(v) >= 16
	case p.kind == "password":
		return !commonWords[strings.ToLower(v)] && !label(v, m)
	case expression(v, m) && m.digits == 0, namesake(v, p.kind, m):
		return false
	}
	return len(v) >= 8 && (m.mixed() && !m.slug(v) || len(v) >= 16 && m.upper > 2 && m.lower > 2 && !m.wordy(v))
}

// label reports whether a quoted value reads like a name of something.
func label(v string, m measured) bool {
	low := strings.ToLower(v)
	return m.digits == 0 && (strings.Contains(low, "passw") || strings.Contains(low, "secret") || strings.HasSuffix(low, "pass") || m.marks > 0 && m.slug(v) && len(v) > 12)
}

// measured counts what a value consists of.
type measured struct {
	digits, upper, lower, letters, marks, blanks, kinds int
}

func measure(v string) (m measured) {
	var seen [256]bool
	for i := 0; i < len(v); i++ {
		c := v[i]
		if !seen[c] {
			seen[c] = true
			m.kinds++
		}
		switch {
		case c >= '0' && c <= '9':
			m.digits++
		case c >= 'A' && c <= 'Z':
			m.upper++
		case c >= 'a' && c <= 'z':
			m.lower++
		case c == ' ':
			m.blanks++
		case c >= 0x80:
			m.lower++
		default:
			m.marks++
		}
	}
	m.letters = m.upper + m.lower
	return m
}

// mixed reports whether a value holds letters and digits, as keys do.
func (m *measured) mixed() bool { return m.digits > 0 && m.letters > 0 }

// slug reports whether a value is words joined with - or _ or . or /, with few
// digits: app-secret-v2.
func (m *measured) slug(v string) bool {
	return m.marks > 0 && m.digits <= 2 && m.upper <= 2 && strings.Trim(strings.ToLower(v), "abcdefghijklmnopqrstuvwxyz0123456789-_./:@") == "" && longestPart(v) <= 14
}

// wordy reports whether a value is an identifier of words: camelCase or joined.
func (m *measured) wordy(v string) bool {
	if m.digits > 0 {
		return false
	}
	if m.marks > 0 {
		return m.slug(v) || longestPart(v) <= 14
	}
	changes := 0
	for i := 1; i < len(v); i++ {
		if v[i] >= 'A' && v[i] <= 'Z' && !(v[i-1] >= 'A' && v[i-1] <= 'Z') {
			changes++
		}
	}
	return changes*4 <= len(v)
}

func longestPart(v string) int {
	longest, n := 0, 0
	for i := 0; i < len(v); i++ {
		if alnumBytes[v[i]] {
			n++
			longest = max(longest, n)
		} else {
			n = 0
		}
	}
	return longest
}

// reference reports whether a value only says where the real one is.
func reference(v string) bool {
	switch v[0] {
	case '$', '<', '{', '(', '[', '&', '*', '!', '#':
		if v[0] == '$' || v[0] == '<' || strings.HasPrefix(v, "{{") || v[0] != '#' && v[0] != '!' && v[0] != '*' && v[0] != '{' && v[0] != '&' {
			return true
		}
		if v[0] == '{' || v[0] == '&' && len(v) < 24 && measureIsWord(v[1:]) || v[0] == '!' && strings.HasPrefix(v, "!Ref") {
			return true
		}
	case '%':
		if strings.HasSuffix(v, "%") || len(v) <= 3 || v[1] == 's' || v[1] == '(' {
			return true
		}
	case '/', '~':
		return strings.Count(v, "/") > 1 || strings.HasPrefix(v, "~/") || !strings.ContainsAny(v, "0123456789")
	case '.':
		return strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "...")
	}
	if strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "$(") || strings.Contains(v, "%s") || strings.Contains(v, "%v") || strings.HasPrefix(v, "#{") {
		return true
	}
	for _, begin := range [...]string{"process.env", "os.environ", "os.getenv", "env.", "ENV[", "import.meta", "secrets.", "vault:", "op://", "ref+", "arn:", "file:", "http://", "https://",
		"env(", "getenv", "Deno.env", "Bun.env", "var.", "local.", "data.", "config.", "self.", "this.", "env:", "projects/", "keyring:", "ssm:", "sm://"} {
		if strings.HasPrefix(v, begin) {
			return true
		}
	}
	return false
}

func measureIsWord(v string) bool {
	m := measure(v)
	return m.letters+m.marks == len(v)
}

// expression reports whether a value without quotes is code: a call, an index,
// a chain of names, a type.
func expression(v string, m measured) bool {
	if strings.ContainsAny(v, "()[]{}") && m.digits < 3 || strings.Contains(v, "()") || strings.Contains(v, "(\"") || strings.Contains(v, "=>") {
		return true
	}
	if i := strings.IndexByte(v, '('); i > 0 && strings.Trim(v[:i], nameLetters) == "" {
		return true
	}
	if commonWords[strings.ToLower(v)] || strings.Contains(v, "::") || strings.Contains(v, "->") {
		return true
	}
	// a.b.c, a_b, aB: names, unless their parts are long and mixed
	return m.letters > 0 && m.digits <= 2 && strings.Contains(v, ".") && strings.Trim(strings.ToLower(v), "abcdefghijklmnopqrstuvwxyz0123456789_.?!") == "" && longestPart(v) <= 20
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

// namesake reports whether a value is the name of another such thing:
// password16, testRSA2048PrivateKey.
func namesake(v, kind string, m measured) bool {
	if m.digits > 6 || len(v) > 40 || strings.Trim(v, nameLetters) != "" {
		return false
	}
	word := kind[strings.LastIndexByte(kind, '-')+1:]
	return strings.Contains(strings.ToLower(v), word)
}

func dated(v string) bool {
	return strings.Trim(v, "0123456789-/.:TZth") == "" || strings.Trim(v, "0123456789kKmMbBsx%") == ""
}

// placeholder reports whether a value stands in for the real one.
func placeholder(v, name string) bool {
	v = v[:min(len(v), probe)]
	low := strings.ToLower(v)
	if low == strings.ToLower(strings.TrimLeft(name, "-")) || strings.Count(v, v[:1]) == len(v) {
		return true
	}
	for _, part := range [...]string{"your", "example", "placeholder", "changeme", "change-me", "change_me", "xxxx", "****", "....", "redacted", "insert", "replace", "todo", "dummy", "<", "_here", "-here",
		"undefined", "not-a-real", "notreal", "fake", "masked", "hidden", "•••", "lorem", "sk-..."} {
		if strings.Contains(low, part) {
			return true
		}
	}
	return strings.HasSuffix(low, "...") || strings.HasSuffix(v, "…") || commonWords[low]
}

// commonWords are values that are no secret wherever they stand.
var commonWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`
string str text bool boolean int integer number float any object bytes byte char array list map dict none null nil true false void unknown never
required optional missing invalid incorrect expired revoked valid empty blank unset default enabled disabled hidden changed reset wrong correct
include omit same-origin password passwd secret token key apikey api_key api-key credential credentials username user admin login basic bearer digest
oauth oauth2 jwt saml ldap none yes no on off auto manual file path name value type data input output error fail failed failure success okay
secretstr securestring char[] string? str? optional[str] option<string> string[] field column header cookie query body param params env environment
from with that this then when where which what will should must cannot being does have been only also into over under after before between
salt generated rotated encrypted decrypted hashed plaintext random stored loaded read written sent received passed set get put post
needs-auth no-auth self-signed access refresh session identity client server public private shared master root guest anonymous foo bar baz foobar test testing tests
placeholder changeme redacted masked todo tbd n/a na unchanged untouched same different other another`) {
		m[w] = true
	}
	return m
}()
