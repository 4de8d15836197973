package shell

import (
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// checkWords are words in the name of a script or target that is a check.
var checkWords = set(`test tests testing lint linter linting build builds typecheck check checks tsc format fmt formatting prettier eslint e2e unit spec specs verify
validate ci compile coverage cov vet clippy types jest vitest pytest bundle integration style stylelint typescript mypy ruff biome tidy smoke precommit presubmit all`)

// releaseWords are words in the name of a script or target that ships.
var releaseWords = map[string]string{"deploy": "deploy", "release": "release", "publish": "release"}

// telling reports whether a script's name holds one of the words.
func telling(name string, words map[string]bool) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), notWord) {
		if words[word] {
			return true
		}
	}
	return false
}

func notWord(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }

// ships returns what kind of release a script's name tells of.
func ships(name string) string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), notWord) {
		if git := releaseWords[word]; git != "" {
			return git
		}
	}
	return ""
}

// script returns the kind of a script or target of a project.
func named(group, name string, whole bool) kind {
	if strings.ContainsAny(name, "/\\$`") {
		return kind{}
	}
	if git := ships(name); git != "" {
		return kind{class: fact.ClassVCS, group: group, git: git}
	}
	if telling(name, checkWords) && !strings.Contains(name, "watch") {
		return kind{class: fact.ClassCheck, group: group, whole: whole}
	}
	return kind{}
}

// packageOwn are words that package managers know themselves.
const packageOwn = "install i ci add remove rm uninstall update up upgrade link unlink init create exec dlx x publish pack audit outdated why list ls view info config cache store import dedupe prune rebuild version login logout whoami set node npm env patch fetch deploy help pm plugin bin"

// packageScript is what npm, pnpm, yarn and bun run.
func packageScript(name string, args []string) kind {
	narrow, at, all := false, 0, false
	var words []string
	for i := 1; i < len(args) && at == 0; i++ {
		a := args[i]
		flag, value, attached := strings.Cut(a, "=")
		switch {
		case strings.HasPrefix(a, "-"):
			if has(packageFlags, flag) && !attached && i+1 < len(args) {
				i++
				value = args[i]
			}
			if has("-w --workspace -F --filter", flag) && strings.Trim(value, "*'\"./") != "" {
				narrow = true
			}
			all = all || a == "--workspaces"
		case a == "workspace" && name == "yarn" && len(words) == 0:
			i++
			narrow = true
		case a == "workspaces" && name == "yarn" && len(words) == 0:
			if i+1 < len(args) && args[i+1] == "foreach" {
				i++
			}
		case len(words) == 0 && (a == "run" || a == "run-script"):
			words = append(words, "run")
		default:
			words = append(words, a)
			at = i + 1
		}
	}
	if at == 0 {
		return kind{}
	}
	run, script := len(words) == 2 || name == "bun" && narrow, words[len(words)-1]
	if !run && has("t tst", script) && name != "yarn" && name != "bun" {
		script = "test"
	}
	if !run && (has(packageOwn, script) || name == "npm" && script != "test" || strings.Contains(script, ".")) {
		return kind{}
	}
	for _, a := range args[at:] {
		if a == "--" {
			break
		}
		flag, _, _ := strings.Cut(a, "=")
		narrow = narrow || has("-w --workspace -F --filter", flag)
	}
	if narrows(args[at:], packageFlags) {
		narrow = true
	}
	group := name + " " + script
	if run && script != "test" && name == "npm" || name == "bun" && (run || script != "test" && script != "build") {
		group = name + " run " + script
	}
	k := named(group, script, !narrow)
	if name == "bun" && !run && script == "build" {
		k.whole = false // bundles the files it is given
	}
	return k
}

