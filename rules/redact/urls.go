package redact

import "strings"

// userInfo finds the password, or the token, before the host of a URL.
func userInfo(s string, at, _ int) (span, bool) {
	from := at + len("://")
	colon, i := -1, from
	sign := -1
scan:
	for ; i < len(s) && i-from < 256; i++ {
		switch c := s[i]; {
		case c == '@':
			sign = i // the last one: passwords may hold more
		case c == ':':
			if colon < 0 && sign < 0 {
				colon = i
			}
		case c <= ' ' || strings.IndexByte("/\"'<>`\\|,?", c) >= 0 && !(c == '<' && i == colon+1):
			break scan
		}
	}
	if sign < 0 || strings.Contains(s[from:sign], opening) {
		return span{}, false
	}
	if colon < 0 || colon > sign {
		return urlToken(s, from, sign)
	}
	return password(s, colon+1, sign)
}

func password(s string, from, to int) (span, bool) {
	v := s[from:to]
	if len(v) < 3 || strings.Contains(v, opening) || reference(v+"    ") || v[0] == '%' && len(v) < 6 || placeholder(v, "") || v == "pass" || v == "pwd" || v == "pw" {
		return span{}, false
	}
	kind := "url-password"
	if known, ok := knownFormat(v); ok {
		kind = known
	}
	return span{from, to, kind}, true
}

// urlToken finds a token that stands alone before the host.
func urlToken(s string, from, to int) (span, bool) {
	v := s[from:to]
	m := measure(v)
	if len(v) < 20 || m.digits < 2 || m.letters == 0 || reference(v) || placeholder(v, "") || m.slug(v) {
		return span{}, false
	}
	kind := "url-token"
	if strings.Contains(s[to:min(len(s), to+60)], "sentry") {
		kind = "sentry-dsn"
	}
	if known, ok := knownFormat(v); ok {
		kind = known
	}
	return span{from, to, kind}, true
}

// escapedUserInfo is userInfo in a URL that is itself escaped.
func escapedUserInfo(s string, at, _ int) (span, bool) {
	from := at + len("%3A%2F%2F")
	rest := s[from:min(len(s), from+256)]
	if i := strings.IndexAny(rest, " \t\n\"'<>`&"); i >= 0 {
		rest = rest[:i]
	}
	fold := strings.ToUpper(rest)
	colon, end := strings.Index(fold, "%3A"), strings.Index(fold, "%40")
	if slash := strings.Index(fold, "%2F"); colon < 0 || end < colon+3 || slash >= 0 && slash < end {
		return span{}, false
	}
	return password(s, from+colon+3, from+end)
}

// sasSignature finds the signature of a shared access URL.
func sasSignature(s string, at, _ int) (span, bool) {
	from := at + len("&sig=")
	end := from
	for end < len(s) && end-from < 200 && (base64Bytes[s[end]] || s[end] == '%') {
		end++
	}
	if m := measure(s[from:end]); end-from < 40 || !m.mixed() {
		return span{}, false
	}
	return span{from, end, "azure-sas"}, true
}
