package shell

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/store/fact"
)

// check and vcs build what Parse should say of a command; options change it.
func wantCheck(group, subject string, options ...func(*Command)) Command {
	return with(Command{Class: fact.ClassCheck, Group: group, Subject: subject}, options)
}

func wantVCS(group, git, subject string, options ...func(*Command)) Command {
	return with(Command{Class: fact.ClassVCS, Group: group, Git: git, Subject: subject}, options)
}

func wantOther(subject string, options ...func(*Command)) Command {
	return with(Command{Subject: subject}, options)
}

func with(c Command, options []func(*Command)) Command {
	for _, o := range options {
		o(&c)
	}
	return c
}

func whole(c *Command) { c.Whole = true }
func piped(c *Command) { c.Piped = true }
func in(dir string) func(*Command) {
	return func(c *Command) { c.Dir = dir }
}

type parseCase struct {
	command string
	want    Command
}

func testParse(t *testing.T, cases []parseCase) {
	t.Helper()
	for _, c := range cases {
		got := Parse(c.command)
		got.Lookup = c.want.Lookup // has its own tests
		if got.Subject != clip(got.Full) {
			t.Errorf("Parse(%q) cuts %q to %q", c.command, got.Full, got.Subject)
		}
		got.Full = c.want.Full
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", c.command, diff)
		}
		if c.want.Class != fact.ClassOther && Parse(c.command).Lookup {
			t.Errorf("Parse(%q).Lookup = true for a %s step", c.command, c.want.Class)
		}
	}
}

