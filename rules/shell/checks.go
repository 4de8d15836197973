package shell

// A check is a tool that builds, tests, lints, checks types or formats.
type check struct {
	subs    string // subcommands that are checks
	bare    bool   // it is a check without one of them, too
	values  string // flags that take the next word
	narrow  string // flags that leave part of the work out
	all     string // operands that mean everything
	target  bool   // only such an operand makes it whole
	extra   bool   // arguments after "--" go to what it runs and may narrow
	options bool   // what looks like an operand does not narrow it
	last    bool   // of several subcommands the last one counts: mvn clean test
}

// roots are operands that mean a whole project to linters and test runners.
const roots = ". ./ ./... ... src src/ ./src lib lib/ app app/ packages tests tests/ test test/ spec spec/ ** **/*"

// goValues are the flags of the go command that take the next word.
const goValues = "-o -p -count -timeout -parallel -cpu -coverprofile -covermode -coverpkg -tags -ldflags -gcflags -asmflags -mod -C -bench -benchtime -run -skip -exec -vettool -overlay -pgo -shuffle -fuzz -fuzztime -json"

// checks are all of them by the name of the tool.
var checks = func() map[string]check {
	all := make(map[string]check, 400)
	for _, m := range [...]map[string]check{goChecks, webChecks, pythonChecks, languageChecks, systemChecks} {
		for name, c := range m {
			all[name] = c
		}
	}
	return all
}()

const (
	jestValues   = "-c --config --reporters --reporter --maxWorkers -w --coverageDirectory --root --dir --environment --testTimeout --pool"
	jestNarrow   = "-t --testNamePattern --testPathPattern --testPathPatterns --findRelatedTests -o --onlyChanged --changedSince --selectProjects --shard --related --changed -f --onlyFailures"
	mavenGoals   = "test verify compile package install test-compile integration-test clean spotless:check spotless:apply checkstyle:check"
	gradleTasks  = "test build check assemble compileJava compileKotlin lint ktlintCheck detekt spotlessCheck spotlessApply testDebugUnitTest assembleDebug connectedAndroidTest clean"
	dockerBuild  = "-t --tag -f --file --build-arg --target --platform --progress --cache-from --cache-to --secret --ssh"
	packageFlags = "-w --workspace -F --filter -C --dir --cwd --prefix --workspaces-root"
)

// sameCheck gives other names of a tool.
var sameCheck = map[string]string{
	"gradlew": "gradle", "mvnw": "mvn", "gmake": "make", "ruff-format": "ruff", "py.test": "pytest", "cc": "gcc", "c++": "g++",
	"eslint_d": "eslint", "prettierd": "prettier", "ginkgo.exe": "ginkgo", "bazelisk": "bazel", "mdl": "markdownlint", "remark": "markdownlint", "go-task": "task",
}
