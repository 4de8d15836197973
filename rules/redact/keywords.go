package redact

import "fmt"

// keywords are all that the redactor looks for, the telling ones first: of
// keywords at one place the first that finds something counts.
func (r *Redactor) keywords() []keyword {
	ks := []keyword{
		{opening, true, skipMarker},
		{"<private>", false, private("</private>")},
		{`\u003cprivate\u003e`, false, private(`\u003c/private\u003e`)},
		{"-----BEGIN", true, keyBlock},
		{"-----END", true, keyBlockEnd},
		{"eyJ", true, webToken},
		{":AA", true, telegramToken},
		{".atlasv1.", true, terraformToken},
		{"://", true, userInfo},
		{"%3A%2F%2F", false, escapedUserInfo},
		{"&sig=", true, sasSignature},
		{"?sig=", true, sasSignature},
		{"bearer", false, bearer},
		{"basic", false, basic},
		{"authorization", false, authorization},
		{"cookie", false, cookie},
		{" -u ", true, flagOf("-u", "curl", "http")},
		{" --user", true, flagOf("--user", "curl", "wget")},
		{" --proxy-user", true, flagOf("--proxy-user", "curl")},
		{" -p", true, flagOf("-p", "sshpass", "mysql", "mariadb", "mongo", "login")},
		{" -a ", true, flagOf("-a", "redis-cli")},
		{"pass:", true, passPhrase},
	}
	for _, f := range formats {
		if f.kind != "api-key" {
			ks = append(ks, keyword{f.prefix, true, f.rule()})
		}
	}
	for _, f := range formats {
		if f.kind == "api-key" {
			ks = append(ks, keyword{f.prefix, true, f.rule()})
		}
	}
	for i := range 256 { // SK and 32 digits: two letters alone are no keyword
		f := format{"twilio-key", fmt.Sprintf("SK%02x", i), hexBytes, 30, 30, false}
		ks = append(ks, keyword{f.prefix, true, f.rule()})
	}
	for i := 1; i < 10; i++ {
		ks = append(ks, keyword{fmt.Sprintf("-us%d", i), true, mailchimpKey})
	}
	for _, text := range encodedWords() {
		ks = append(ks, keyword{text, true, r.encoded})
	}
	for _, name := range secretNames() {
		ks = append(ks, keyword{name, false, assigned(len(name))})
	}
	return ks
}

// skipMarker passes over what this package wrote, so that it finds nothing in it.
func skipMarker(s string, at, _ int) (span, bool) {
	for i := at + len(opening); i < len(s) && i < at+len(opening)+maxKind; i++ {
		c := s[i]
		if c == ']' {
			if i == at+len(opening) {
				break
			}
			return span{at, i + 1, ""}, true
		}
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			break
		}
	}
	return span{}, false
}

// maxKind is longer than the longest kind.
const maxKind = 24