// checkCases are builds, tests, lints and formats.
var checkCases = []parseCase{
	{"go test ./...", wantCheck("go test", "go test ./...", whole)},
	{"go test", wantCheck("go test", "go test")},
	{"go test ./store", wantCheck("go test", "go test ./store")},
	{"go test -run TestX ./...", wantCheck("go test", "go test -run TestX ./...")},
	{"go test -race -count 1 -timeout 60s ./...", wantCheck("go test", "go test -race -count 1 -timeout 60s ./...", whole)},
	{"go test -run=TestX ./...", wantCheck("go test", "go test -run=TestX ./...")},
	{"go test ./... 2>&1 | tail -20", wantCheck("go test", "go test ./...", whole, piped)},
	{"set -o pipefail; go test ./... | tail -20", wantCheck("go test", "go test ./...", whole)},
	{"cd shop && go test ./...", wantCheck("go test", "go test ./...", whole, in("shop"))},
	{"cd /home/ana/shop && cd web && npm test", wantCheck("npm test", "npm test", whole, in("/home/ana/shop/web"))},
	{"(cd web && npm test)", wantCheck("npm test", "npm test", whole, in("web"))},
	{"go -C sub test ./...", wantCheck("go test", "go -C sub test ./...", whole, in("sub"))},
	{"go build ./... && go test ./...", wantCheck("go test", "go build ./... && go test ./...", whole)},
	{"go build ./...; go vet ./...", wantCheck("go vet", "go build ./...; go vet ./...", whole)},
	{"go test ./... || true", wantCheck("go test", "go test ./...", whole, piped)},
	{"go test ./... || exit 1", wantCheck("go test", "go test ./...", whole)},
	{"go test ./...; echo \"exit $?\"", wantCheck("go test", "go test ./...", whole, piped)},
	{"go test ./... > out.txt 2>&1; rc=$?; tail out.txt; exit $rc", wantCheck("go test", "go test ./... > out.txt", whole)},
	{"go test ./... &", wantCheck("go test", "go test ./...", whole, piped)},
	{"gofmt -l .", wantCheck("gofmt", "gofmt -l .", whole)},
	{"gofmt -w a.go", wantCheck("gofmt", "gofmt -w a.go")},
	{"golangci-lint run", wantCheck("golangci-lint", "golangci-lint run", whole)},
	{"golangci-lint run ./store/...", wantCheck("golangci-lint", "golangci-lint run ./store/...")},
	{"go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.1.0 run", wantCheck("golangci-lint", "go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.1.0 run", whole)},
	{"staticcheck ./...", wantCheck("staticcheck", "staticcheck ./...", whole)},
	{"npm test", wantCheck("npm test", "npm test", whole)},
	{"npm run test", wantCheck("npm test", "npm run test", whole)},
	{"npm test -- cart", wantCheck("npm test", "npm test -- cart")},
	{"npm test -- --coverage", wantCheck("npm test", "npm test -- --coverage", whole)},
	{"npm test -w web", wantCheck("npm test", "npm test -w web")},
	{"npm run lint", wantCheck("npm run lint", "npm run lint", whole)},
	{"npm --prefix web run build", wantCheck("npm run build", "npm --prefix web run build", whole, in("web"))},
	{"npm run build 2>&1 | Select-String ERROR", wantCheck("npm run build", "npm run build", whole, piped)},
	{"pnpm lint", wantCheck("pnpm lint", "pnpm lint", whole)},
	{"pnpm --filter web test", wantCheck("pnpm test", "pnpm --filter web test")},
	{"pnpm -r test", wantCheck("pnpm test", "pnpm -r test", whole)},
	{"yarn typecheck", wantCheck("yarn typecheck", "yarn typecheck", whole)},
	{"yarn workspace web test", wantCheck("yarn test", "yarn workspace web test")},
	{"bun test", wantCheck("bun test", "bun test", whole)},
	{"bun test cart.test.ts", wantCheck("bun test", "bun test cart.test.ts")},
	{"bun run test", wantCheck("bun run test", "bun run test", whole)},
	{"bun --filter web build", wantCheck("bun run build", "bun --filter web build")},
	{"npx jest", wantCheck("jest", "npx jest", whole)},
	{"npx jest cart -t total", wantCheck("jest", "npx jest cart -t total")},
	{"bunx vitest run", wantCheck("vitest", "bunx vitest run", whole)},
	{"npx vitest run src/cart.test.ts", wantCheck("vitest", "npx vitest run src/cart.test.ts")},
	{"npx tsc --noEmit", wantCheck("tsc", "npx tsc --noEmit", whole)},
	{"npx tsc -p tsconfig.json", wantCheck("tsc", "npx tsc -p tsconfig.json", whole)},
	{"npx tsc -p packages/cart", wantCheck("tsc", "npx tsc -p packages/cart")},
	{"./node_modules/.bin/eslint .", wantCheck("eslint", "./node_modules/.bin/eslint .", whole)},
	{"npx eslint src/cart.ts", wantCheck("eslint", "npx eslint src/cart.ts")},
	{"npx eslint 'src/**/*.ts'", wantCheck("eslint", "npx eslint 'src/**/*.ts'", whole)},
	{"npx prettier --check .", wantCheck("prettier", "npx prettier --check .", whole)},
	{"npx @biomejs/biome@1.9 check", wantCheck("biome check", "npx @biomejs/biome@1.9 check", whole)},
	{"npx playwright test cart.spec.ts", wantCheck("playwright test", "npx playwright test cart.spec.ts")},
	{"node --test", wantCheck("node --test", "node --test", whole)},
	{"npx turbo run test --filter=web", wantCheck("turbo run test", "npx turbo run test --filter=web")},
	{"deno test", wantCheck("deno test", "deno test", whole)},
	{"pytest", wantCheck("pytest", "pytest", whole)},
	{"pytest -q tests", wantCheck("pytest", "pytest -q tests", whole)},
	{"pytest tests/test_a.py", wantCheck("pytest", "pytest tests/test_a.py")},
	{"pytest tests/test_a.py::test_b -xvs", wantCheck("pytest", "pytest tests/test_a.py::test_b -xvs")},
	{"pytest -k cart", wantCheck("pytest", "pytest -k cart")},
	{"python -m pytest -n auto", wantCheck("pytest", "python -m pytest -n auto", whole)},
	{"python3 -m unittest", wantCheck("unittest", "python3 -m unittest", whole)},
	{"python3 -m unittest shop.tests.Cart", wantCheck("unittest", "python3 -m unittest shop.tests.Cart")},
	{"python -m mypy src", wantCheck("mypy", "python -m mypy src", whole)},
	{"python manage.py test", wantCheck("manage.py test", "python manage.py test", whole)},
	{"source .venv/bin/activate && pytest", wantCheck("pytest", "pytest", whole)},
	{"uv run pytest -x", wantCheck("pytest", "uv run pytest -x", whole)},
	{"uv run --group dev ruff check .", wantCheck("ruff check", "uv run --group dev ruff check .", whole)},
	{"poetry run mypy shop", wantCheck("mypy", "poetry run mypy shop")},
	{"hatch run test", wantCheck("hatch run test", "hatch run test", whole)},
	{"coverage run -m pytest", wantCheck("pytest", "coverage run -m pytest", whole)},
	{"tox", wantCheck("tox", "tox", whole)},
	{"tox -e lint", wantCheck("tox", "tox -e lint")},
	{"nox -s tests", wantCheck("nox", "nox -s tests")},
	{"ruff check --fix .", wantCheck("ruff check", "ruff check --fix .", whole)},
	{"black --check .", wantCheck("black", "black --check .", whole)},
	{"flake8 shop/a.py", wantCheck("flake8", "flake8 shop/a.py")},
	{"pre-commit run --all-files", wantCheck("pre-commit run", "pre-commit run --all-files", whole)},
	{"pre-commit run", wantCheck("pre-commit run", "pre-commit run")},
	{"cargo test", wantCheck("cargo test", "cargo test", whole)},
	{"cargo test cart", wantCheck("cargo test", "cargo test cart")},
	{"cargo test -p cart", wantCheck("cargo test", "cargo test -p cart")},
	{"cargo test -- --nocapture", wantCheck("cargo test", "cargo test -- --nocapture", whole)},
	{"cargo +nightly clippy --all-targets -- -D warnings", wantCheck("cargo clippy", "cargo +nightly clippy --all-targets -- -D warnings", whole)},
	{"cargo build --release", wantCheck("cargo build", "cargo build --release", whole)},
	{"make", wantCheck("make", "make", whole)},
	{"make test", wantCheck("make test", "make test", whole)},
	{"make -C web lint", wantCheck("make lint", "make -C web lint", whole, in("web"))},
	{"make -j4 test TESTS=cart", wantCheck("make test", "make -j4 test TESTS=cart")},
	{"make test V=1", wantCheck("make test", "make test V=1", whole)},
	{"just test", wantCheck("just test", "just test", whole)},
	{"just test cart", wantCheck("just test", "just test cart")},
	{"task lint", wantCheck("task lint", "task lint", whole)},
	{"mage build", wantCheck("mage build", "mage build", whole)},
	{"mise run test:ci 2>&1", wantCheck("mise run test:ci", "mise run test:ci", whole)},
	{"mise run test -- -run TestX", wantCheck("mise run test", "mise run test -- -run TestX")},
	{"mvn -q clean test", wantCheck("mvn test", "mvn -q clean test", whole)},
	{"mvn -pl cart test", wantCheck("mvn test", "mvn -pl cart test")},
	{"mvn test -Dtest=CartTest", wantCheck("mvn test", "mvn test -Dtest=CartTest")},
	{"./gradlew test", wantCheck("gradle test", "./gradlew test", whole)},
	{"./gradlew :cart:test", wantCheck("gradle test", "./gradlew :cart:test")},
	{"./gradlew test --tests CartTest", wantCheck("gradle test", "./gradlew test --tests CartTest")},
	{"dotnet test", wantCheck("dotnet test", "dotnet test", whole)},
	{"dotnet test --filter Cart", wantCheck("dotnet test", "dotnet test --filter Cart")},
	{"dotnet build -c Release", wantCheck("dotnet build", "dotnet build -c Release", whole)},
	{"swift test", wantCheck("swift test", "swift test", whole)},
	{"swift test --filter CartTests", wantCheck("swift test", "swift test --filter CartTests")},
	{"xcodebuild -scheme Shop test", wantCheck("xcodebuild test", "xcodebuild -scheme Shop test", whole)},
	{"bundle exec rspec", wantCheck("rspec", "bundle exec rspec", whole)},
	{"bundle exec rspec spec/cart_spec.rb", wantCheck("rspec", "bundle exec rspec spec/cart_spec.rb")},
	{"rake test", wantCheck("rake test", "rake test", whole)},
	{"bin/rails test", wantCheck("rails test", "bin/rails test", whole)},
	{"vendor/bin/phpunit --filter Cart", wantCheck("phpunit", "vendor/bin/phpunit --filter Cart")},
	{"php artisan test", wantCheck("artisan test", "php artisan test", whole)},
	{"composer test", wantCheck("composer test", "composer test", whole)},
	{"mix test", wantCheck("mix test", "mix test", whole)},
	{"mix test test/cart_test.exs", wantCheck("mix test", "mix test test/cart_test.exs")},
	{"cabal test", wantCheck("cabal test", "cabal test", whole)},
	{"stack build", wantCheck("stack build", "stack build", whole)},
	{"zig build test", wantCheck("zig build", "zig build test", whole)},
	{"cmake --build build", wantCheck("cmake build", "cmake --build build", whole)},
	{"ctest --test-dir build -R cart", wantCheck("ctest", "ctest --test-dir build -R cart")},
	{"ninja -C build", wantCheck("ninja", "ninja -C build", whole, in("build"))},
	{"bazel test //...", wantCheck("bazel test", "bazel test //...", whole)},
	{"bazel build //cart:all", wantCheck("bazel build", "bazel build //cart:all")},
	{"terraform validate", wantCheck("terraform validate", "terraform validate", whole)},
	{"terraform plan -out x", wantCheck("terraform plan", "terraform plan -out x")},
	{"helm lint chart", wantCheck("helm lint", "helm lint chart")},
	{"shellcheck a.sh", wantCheck("shellcheck", "shellcheck a.sh")},
	{"hadolint Dockerfile", wantCheck("hadolint", "hadolint Dockerfile")},
	{"actionlint", wantCheck("actionlint", "actionlint", whole)},
	{"docker build -t shop .", wantCheck("docker build", "docker build -t shop .", whole)},
	{"docker compose build", wantCheck("docker compose build", "docker compose build", whole)},
	{"docker compose exec web pytest", wantCheck("pytest", "docker compose exec web pytest", whole)},
	{"sudo -u ana make test", wantCheck("make test", "make test", whole)},
	{"time go test ./...", wantCheck("go test", "go test ./...", whole)},
	{"timeout 300 npm test", wantCheck("npm test", "npm test", whole)},
	{"timeout -k 5 300s cargo test", wantCheck("cargo test", "cargo test", whole)},
	{"CI=1 NODE_ENV=test npm test", wantCheck("npm test", "npm test", whole)},
	{"env CI=1 npm test", wantCheck("npm test", "npm test", whole)},
	{"export CI=1 && npm test", wantCheck("npm test", "npm test", whole)},
	{"bash -lc 'cd web && npm test 2>&1 | tail -5'", wantCheck("npm test", "npm test", whole, piped, in("web"))},
	{"out=$(go test ./... 2>&1)", wantCheck("go test", "out=$(go test ./... 2>&1)", whole)},
	{"./scripts/run-tests.sh", wantCheck("run-tests.sh", "./scripts/run-tests.sh", whole)},
	{"bash scripts/lint.sh", wantCheck("lint.sh", "bash scripts/lint.sh", whole)},
	{"git ls-files | xargs npx eslint", wantCheck("eslint", "git ls-files | xargs npx eslint")},
	{"rm -rf dist && npm run build", wantCheck("npm run build", "npm run build", whole)},
	{"if ! go vet ./...; then echo bad; fi", wantCheck("go vet", "if ! go vet ./...; then echo bad; fi", whole, piped)},
	{"Set-Location D:\\shop\\web; npm run build", wantCheck("npm run build", "npm run build", whole, in(`D:\shop\web`))},
}

