package redact

import "strings"

// flagOf returns the rule for a flag that gives one of the commands a secret:
// curl -u user:password.
func flagOf(flag string, commands ...string) rule {
	return func(s string, at, done int) (span, bool) {
		begin := max(done, at-1024)
		line := s[begin:at]
		for i := strings.LastIndexByte(line, '\n'); i > 0; i = strings.LastIndexByte(line[:i], '\n') {
			if line[i-1] != '\\' { // a line that does not go on
				line = line[i:]
				break
			}
		}
		for _, command := range commands {
			if containsWord(line, command) {
				return flagValue(s, at+1, flag)
			}
		}
		return span{}, false
	}
}

// flagValue returns the secret after the flag that stands at s[i:].
func flagValue(s string, i int, flag string) (span, bool) {
	from := i + len(flag)
	if from >= len(s) {
		return span{}, false
	}
	long := strings.HasPrefix(flag, "--")
	switch {
	case s[from] == '=' && long, s[from] == ' ':
		from = blanks(s, from+1)
	case long:
		return span{}, false
	}
	p := place{flag: true, kind: "password", sep: ' '}
	from, to, ok := p.value(s, from)
	if !ok {
		return span{}, false
	}
	if flag == "-p" {
		v := s[from:to]
		if strings.IndexByte(v, ' ') >= 0 || strings.HasPrefix(v, "`") || s[from-1] == '`' {
			return span{}, false
		}
		if m := measure(v); len(v) < 6 || strings.HasPrefix(v, "-") || m.digits == len(v) || !m.mixed() && m.marks == 0 || strings.ContainsAny(v, ":/") && m.letters < 3 || reference(v) || placeholder(v, "") {
			return span{}, false
		}
		return span{from, to, "password"}, true
	}
	v := s[from:to]
	user, pass, both := strings.Cut(v, ":")
	if !both {
		m := measure(v)
		if len(v) < 16 || !m.mixed() || reference(v) || placeholder(v, "") || m.slug(v) {
			return span{}, false
		}
		return span{from, to, "password"}, true
	}
	if pass == "" { // the user alone is the key: curl -u sk_live_x:
		if len(user) < 16 || reference(user) || placeholder(user, "") {
			return span{}, false
		}
		return span{from, to - 1, "password"}, true
	}
	m := measure(pass)
	if reference(pass) || len(pass) < 3 || m.digits == len(pass) && len(pass) < 6 || placeholder(pass, "") || strings.Contains(pass, opening) {
		return span{}, false
	}
	return span{from + len(user) + 1, to, "password"}, true
}

// passPhrase finds the pass phrase of openssl: -passin pass:x.
func passPhrase(s string, at, done int) (span, bool) {
	if at < done+2 || s[at-1] != ' ' && s[at-1] != '=' || !strings.Contains(s[max(done, at-12):at], "-pass") {
		return span{}, false
	}
	p := place{kind: "password"}
	from, to, ok := p.bare(s, at+len("pass:"))
	if !ok || reference(s[from:to]) || placeholder(s[from:to], "") {
		return span{}, false
	}
	return span{from, to, "password"}, true
}

// containsWord reports whether a command stands in a line: at its beginning or
// after something that is no letter.
func containsWord(line, command string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], command)
		if i < 0 {
			return false
		}
		if at += i; at == 0 || !alnumBytes[line[at-1]] || at > 1 && line[at-2] == '\\' {
			return true
		}
		at += len(command)
	}
}
