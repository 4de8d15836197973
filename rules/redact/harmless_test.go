package redact

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// harmlessTexts are texts that only look like secrets.
func harmlessTexts() []string {
	sha1, sha256 := noise(hexDigits, 40, 11), noise(hexDigits, 64, 12)
	uuid := noise(hexDigits, 8, 1) + "-" + noise(hexDigits, 4, 2) + "-4" + noise(hexDigits, 3, 3) + "-a" + noise(hexDigits, 3, 4) + "-" + noise(hexDigits, 12, 5)
	return []string{
		// types and declarations
		"password: string", "password: string;", "password?: string", "  token: string | null,", "apiKey: string;", "secret: Buffer", "password string", "Password string `json:\"password\"`",
		"token Token", "var token string", "let token: Option<String> = None;", "private String password;", "password = None", "password = null;", "token := \"\"", "secret: Secret<String>",
		"password: z.string().min(8)", "password: Joi.string().required()", "password VARCHAR(255) NOT NULL", "token: { type: String, required: true }", "interface Auth { token: string; password: string }",
		"def login(user: str, password: str) -> Token:", "func Login(user, password string) (token string, err error)", "@Column() password: string", "api_key: Optional[str] = None", "token: &'a str,",
		// calls and references
		"token = getToken()", "token := os.Getenv(\"SHOP_TOKEN\")", "const token = await auth.token()", "password = input(\"Password: \")", "password = request.form['password']", "secret = config.secret",
		"apiKey: process.env.SHOP_API_KEY", "api_key=os.environ[\"API_KEY\"]", "token: ${{ secrets.SHOP_TOKEN }}", "password: ${DB_PASSWORD}", "PASSWORD=$DB_PASSWORD", "TOKEN=$(gh auth token)", "TOKEN=\"$(cat token.txt)\"",
		"curl -H \"Authorization: Bearer $TOKEN\"", "curl -H \"Authorization: Bearer ${TOKEN}\"", "Authorization: `Bearer ${token}`", "curl -u $USER:$PASS https://shop.example", "curl -u \"$USER:$PASS\"", "postgres://$USER:$PASS@db/shop",
		"postgres://${USER}:${PASS}@db/shop", "postgres://user:password@localhost/db", "https://user:<password>@host/", "mysql -u root -p$PASS", "mysql -u root -p shop", "password: {{ .Values.password }}", "token: !Ref Token",
		"password = self.password", "this.token = token;", "user.password = hash(password)", "passwordHash = bcrypt(password)", "token: this.nextToken,", "secretKeyRef:\n  name: shop-secrets\n  key: password", "secretName: shop-tls",
		"password: op://shop/db/password", "token=env.TOKEN", "PASSWORD_FILE=/run/secrets/db", "password_file: ./secret.txt", "if (password === confirmPassword)", "assert token == expected_token", "token: req.headers.authorization",
		"password=%s", "password=%(password)s", "api_key=<your api key>", "token: [redacted]", "token=[redacted:token]", "setPassword(newPassword)", "headers.set(\"Authorization\", token)", "getenv(\"TOKEN\"), \"other\"",
		"validate(password, \"too short\")", "t.Run(\"token\", func(t *testing.T) {})", "--password <password>", "--token TOKEN", "--password-stdin", "read -s PASSWORD", "echo password: ", "case 'token': return 1",
		"PrivateKey: testRSA2048PrivateKey,", "secret = randomBytes(32)", "PASSWORD = Errno(169)", "dk.encryptionKey1024 = ek.encryptionKey1024", "\"encryptionKey\": \"encryptionKey1024\"", "Password: password16,", "key := ed25519.PrivateKey(fromHex(x1))",
		// stand-ins
		"API_KEY=your-api-key", "API_KEY=your_api_key_here", "TOKEN=xxxxxxxxxxxxxxxx", "PASSWORD=********", "password: changeme", "PASSWORD=REDACTED", "token: <token>", "token=...", "api_key: 'YOUR_API_KEY'", "secret: example",
		"SECRET=placeholder", "key: sk-...", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "gh" + "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "AKIA****************", "Bearer <token>", "Authorization: Bearer TOKEN", "Bearer YOUR_TOKEN_HERE",
		"password: \"password\"", "\"password\": \"Password is required\"", "token: \"token\"", "label: \"Password\"", "password: 'Enter a new password'", "type=\"password\" name=\"password\"", "<input type=\"password\" id=\"pass\">",
		// prose
		"the token is expired", "The password was changed.", "the secret is to begin early", "a token is 4 bytes", "bearer token authentication", "basic authentication is off", "the api key is missing", "password: required", "token: invalid",
		"Error: token expired", "invalid password: too short", "wrong password: try again", "tokens: 4096", "max_tokens: 4096", "max_tokens=200000", "total tokens = 12345", "token_count: 17", "tokenizer: cl100k_base", "token type: bearer",
		"secrets: inherit", "credentials: 'include'", "credentials: \"same-origin\"", "auth: true", "auth=none", "pass: 12", "PASS: TestCart/7_lines (0.00s)", "--- PASS: TestCart", "pass ? 'pass' : 'fail'", "\"verdict\":\"pass\",\"score\":1",
		"passed: 12, failed: 0", "Passing in a token: see below", "bypass: true", "compass = north", "PWD=/home/ana/shop", "OLDPWD=/tmp", "pwd: /home/ana", "`--pwd`, `--status`", "cookie: true", "Cookies: none", "the cookie is set",
		"primary_key=True", "key: value", "sort_key: created_at", "foreign key (cart_id)", "hotkey: ctrl+k", "public_key: " + sha256[:20], "keyword = 'api key'", "pageToken: abc123def456ghi", "nextToken=\"abc123def456ghi789\"",
		// hashes, ids, data
		"commit " + sha1, sha1 + " fix the cart", "sha256:" + sha256, sha256 + "  shop.tar.gz", "integrity: sha512-" + noise(base64Any, 86, 3) + "==", "id: " + uuid, "session_id: " + uuid, "sessionId=" + uuid, "h1:" + noise(base64Any, 43, 4) + "=",
		"ETag: \"" + noise(hexDigits, 32, 4) + "\"", "data:image/png;base64," + noise(base64Any, 400, 5), "go: downloading shop.example/cart v1.2.3", "https://shop.example:8080/cart@latest", "git@git.example:ana/shop.git", "ssh://git@git.example/shop.git",
		"https://shop.example/@ana/cart", "http://localhost:3000", "npm i @shop/cart@1.2.3", "ana@shop.example", "docker run --user 1000:1000 shop", "ps -u ana", "mkdir -p a/b/c", "git log -p", "curl -s https://shop.example", "curl -u ana https://shop.example",
		"-----" + "BEGIN PUBLIC KEY-----\n" + noise(base64Any, 64, 3) + "\n-----" + "END PUBLIC KEY-----", "-----" + "BEGIN CERTIFICATE-----\n" + noise(base64Any, 64, 3), "strings.Contains(s, \"-----" + "BEGIN PRIVATE KEY-----\")",
		"task-" + noise(hexDigits, 24, 3), "disk-usage-of-the-shop-server-in-may", "hf_transfer", "npm_config_registry", "sk_buff", "eyJust a word", "ghp_ is the prefix", "AIza is the prefix", "xoxb- begins a token", "r8_format",
		"class TokenStream: pass", "sk-ssh-" + "ed25519@openssh.com", "pass them to <a href=\"#serializer\">", "scrypt('password', 'salt', 64)", "std::token::Kind", "token::Kind(x)", "password -> hash", "Tokens: 12k in, 3k out", "tok/s = 41.2", "secretary: Ana", "passenger: 12", "keyboard: us", "monkey = 3", "turkey: 12 kg",
		// non-ASCII
		"das Passwort ist abgelaufen", "パスワードを入力してください", "密码错误", "пароль не подходит", "le mot de passe est requis",
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	r := newRedactor(t)
	texts := harmlessTexts()
	if len(texts) < 120 {
		t.Errorf("%d texts, want 120", len(texts))
	}
	for _, text := range texts {
		for _, in := range []string{text, "see\n" + text + "\nend", "\t" + text} {
			if got, n := r.Text(in); n != 0 || got != in {
				t.Errorf("Text(%q) = %q, %d", in, got, n)
			}
		}
	}
	all := strings.Join(texts, "\n\n")
	if got, n := r.Text(all); n != 0 {
		t.Errorf("all together: %d redacted: %q", n, got)
	}
}

func TestNoAllocation(t *testing.T) {
	r := newRedactor(t)
	text := strings.Repeat("The cart adds up its lines, token by token, and passes them on.\n", 50)
	if n := testing.AllocsPerRun(20, func() { r.Text(text) }); n != 0 {
		t.Errorf("%v allocations for a text without secrets", n)
	}
}

type failer interface {
	Fatalf(format string, args ...any)
}

// checkLaws checks what holds for every text.
func checkLaws(t failer, r *Redactor, text string) {
	got, n := r.Text(text)
	if n == 0 && got != text {
		t.Fatalf("Text(%q) = %q without a redaction", text, got)
	}
	if utf8.ValidString(text) && !utf8.ValidString(got) {
		t.Fatalf("Text(%q) = %q is no UTF-8", text, got)
	}
	if again, n := r.Text(got); n != 0 || again != got {
		t.Fatalf("Text(%q) = %q goes on to %q", text, got, again)
	}
	planted := "gh" + "p_" + noise(alnumAny, 36, 1)
	for _, at := range []int{0, len(text) / 2, len(text)} {
		if out, _ := r.Text(text[:at] + planted + text[at:]); strings.Contains(out, planted) {
			t.Fatalf("the token planted at %d of %q survives: %q", at, text, out)
		}
	}
}

var piece = rapid.SampledFrom([]string{
	"password", "DB_PASSWORD", "token", "=", ":", " ", "\"", "'", "\\", "\n", "hunter2", "k3yk3yk3yk3yk3yk3y", "Bearer ", "Basic ", "Authorization: ", "://", "ana:", "@", "[redacted:", "[redacted:token]", "]", "<private>", "</private>",
	"-----BEGIN ", "PRIVATE KEY-----", "-----END ", "AAAABBBBCCCCDDDDEEEE", "Cookie: ", "curl -u ", "sk-", "AKIA", "eyJ", ".", "api_key", "%3D", "%22", "value", ",", "(", "é", "名", "{", "}", "Y2FydGNhcnRwYXNzd29yZD1odW50ZXIy", "-p", "is ",
})

func TestTextProperties(t *testing.T) {
	t.Parallel()
	r := newRedactor(t)
	rapid.Check(t, func(t *rapid.T) {
		checkLaws(t, r, strings.Join(rapid.SliceOfN(piece, 0, 16).Draw(t, "pieces"), ""))
	})
}

func FuzzText(f *testing.F) {
	r := newRedactor(f)
	for _, text := range harmlessTexts() {
		f.Add(text)
	}
	for i := range keys {
		f.Add("token: " + keys[i].make(i))
	}
	f.Fuzz(func(t *testing.T, text string) { checkLaws(t, r, text) })
}

// TestHostile bounds the work on text made to be slow.
func TestHostile(t *testing.T) {
	t.Parallel()
	r := newRedactor(t)
	for _, p := range []string{"token=", "password:\"", "://", "://a:", "<private", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "AAAA-----END PRIVATE KEY-----", "curl -u ", " -p", "eyJ", "Bearer ", "Basic YWFhYWFh", "cGFzc3dvcm", "[redacted:", "\\", "token\\\\\"", "sk-", "Cookie: a=", ":AA"} {
		r.Text(strings.Repeat(p, (64<<10)/len(p)))
	}
}

// TestCase069 plants what the fault case of credentials plants.
func TestCase069(t *testing.T) {
	t.Parallel()
	dir := shared(t, "cases", "069")
	var expect struct {
		Known   []string `json:"still_known"`
		Nowhere []string `json:"nowhere"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err == nil {
		err = json.Unmarshal(data, &expect)
	}
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "home/.claude/projects/*/*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	r := newRedactor(t)
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			out, _ := r.Text(line) // escaped, as it stands
			all.WriteString(out)
			var v any
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			decoded(v, func(s string) {
				out, _ := r.Text(s)
				all.WriteString(out)
			})
		}
	}
	for _, s := range expect.Nowhere {
		if strings.Contains(all.String(), s) {
			t.Errorf("%q survives", s)
		}
	}
	for _, s := range expect.Known {
		if !strings.Contains(all.String(), s) {
			t.Errorf("%q is gone", s)
		}
	}
}

// decoded calls fn with every string within a JSON value.
func decoded(v any, fn func(string)) {
	switch v := v.(type) {
	case string:
		fn(v)
	case []any:
		for _, e := range v {
			decoded(e, fn)
		}
	case map[string]any:
		for _, e := range v {
			decoded(e, fn)
		}
	}
}

// shared returns the path of a file beside the repository, and skips the test
// where it is not there.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("KMEM_SHARED")
	for dir, err := os.Getwd(); root == "" && err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = filepath.Join(dir, "..", "shared")
		} else if dir == filepath.Dir(dir) {
			t.Skip("no go.mod above the test")
		}
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no shared files: %v", err)
	}
	return path
}
