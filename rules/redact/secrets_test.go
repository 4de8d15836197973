package redact

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// Secrets are made up here, from pieces, when the tests run: no text that
// looks like one stands in the repository.

const (
	hexDigits = "0123456789abcdef"
	upperAny  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	alnumAny  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	wordAny   = alnumAny + "_-"
	base64Any = alnumAny + "+/"
)

// noise returns n bytes of an alphabet, always the same for the same seed.
func noise(alphabet string, n, seed int) string {
	state := uint32(seed)*2654435761 + 12345
	b := make([]byte, n)
	for i := range b {
		state = state*1664525 + 1013904223
		b[i] = alphabet[int(state>>16)%len(alphabet)]
	}
	if strings.Contains(alphabet, "k") && n > 4 {
		b[n/2] = "23456789"[seed%8] // keys without a digit are rare
		b[0], b[n-1] = 'k', 'Q'
	}
	return string(b)
}

// key is one kind of secret whose format tells it.
type key struct {
	kind   string
	prefix []string
	body   string
	n      int
	suffix string
}

var keys = []key{
	{"aws-access-key", []string{"AK", "IA"}, upperAny, 16, ""},
	{"aws-access-key", []string{"AS", "IA"}, upperAny, 16, ""},
	{"github-token", []string{"gh", "p_"}, alnumAny, 36, ""},
	{"github-token", []string{"gh", "o_"}, alnumAny, 36, ""},
	{"github-token", []string{"gh", "s_"}, alnumAny, 36, ""},
	{"github-token", []string{"gh", "r_"}, alnumAny, 76, ""},
	{"github-token", []string{"github", "_pat_"}, alnumAny + "_", 82, ""},
	{"gitlab-token", []string{"gl", "pat-"}, wordAny, 20, ""},
	{"gitlab-token", []string{"gl", "rt-"}, wordAny, 20, ""},
	{"anthropic-key", []string{"sk-", "ant-", "api03-"}, wordAny, 95, ""},
	{"openai-key", []string{"sk-", "proj-"}, wordAny, 74, ""},
	{"openai-key", []string{"sk-", "svcacct-"}, wordAny, 60, ""},
	{"api-key", []string{"s", "k-"}, alnumAny, 48, ""},
	{"openrouter-key", []string{"sk-", "or-v1-"}, hexDigits, 64, ""},
	{"google-api-key", []string{"AI", "za"}, wordAny, 35, ""},
	{"google-secret", []string{"GOC", "SPX-"}, wordAny, 28, ""},
	{"google-token", []string{"ya", "29."}, wordAny, 60, ""},
	{"stripe-key", []string{"sk_", "live_"}, alnumAny, 24, ""},
	{"stripe-key", []string{"rk_", "live_"}, alnumAny, 24, ""},
	{"stripe-key", []string{"sk_", "test_"}, alnumAny, 24, ""},
	{"stripe-secret", []string{"wh", "sec_"}, alnumAny, 32, ""},
	{"slack-token", []string{"xo", "xb-"}, "0123456789", 12, "-" + "k7Fq2Zw9Lm4Xc8Vb1Nh5"},
	{"slack-token", []string{"xo", "xp-"}, alnumAny + "-", 60, ""},
	{"slack-webhook", []string{"https://hooks.slack", ".com/services/T01ABCDEF/B02ABCDEF/"}, alnumAny, 24, ""},
	{"discord-webhook", []string{"https://discord", ".com/api/webhooks/123456789012345678/"}, wordAny, 68, ""},
	{"twilio-key", []string{"S", "K"}, hexDigits, 32, ""},
	{"sendgrid-key", []string{"S", "G."}, wordAny, 22, "." + "k8"},
	{"npm-token", []string{"np", "m_"}, alnumAny, 36, ""},
	{"pypi-token", []string{"pypi", "-AgEIcHlwaS5vcmc"}, wordAny, 80, ""},
	{"huggingface-token", []string{"h", "f_"}, alnumAny, 34, ""},
	{"digitalocean-token", []string{"dop", "_v1_"}, hexDigits, 64, ""},
	{"shopify-token", []string{"shp", "at_"}, hexDigits, 32, ""},
	{"shopify-token", []string{"shp", "ss_"}, hexDigits, 32, ""},
	{"square-token", []string{"sq0", "atp-"}, wordAny, 22, ""},
	{"mailgun-key", []string{"ke", "y-"}, hexDigits, 32, ""},
	{"age-secret-key", []string{"AGE-", "SECRET-KEY-1"}, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, ""},
	{"databricks-token", []string{"da", "pi"}, hexDigits, 32, ""},
	{"supabase-key", []string{"sb", "p_"}, hexDigits, 40, ""},
	{"netlify-token", []string{"nf", "p_"}, alnumAny, 36, ""},
	{"newrelic-key", []string{"NR", "AK-"}, upperAny, 27, ""},
	{"sentry-token", []string{"snt", "rys_"}, base64Any, 80, ""},
	{"linear-key", []string{"lin", "_api_"}, alnumAny, 40, ""},
	{"notion-token", []string{"nt", "n_"}, alnumAny, 46, ""},
	{"atlassian-token", []string{"AT", "ATT3"}, wordAny, 180, "=" + "A1B2C3D4"},
	{"docker-token", []string{"dckr", "_pat_"}, wordAny, 27, ""},
	{"fly-token", []string{"fm", "2_"}, base64Any, 120, ""},
	{"grafana-token", []string{"gl", "sa_"}, alnumAny, 32, "_" + "a1b2c3d4"},
	{"vault-token", []string{"hv", "s."}, wordAny, 90, ""},
	{"postman-key", []string{"PM", "AK-"}, hexDigits, 24, "-" + "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7"},
	{"doppler-token", []string{"dp", ".st."}, alnumAny, 43, ""},
	{"pulumi-token", []string{"pu", "l-"}, hexDigits, 40, ""},
	{"rubygems-key", []string{"ruby", "gems_"}, hexDigits, 48, ""},
	{"figma-token", []string{"fi", "gd_"}, wordAny, 40, ""},
	{"groq-key", []string{"gs", "k_"}, alnumAny, 52, ""},
	{"replicate-token", []string{"r", "8_"}, alnumAny, 37, ""},
	{"perplexity-key", []string{"pp", "lx-"}, alnumAny, 48, ""},
	{"tailscale-key", []string{"ts", "key-auth-"}, alnumAny, 30, ""},
	{"nvidia-key", []string{"nv", "api-"}, wordAny, 64, ""},
	{"heroku-key", []string{"HR", "KU-"}, wordAny, 60, ""},
	{"planetscale-token", []string{"pscale", "_tkn_"}, wordAny, 43, ""},
	{"circleci-token", []string{"CC", "IPAT_"}, alnumAny, 62, ""},
	{"sonar-token", []string{"sq", "p_"}, hexDigits, 40, ""},
	{"terraform-token", []string{}, alnumAny, 14, ".atlas" + "v1." + "k7Fq2Zw9Lm4Xc8Vb1Nh5k7Fq2Zw9Lm4Xc8Vb1Nh5k7Fq2Zw9Lm4Xc8Vb1Nh5k7Fq2"},
	{"telegram-token", []string{"123456", "7890:", "AA"}, wordAny, 33, ""},
	{"mailchimp-key", []string{}, hexDigits, 32, "-u" + "s12"},
	{"jwt", []string{"ey", "J"}, alnumAny, 33, "." + "ey" + "Jzdc1MTIzNDU2Nzg5MCJ9" + "." + "k7Fq2Zw9Lm4Xc8Vb1Nh5k7Fq2Zw"},
}