func TestChecks(t *testing.T) {
	t.Parallel()
	testParse(t, checkCases)
}

// vcsCases are commits, pushes, pull requests, releases and deployments.
var vcsCases = []parseCase{
	{"git commit -m 'fix: cart total'", wantVCS("git commit", "commit", "fix: cart total")},
	{"git commit -am \"fix: cart\"", wantVCS("git commit", "commit", "fix: cart")},
	{"git commit --message=fix", wantVCS("git commit", "commit", "fix")},
	{"git commit -m \"$(cat <<'EOF'\nfix: cart total\n\nIt was off by one.\nEOF\n)\"", wantVCS("git commit", "commit", "fix: cart total")},
	{"git commit -F - <<'EOF'\nfix: cart\n\nbody\nEOF", wantVCS("git commit", "commit", "fix: cart")},
	{"printf 'fix: cart\\n\\nbody' | git commit -F -", wantVCS("git commit", "commit", "fix: cart")},
	{"git commit -m 'first' -m 'second'", wantVCS("git commit", "commit", "first")},
	{"git commit -m @'\nfix: cart\n\nbody\n'@", wantVCS("git commit", "commit", "fix: cart")},
	{"git commit --amend --no-edit", wantVCS("git commit", "commit", "git commit --amend --no-edit")},
	{"git commit -F msg.txt", wantVCS("git commit", "commit", "git commit -F msg.txt")},
	{"cd /home/ana/shop && git add -A && git commit -m \"add cart\" && git push", wantVCS("git push", "commit", "add cart", in("/home/ana/shop"))},
	{"git -C shop commit -m 'add cart'", wantVCS("git commit", "commit", "add cart", in("shop"))},
	{"git commit -m x 2>&1 | tail -3", wantVCS("git commit", "commit", "x", piped)},
	{"go test ./... && git commit -m 'add cart'", wantVCS("git commit", "commit", "add cart")},
	{"git push", wantVCS("git push", "push", "git push")},
	{"git push -u origin main", wantVCS("git push", "push", "git push -u origin main")},
	{"git merge --no-ff feature", wantVCS("git merge", "merge", "git merge --no-ff feature")},
	{"git rebase origin/main", wantVCS("git rebase", "merge", "git rebase origin/main")},
	{"git tag -a v1.2.0 -m 'v1.2.0'", wantVCS("git tag", "tag", "git tag -a v1.2.0 -m 'v1.2.0'")},
	{"git tag v1 && git push --tags", wantVCS("git push", "tag", "git tag v1 && git push --tags")},
	{"git revert --no-edit abc123", wantVCS("git revert", "commit", "git revert --no-edit abc123")},
	{"git cherry-pick abc123", wantVCS("git cherry-pick", "commit", "git cherry-pick abc123")},
	{"gh pr create --title 'Add cart' --body x", wantVCS("gh pr create", "pr", "Add cart")},
	{"gh pr create -t \"Add cart\" --body \"$(cat <<'EOF'\n## Summary\nEOF\n)\"", wantVCS("gh pr create", "pr", "Add cart")},
	{"git push -u origin x && gh pr create --title 'Add cart' --fill", wantVCS("gh pr create", "pr", "Add cart")},
	{"gh pr merge 12 --squash", wantVCS("gh pr merge", "pr", "gh pr merge 12 --squash")},
	{"gh release create v1.2.0 --notes x", wantVCS("gh release create", "release", "gh release create v1.2.0 --notes x")},
	{"npm publish", wantVCS("npm publish", "release", "npm publish")},
	{"cargo publish -p cart", wantVCS("cargo publish", "release", "cargo publish -p cart")},
	{"goreleaser release --clean", wantVCS("goreleaser release", "release", "goreleaser release --clean")},
	{"docker push ana/shop:1", wantVCS("docker push", "release", "docker push ana/shop:1")},
	{"kubectl apply -f shop.yaml", wantVCS("kubectl apply", "deploy", "kubectl apply -f shop.yaml")},
	{"kubectl -n shop rollout restart deploy/web", wantVCS("kubectl rollout restart", "deploy", "kubectl -n shop rollout restart deploy/web")},
	{"terraform apply -auto-approve", wantVCS("terraform apply", "deploy", "terraform apply -auto-approve")},
	{"vercel --prod", wantVCS("vercel", "deploy", "vercel --prod")},
	{"npx netlify deploy --prod", wantVCS("netlify deploy", "deploy", "npx netlify deploy --prod")},
	{"fly deploy", wantVCS("fly deploy", "deploy", "fly deploy")},
	{"npm run deploy", wantVCS("npm run deploy", "deploy", "npm run deploy")},
	{"make release", wantVCS("make release", "release", "make release")},
}

