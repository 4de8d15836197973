package redact

import "strings"

// keyOf are the words that make a key secret when they stand before "key".
var keyOf = [...]string{
	"api", "access", "private", "secret", "signing", "signature", "encryption", "encrypt", "master", "account", "auth", "service", "role", "storage", "app",
	"application", "hmac", "consumer", "deploy", "shared", "license", "crypt", "session", "admin", "root", "write", "subscription", "jwt",
}

// secretNames are the keywords of names; a name that holds one is looked at
// closer by secretName. "key" hangs on the last letter of the words in keyOf,
// since alone it is everywhere.
func secretNames() []string {
	names := []string{"pass", "pwd", "secret", "token", "edential", "_auth", `"auth"`, "_key", "-key", " key"}
	seen := map[byte]bool{}
	for _, q := range keyOf {
		if last := q[len(q)-1]; !seen[last] {
			seen[last] = true
			names = append(names, string(last)+"key")
		}
	}
	return names
}

// ends are the ends of names of secrets, and the kind that each tells.
var ends = [...]struct{ end, kind string }{
	{"password", "password"}, {"passwd", "password"}, {"passphrase", "password"}, {"passcode", "password"}, {"pwd", "password"}, {"pass", "password"}, {"passwort", "password"},
	{"secret", "secret"}, {"token", "token"}, {"credential", "credential"}, {"credentials", "credential"}, {"_auth", "credential"}, {"auth", "credential"},
	{"key", "key"},
}

// tails are words after which a name still means the secret itself.
var tails = [...]string{"value", "val", "prod", "production", "dev", "staging", "live", "b64", "base64", "string", "plain", "plaintext", "raw", "new", "old", "current", "default", "test", "hash_key"}

// harmless are words that make a token or a pass something else than a secret.
var harmless = map[string][]string{
	"token": strings.Fields(`next page continuation cancellation cancel eos bos pad unk sync stop sep cls mask start end per last first max min num input output prev curr peek if`),
	"pass":  strings.Fields(`by com encom tres sur over under multi one single render sub first second`),
}

// secretName says what kind of secret the name tells of, empty when of none.
func secretName(name string) string {
	var buf [maxName]byte
	low := lower(buf[:0], name)
	low = trimTail(low)
	for _, e := range ends {
		if !hasSuffix(low, e.end) {
			continue
		}
		head := low[:len(low)-len(e.end)]
		switch e.end {
		case "pass":
			if !cleanHead(head, name) && !anySuffix(head, "db", "user", "my", "smtp", "mail", "ftp", "pg", "root", "admin", "sudo", "redis", "mysql") {
				return ""
			}
		case "pwd":
			if !cleanHead(head, name) && !anySuffix(head, "db", "user", "old", "new", "my", "root", "admin") || name == "PWD" || name == "OLDPWD" || name == "pwd" {
				return ""
			}
		case "auth":
			if len(head) > 0 {
				return ""
			}
		case "key":
			if !qualified(head) {
				return ""
			}
			if anySuffix(trimSep(head), "private", "signing", "encryption") {
				return "private-key"
			}
			return "api-key"
		}
		if anySuffix(trimSep(head), harmless[e.end]...) {
			return ""
		}
		return e.kind
	}
	return ""
}

const maxName = 64

// lower appends the name in lower case. Separators stay.
func lower(dst []byte, name string) []byte {
	for i := 0; i < len(name) && i < maxName; i++ {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

func trimSep(b []byte) []byte {
	for len(b) > 0 && strings.IndexByte("_-. ", b[len(b)-1]) >= 0 {
		b = b[:len(b)-1]
	}
	return b
}

// trimTail cuts numbers and tails off a name.
func trimTail(b []byte) []byte {
	for {
		n := len(b)
		for len(b) > 0 && (b[len(b)-1] >= '0' && b[len(b)-1] <= '9') {
			b = b[:len(b)-1]
		}
		b = trimSep(b)
		for _, t := range tails {
			if len(b) > len(t)+3 && hasSuffix(b, t) && b[len(b)-len(t)-1] == '_' {
				b = trimSep(b[:len(b)-len(t)])
				break
			}
		}
		if len(b) == n {
			return b
		}
	}
}

func hasSuffix(b []byte, s string) bool {
	return len(b) >= len(s) && string(b[len(b)-len(s):]) == s
}

func anySuffix(b []byte, all ...string) bool {
	for _, s := range all {
		if hasSuffix(b, s) {
			return true
		}
	}
	return false
}

// cleanHead reports whether a word begins after head: a separator stands
// there, nothing, or the name goes on with a capital.
func cleanHead(head []byte, name string) bool {
	if len(head) == 0 || strings.IndexByte("_-. ", head[len(head)-1]) >= 0 {
		return true
	}
	c := name[len(head)]
	before := name[len(head)-1]
	return c >= 'A' && c <= 'Z' && (before < 'A' || before > 'Z')
}

func qualified(head []byte) bool {
	head = trimSep(head)
	for _, q := range keyOf {
		if hasSuffix(head, q) {
			return true
		}
	}
	return false
}