func (k *key) make(seed int) string {
	s := strings.Join(k.prefix, "") + noise(k.body, k.n, seed) + k.suffix
	if k.kind == "sendgrid-key" {
		s += noise(wordAny, 41, seed+1)
	}
	return s
}

// secret returns the part of a made-up key that must not survive.
func (k *key) secret(s string) string {
	body := strings.TrimPrefix(s, strings.Join(k.prefix, ""))
	return body[:min(16, len(body))]
}

// encodings put a key into text in different ways.
var encodings = map[string]func(string) string{
	"plain":   func(s string) string { return "use " + s + " for the shop" },
	"quoted":  func(s string) string { return `const client = connect("` + s + `");` },
	"env":     func(s string) string { return "export SHOP_TOKEN=" + s + "\nmake" },
	"json":    func(s string) string { return `{\"token\":\"` + s + `\",\"shop\":\"a\"}` },
	"escaped": func(s string) string { return `line one\n` + s + `\nline three` },
	"url":     func(s string) string { return "https://shop.example/cart?token=" + s + "&page=2" },
	"header":  func(s string) string { return "curl -H 'Authorization: Bearer " + s + "' https://shop.example" },
	"end":     func(s string) string { return "The key is " + s + "." },
}

func newRedactor(t testing.TB, allow ...string) *Redactor {
	t.Helper()
	r, err := New(allow)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestKnownFormats(t *testing.T) {
	t.Parallel()
	r := newRedactor(t)
	kinds := map[string]bool{}
	for seed := range 5 {
		for i := range keys {
			k := &keys[i]
			kinds[k.kind] = true
			s := k.make(seed*100 + i)
			for name, encode := range encodings {
				text := encode(s)
				got, n := r.Text(text)
				if n == 0 || strings.Contains(got, k.secret(s)) {
					t.Errorf("%s, %s: Text(%q) = %q, %d", k.kind, name, text, got, n)
				}
				if name == "plain" && !strings.Contains(got, "use [redacted:"+k.kind+"] for the shop") && !strings.Contains(k.kind, "webhook") {
					t.Errorf("%s: Text(%q) = %q", k.kind, text, got)
				}
				if again, n := r.Text(got); n != 0 || again != got {
					t.Errorf("%s, %s: Text(%q) goes on to %q", k.kind, name, got, again)
				}
			}
		}
	}
	if len(kinds) < 45 {
		t.Errorf("%d kinds, want 45", len(kinds))
	}
}

// word pieces of which passwords are made.
var (
	weak   = "hunt" + "er2"
	strong = noise(alnumAny, 24, 7)
	hex40  = noise(hexDigits, 40, 8)
	b64    = noise(base64Any, 40, 9)
)

var (
	basicAuth  = base64.StdEncoding.EncodeToString([]byte("ana:" + weak))
	begin, end = "-----" + "BEGIN ", "-----" + "END "
	body       = strings.Repeat(noise(base64Any, 64, 3)+"\n", 4)
	spaced     = "pa55 " + "word with spaces"
)

// places are secrets without a format: only the place tells them.
var places = []struct{ kind, text, secret string }{
	{"password", "DB_PASSWORD=" + weak, weak},
	{"password", "export DB_PASSWORD='" + weak + "'", weak},
	{"password", `PASSWORD="` + spaced + `"`, spaced},
	{"password", "PGPASSWORD=" + weak + " psql -h db", weak},
	{"password", "MYSQL_ROOT_PASSWORD: " + weak, weak},
	{"password", "  password: " + weak + "\n  user: ana", weak},
	{"password", "password: " + "swordfish", "swordfish"},
	{"password", `password = "swordfish"`, "swordfish"},
	{"password", `{"password": "` + weak + `"}`, weak},
	{"password", `{\"password\":\"` + weak + `\"}`, weak},
	{"password", `{\\\"password\\\":\\\"` + weak + `\\\"}`, weak},
	{"password", "const password: string = '" + weak + "'", weak},
	{"password", `var dbPassword string = "` + weak + `"`, weak},
	{"password", `let db_password: &str = "` + weak + `";`, weak},
	{"password", `password := "` + weak + `"`, weak},
	{"password", `:password => "` + weak + `"`, weak},
	{"password", `config["password"] = "` + weak + `"`, weak},
	{"password", `if password == "` + weak + `" {`, weak},
	{"password", `os.Setenv("DB_PASSWORD", "` + weak + `")`, weak},
	{"password", "shopctl --password " + weak + " cart", weak},
	{"password", "shopctl --password=" + weak, weak},
	{"password", "<password>" + weak + "</password>", weak},
	{"password", "https://shop.example/login?user=ana&password=" + weak + "&x=1", weak},
	{"password", "password%3D" + weak + "%26x%3D1", weak},
	{"password", "Server=db;User Id=sa;Password=" + weak + ";Encrypt=true", weak},
	{"password", "Server=db;Uid=sa;Pwd=" + weak + ";", weak},
	{"password", "my password is " + weak, weak},
	{"password", "- name: DB_PASSWORD\n  value: " + weak, weak},
	{"password", `{"name":"DB_PASSWORD","value":"` + weak + `"}`, weak},
	{"password", "spring.datasource.password=" + weak, weak},
	{"password", "passphrase: '" + weak + "'", weak},
	{"password", "DB_PASS=" + weak, weak},
	{"password", "smtpPass: \"" + weak + "\"", weak},
	{"password", "PASSWORD_2=" + weak, weak},
	{"password", "sshpass -p " + weak + " ssh ana@shop", weak},
	{"password", "mysql -u root -p" + weak + "! shop", weak},
	{"password", "docker login -u ana -p " + weak + " registry.example", weak},
	{"password", "redis-cli -h cache -a " + strong + " ping", strong},
	{"password", "openssl rsa -in a.pem -passin pass:" + weak, weak},
	{"password", "curl -u ana:" + weak + " https://shop.example", weak},
	{"password", "curl -s --user 'ana:" + weak + "' https://shop.example", weak},
	{"password", "curl --user=ana:" + weak + " https://shop.example", weak},
	{"password", "curl \\\n  -u ana:" + weak + " \\\n  https://shop.example", weak},
	{"url-password", "postgres://shed:" + weak + "@db.shop.internal:5432/fruit", weak},
	{"url-password", "redis://:" + weak + "@cache:6379/0", weak},
	{"url-password", "DATABASE_URL=mysql://root:" + weak + "@localhost/shop", weak},
	{"url-password", "mongodb+srv://ana:" + weak + "@cluster.example/?w=1", weak},
	{"url-password", "git clone https://ana:" + weak + "@git.example/shop.git", weak},
	{"url-password", "amqp://ana:p@ss" + weak + "@queue/", weak},
	{"url-password", "postgres%3A%2F%2Fana%3A" + weak + "%40db%2Fshop", weak},
	{"url-token", "https://" + strong + "@git.example/shop.git", strong},
	{"sentry-dsn", "https://" + noise(hexDigits, 32, 5) + "@o1.ingest.sentry.io/2", noise(hexDigits, 32, 5)},
	{"bearer-token", "Authorization: Bearer " + strong, strong},
	{"bearer-token", "authorization: bearer " + hex40, hex40},
	{"bearer-token", `headers: { "Authorization": "Bearer ` + strong + `" }`, strong},
	{"basic-auth", "Authorization: Basic " + basicAuth, basicAuth},
	{"auth-token", "Authorization: token " + hex40, hex40},
	{"auth-token", "Authorization: Bot " + strong, strong},
	{"auth-token", "'Authorization': '" + strong + "'", strong},
	{"aws-signature", "Authorization: AWS4-HMAC-SHA256 Credential=x/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=" + noise(hexDigits, 64, 4), noise(hexDigits, 64, 4)},
	{"cookie", "Cookie: sid=" + strong + "; theme=dark", strong},
	{"cookie", "-H 'cookie: session=" + strong + "' https://shop.example", strong},
	{"cookie", "Set-Cookie: JSESSIONID=" + strong + "; Path=/; HttpOnly", strong},
	{"token", "//registry.npmjs.org/:_authToken=" + strong, strong},
	{"token", "ACCESS_TOKEN=" + strong, strong},
	{"token", "AWS_SESSION_TOKEN=" + strings.Repeat(b64, 30) + "\nx", b64},
	{"token", `"sessionToken": "` + strings.Repeat(b64, 30) + `"`, b64},
	{"token", `"refreshToken": "` + strong + `"`, strong},
	{"token", "token: " + strong, strong},
	{"token", "curl -d access_token=" + strong + " https://shop.example", strong},
	{"token", "https://shop.example/hook?token=" + strong, strong},
	{"token", "gh secret set X --token " + strong, strong},
	{"token", "set token " + "is " + strong, strong},
	{"api-key", "API_KEY=" + strong, strong},
	{"api-key", "apiKey: '" + strong + "'", strong},
	{"api-key", `"api_key":"` + hex40 + `"`, hex40},
	{"api-key", "-H 'X-Api-Key: " + strong + "'", strong},
	{"api-key", "x-api-key=" + strong, strong},
	{"api-key", "DD_API_KEY=" + noise(hexDigits, 32, 6), noise(hexDigits, 32, 6)},
	{"api-key", "CLOUDFLARE_API_KEY=" + noise(hexDigits, 37, 6), noise(hexDigits, 37, 6)},
	{"api-key", "HEROKU_API_KEY=" + noise(hexDigits, 8, 1) + "-" + noise(hexDigits, 4, 2) + "-4" + noise(hexDigits, 3, 3) + "-a" + noise(hexDigits, 3, 4) + "-" + noise(hexDigits, 12, 5), noise(hexDigits, 12, 5)},
	{"api-key", "aws_secret_access_key = " + b64, b64},
	{"api-key", "AWS_SECRET_ACCESS_KEY=" + b64, b64},
	{"api-key", `"SecretAccessKey": "` + b64 + `"`, b64},
	{"api-key", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=" + b64 + b64 + "==;EndpointSuffix=core", b64},
	{"api-key", "SharedAccessKey=" + b64 + "=", b64},
	{"api-key", "SUPABASE_SERVICE_ROLE_KEY=" + strong, strong},
	{"api-key", "my API key: " + strong, strong},
	{"private-key", "signing_key: \"" + strong + "\"", strong},
	{"secret", "client_secret=" + strong, strong},
	{"secret", "clientSecret: \"" + strong + "\"", strong},
	{"secret", "JWT_SECRET=" + strong, strong},
	{"secret", `secret: "` + hex40 + `"`, hex40},
	{"secret", "SESSION_SECRET: " + strong, strong},
	{"credential", "credentials: \"" + strong + "\"", strong},
	{"credential", `"auth": "` + basicAuth + `"`, basicAuth},
	{"credential", "_auth=" + basicAuth, basicAuth},
	{"azure-sas", "https://shop.blob.example/a?sv=2020&sig=" + strings.ReplaceAll(b64, "/", "%2F") + "%3D&se=1", b64[:8]},
	{"private-key", begin + "PRIVATE KEY-----\n" + body + end + "PRIVATE KEY-----", body[:40]},
	{"private-key", begin + "RSA PRIVATE KEY-----\n" + body, body[:40]},
	{"private-key", begin + "OPENSSH PRIVATE KEY-----\\n" + strings.ReplaceAll(body, "\n", `\n`) + end + "OPENSSH PRIVATE KEY-----\\n", body[70:100]},
	{"private-key", begin + "EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n" + body + end + "EC PRIVATE KEY-----", body[70:100]},
	{"private-key", begin + "PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n" + body + "=ab12\n" + end + "PGP PRIVATE KEY BLOCK-----", body[70:100]},
	{"private-key", "cut off " + "\n" + body + end + "PRIVATE KEY-----", body[70:100]},
	{"private-key", `key = "` + begin + `PRIVATE KEY-----\n" + "` + body[:64] + `\n" + "` + body[65:129] + `\n"`, body[70:100]},
	{"private", "the plan is <private>sell the north shed</private> soon", "sell the north shed"},
	{"private", "a <PRIVATE>sell the north\nshed", "sell the north"},
	{"private", `a \u003cprivate\u003esell\u003c/private\u003e b`, "sell"},
	{"encoded", "data: " + base64.StdEncoding.EncodeToString([]byte("DB_PASSWORD="+weak+"\nA=1")), base64.StdEncoding.EncodeToString([]byte("DB_PASSWORD=" + weak))[:20]},
	{"encoded", "echo " + base64.StdEncoding.EncodeToString([]byte(`{"api_key":"`+strong+`"}`)) + " | base64 -d", base64.StdEncoding.EncodeToString([]byte(`{"api_key":"` + strong))[:24]},
	{"github-token", `token = "gh` + `p_" + "` + noise(alnumAny, 36, 2) + `"`, noise(alnumAny, 36, 2)},
	{"github-token", "gh" + "p_''" + noise(alnumAny, 36, 2), noise(alnumAny, 36, 2)},
	{"github-token", "wrapped gh" + "p_" + noise(alnumAny, 20, 2) + "\n" + noise(alnumAny, 16, 3), noise(alnumAny, 20, 2)},
	{"github-token", "xgh" + "p_" + noise(alnumAny, 36, 2) + "x", noise(alnumAny, 36, 2)},
	{"anthropic-key", "GITHUB_TOKEN=sk-" + "ant-api03-" + strong, strong},
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	r := newRedactor(t)
	for i, c := range places {
		got, n := r.Text(c.text)
		if n == 0 || strings.Contains(got, c.secret) || !strings.Contains(got, "[redacted:"+c.kind+"]") {
			t.Errorf("%d: Text(%q) = %q, %d; want %s", i, c.text, got, n, c.kind)
		}
		if again, n := r.Text(got); n != 0 || again != got {
			t.Errorf("%d: Text(%q) goes on to %q", i, got, again)
		}
	}
}

// TestKeepsTheRest checks that only the secret goes.
func TestKeepsTheRest(t *testing.T) {
	t.Parallel()
	r := newRedactor(t)
	for text, want := range map[string]string{
		"postgres://shed:" + weak + "@db:5432/fruit. Deploys go north": "postgres://shed:[redacted:url-password]@db:5432/fruit. Deploys go north",
		"DB_PASSWORD=" + weak + "\nDB_HOST=db":                         "DB_PASSWORD=[redacted:password]\nDB_HOST=db",
		"curl -u ana:" + weak + " https://a.example/x":                 "curl -u ana:[redacted:password] https://a.example/x",
		`{"password":"` + weak + `","user":"ana"}`:                     `{"password":"[redacted:password]","user":"ana"}`,
		"a <private>b</private> c":                                     "a [redacted:private] c",
	} {
		if got, n := r.Text(text); got != want || n != 1 {
			t.Errorf("Text(%q) = %q, %d, want %q", text, got, n, want)
		}
	}
	many := strings.Repeat("A_TOKEN="+strong+"\n", 3)
	if got, n := r.Text(many); n != 3 {
		t.Errorf("Text(%q) = %q, %d, want 3", many, got, n)
	}
}

func TestAllow(t *testing.T) {
	t.Parallel()
	r := newRedactor(t, "^hunt", fmt.Sprintf("^%s$", strong))
	for _, text := range []string{"DB_PASSWORD=" + weak, "token: " + strong} {
		if got, n := r.Text(text); n != 0 || got != text {
			t.Errorf("Text(%q) = %q, %d", text, got, n)
		}
	}
	if got, n := r.Text("DB_PASSWORD=x" + weak); n != 1 {
		t.Errorf("Text = %q, %d, want 1", got, n)
	}
	if _, err := New([]string{"a", "("}); err == nil || !strings.Contains(err.Error(), `"("`) {
		t.Errorf("New = %v, want an error that names the pattern", err)
	}
}