func TestVersionControl(t *testing.T) {
	t.Parallel()
	testParse(t, vcsCases)
}

func TestOthers(t *testing.T) {
	t.Parallel()
	long := "curl -s https://shop.example/" + strings.Repeat("é", 60)
	testParse(t, []parseCase{
		{"", Command{}},
		{"   \n ", Command{}},
		{"rm -rf build", wantOther("rm -rf build")},
		{"cd web && npm install 2>&1 | tail -3", wantOther("npm install", in("web"), piped)},
		{"git merge --abort", wantOther("git merge --abort")},
		{"git push --dry-run", wantOther("git push --dry-run")},
		{"git pull --rebase", wantOther("git pull --rebase")},
		{"kubectl apply --dry-run=client -f a", wantOther("kubectl apply --dry-run=client -f a")},
		{"npm ci", wantOther("npm ci")},
		{"npm run dev", wantOther("npm run dev")},
		{"go run ./cmd/shop", wantOther("go run ./cmd/shop")},
		{"python3 - <<'E'\nprint(1)\nE", wantOther("python3 - print(1)")},
		{"cat > a.txt <<'E'\nls\nE", wantOther("cat > a.txt")},
		{"python a.py; echo done", wantOther("python a.py", piped)},
		{"echo === && python a.py && echo ok", wantOther("python a.py")},
		{"FOO=1 BAR=2 ./shop --serve", wantOther("./shop --serve")},
		{"python a.py \\\n  --flag   x", wantOther("python a.py \\ --flag x")},
		{long, wantOther(long[:87] + "...")},
		{"git commit -m", wantVCS("git commit", "commit", "git commit -m")},
		{"foo '", wantOther("foo '")},
		{"cd $DIR && ./x", wantOther("./x")},
	})
}