// target is what make and its like build.
func target(name string, args []string) kind {
	whole, first := true, ""
	var last kind
	for i := 1; i < len(args); i++ {
		a := args[i]
		flag, _, attached := strings.Cut(a, "=")
		switch {
		case name == "make" && has("-n --dry-run --just-print --recon -p -q --question", a):
			return kind{}
		case a == "--":
			return narrowed(last, whole && !narrows(args[i+1:], ""))
		case strings.HasPrefix(a, "-"):
			if has("-t --target --targets", flag) && name == "nx" {
				continue
			}
			if has("--filter -F --scope --since --projects -p --only -o", flag) && name != "make" {
				whole = false
			}
			if !attached && has(targetValues, flag) {
				i++
			}
		case assignment(a):
			whole = whole && !narrowVariable(a)
		case first == "" && (a == "run" || a == "run-many" || a == "r") && has("turbo lerna nx moon mise", name):
		case first == "":
			first = a
			if i := strings.LastIndexByte(a, ':'); i >= 0 && (name == "nx" || name == "moon") {
				a, whole = a[i+1:], false
			}
			if name == "mise" && len(args) > 1 && args[1] != "run" && args[1] != "r" && has("install use exec x trust self-update upgrade uninstall", a) {
				return kind{}
			}
			last = named(group(name, args, a), a, whole)
		case name == "make" || name == "turbo" || name == "task" || name == "mage":
			if k := named(group(name, args, a), a, whole); k.class != "" {
				last = k
			}
		default:
			whole = false // an argument of the recipe
		}
	}
	if first == "" && name == "make" {
		return kind{class: fact.ClassCheck, group: name, whole: whole}
	}
	return narrowed(last, whole)
}

const targetValues = "-C -f -j --directory --file --makefile --jobs -l -d --dir --working-directory --cwd --justfile -t --parallel -o"

func narrowed(k kind, whole bool) kind {
	k.whole = k.whole && whole
	return k
}

func group(name string, args []string, target string) string {
	if len(args) > 1 && args[1] == "run" && name != "nx" && name != "moon" {
		return name + " run " + target
	}
	return name + " " + target
}

// narrowVariable reports whether a variable on make's command line picks out
// part of the work.
func narrowVariable(setting string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(setting), "=")
	for _, part := range [...]string{"TEST", "PKG", "PACKAGE", "FILTER", "ARGS", "RUN", "FILE", "SPEC", "ONLY", "DIR", "MODULE", "SUITE"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "T" || name == "P" || name == "WHAT"
}

// interpreted is what an interpreter runs: a module, or a tool's own script.
func interpreted(name string, args []string) kind {
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-m" && i+1 < len(args):
			if i+2 < len(args) && args[i+1] == "coverage" && args[i+2] == "run" {
				i += 2
				continue
			}
			if args[i+1] == "build" || args[i+1] == "compileall" {
				return kind{class: fact.ClassCheck, group: "python -m " + args[i+1], whole: len(args) == i+2}
			}
			k, _ := classify(commandName(args[i+1]), args[i+1:], "")
			return k
		case a == "-c" || a == "-e":
			return kind{}
		case a == "--test" && name == "node":
			c := check{values: "--test-reporter --import --loader -r", narrow: "--test-name-pattern --test-only", all: roots}
			return kind{class: fact.ClassCheck, group: "node --test", whole: c.whole(args, i+1)}
		case a == "-l" && name == "php":
			return kind{class: fact.ClassCheck, group: "php -l"}
		case strings.HasPrefix(a, "-"):
			continue
		}
		if name == "deno" {
			return kind{}
		}
		tool := commandName(a)
		for _, end := range [...]string{".js", ".mjs", ".cjs", ".phar"} {
			tool = strings.TrimSuffix(tool, end)
		}
		if c, ok := checks[tool]; ok && tool != "check" {
			return c.kind(tool, args[i:])
		}
		return kind{}
	}
	return kind{}
}

// localScript is a script of the project whose whole name says that it is a
// check: scripts/run-tests.sh, ./build.sh.
func localScript(args []string) kind {
	path := args[0]
	if shells[commandName(path)] && len(args) > 1 {
		args = args[1:]
		path = args[0]
	}
	base := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(base, ".sh"), ".ps1"), ".bash")
	if path == base && stem == base || strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.ContainsAny(stem, ".$") {
		return kind{}
	}
	any := false
	for word := range strings.FieldsFuncSeq(stem, notWord) {
		check := checkWords[word] && word != "all"
		any = any || check
		if !check && !has("run all quick full local sh", word) {
			return kind{}
		}
	}
	if !any {
		return kind{}
	}
	return kind{class: fact.ClassCheck, group: base, whole: len(args) == 1}
}