// word draws pieces of command lines that mean something to the parser.
var word = rapid.SampledFrom([]string{
	"go", "test", "./...", "git", "commit", "-m", "push", "cd", "web", "npm", "run", "lint", "ls", "cat", "a.go", "|", "||", "&&", ";", "tail", "-5", "2>&1",
	"2>/dev/null", ">", "out", "'a b'", "\"c d\"", "bash", "-c", "'ls | head'", "sudo", "timeout", "5", "env", "A=1", "exit", "1", "false", "echo", "xargs", "rm", "\n", "(", ")", "{", "}",
	"$(pwd)", "`x`", "if", "then", "fi", "<<E", "E", "*.go", "--", "-C", "é", "set", "pipefail", "-o", "sed", "-n", "1p", "find", "-exec", "{}", "\\;", "uv", "npx",
})

func TestParseProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOfN(word, 0, 14).Draw(t, "words"), " ")
		checkLaws(t, src)
	})
}

// TestPlainAgrees holds the short cut to the answer of the parser.
func TestPlainAgrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src, _ := bound(strings.Join(rapid.SliceOfN(word, 1, 10).Draw(t, "words"), " "))
		fast := walker{src: src, line: &line{}}
		if !fast.plain() {
			t.Skip("not plain")
		}
		full := walker{src: src, line: &line{}}
		if !full.tree() {
			t.Fatalf("%q is plain but no shell", src)
		}
		if diff := cmp.Diff(full.line.verdict(src), fast.line.verdict(src)); diff != "" {
			t.Fatalf("%q (-parsed +plain):\n%s", src, diff)
		}
	})
}

type failer interface {
	Fatalf(format string, args ...any)
}

// checkLaws checks what holds for every command line.
func checkLaws(t failer, src string) {
	c := Parse(src)
	if again := Parse(src); again != c {
		t.Fatalf("Parse(%q) differs: %+v, then %+v", src, c, again)
	}
	if len(c.Subject) > maxSubject || !utf8.ValidString(c.Subject) || strings.ContainsAny(c.Subject, "\n\r\x00\x1b") {
		t.Fatalf("Parse(%q).Subject = %q", src, c.Subject)
	}
	if c.Lookup && c.Class != fact.ClassOther {
		t.Fatalf("Parse(%q) is a lookup and a %s", src, c.Class)
	}
	if (c.Group == "") != (c.Class == fact.ClassOther) || (c.Git == "") != (c.Class != fact.ClassVCS) || c.Whole && c.Class != fact.ClassCheck {
		t.Fatalf("Parse(%q) = %+v", src, c)
	}
	if !utf8.ValidString(c.Group) || !utf8.ValidString(c.Dir) {
		t.Fatalf("Parse(%q) = %+v", src, c)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"go test ./... 2>&1 | tail", "git commit -m \"$(cat <<'EOF'\nx\nEOF\n)\"", "bash -c 'bash -c \"ls\"'", "((((", "@'\n", "a <<E\n", "$x = Get-Item y; (a).b", "\xff\x00", "cd a; cd b && c",
		"eval eval", "xargs", "cmd /c", "sudo -u", "sed -n -e", "find . -exec", "$", "=", "$ = x",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) { checkLaws(t, src) })
}

// TestHostile bounds the work on input made to be slow.
func TestHostile(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"(", "$(", "`", "a|", "a&&", "a;", "if a; then ", "${a:-", "$[", "[[ (", "<<E\n", ">a ", "cd a;", "eval eval ", "a || b && ", "@'\n", "bash -c '"} {
		checkLaws(t, strings.Repeat(piece, 2*maxCompound/len(piece)))
		Parse(strings.Repeat(piece, 2*maxCommand/len(piece)))
	}
}

func BenchmarkParse(b *testing.B) {
	for name, command := range map[string]string{
		"plain":  "go test ./...",
		"usual":  "cd /home/ana/shop && go test ./... 2>&1 | tail -20",
		"lookup": "rg -n \"foo bar\" src | head -20",
		"commit": "git add -A && git commit -m \"$(cat <<'EOF'\nfix: cart\n\nbody\nEOF\n)\" && git push",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(command)
			}
		})
	}
}
