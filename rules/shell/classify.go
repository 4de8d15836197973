package shell

import (
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// classify says what a command is for and in which directory it is told to work.
func classify(name string, args []string, runner string) (kind, string) {
	if asksHelp(args) {
		return kind{}, ""
	}
	dir := dirFlag(name, args)
	if to, ok := sameCheck[name]; ok {
		name = to
	}
	if k := released(name, args); k.class != "" {
		return k, dir
	}
	switch name {
	case "git":
		return kind{}, dir // what is no release of git is no check
	case "npm", "pnpm", "yarn", "bun":
		return packageScript(name, args), dir
	case "make", "just", "task", "mage", "poe", "invoke", "inv", "rush", "turbo", "lerna", "nx", "moon", "mise":
		return target(name, args), dir
	case "python", "python3", "py", "pypy3", "node", "php", "ruby", "perl", "deno":
		if k := interpreted(name, args); k.class != "" {
			return k, dir
		}
	case "go":
		if len(args) > 2 && args[1] == "run" && strings.Contains(args[2], "@") {
			return classify(goModuleName(args[2]), args[2:], "")
		}
	}
	if c, ok := checks[name]; ok {
		if k := c.kind(name, args); k.class != "" {
			return k, dir
		}
	}
	if runner != "" && telling(name, checkWords) {
		return kind{class: fact.ClassCheck, group: runner + " " + name, whole: len(args) == 1}, dir
	}
	return localScript(args), dir
}

// kind returns what args are to the tool: its check, or nothing.
func (c *check) kind(name string, args []string) kind {
	sub, at := c.sub(args)
	if sub == "" && !c.bare {
		return kind{}
	}
	everything := *c
	if strings.HasPrefix(sub, "compose/") {
		everything.target = false // without a service it builds them all
	}
	k := kind{class: fact.ClassCheck, group: name, whole: everything.whole(args, at)}
	if sub != "" && (!c.bare || !defaults[name+" "+sub]) {
		k.group = name + " " + strings.ReplaceAll(strings.TrimLeft(sub, "-"), "/", " ")
	}
	return k
}

// defaults are subcommands that say no more than the tool alone.
var defaults = map[string]bool{
	"golangci-lint run": true, "vitest run": true, "tox run": true, "tox r": true,
	"swiftlint lint": true, "unittest discover": true, "rake default": true,
}

// sub returns the subcommand that makes args a check, and the first word after it.
func (c *check) sub(args []string) (string, int) {
	found, at, first := "", 1, true
	for i := 1; i < len(args); i++ {
		a := args[i]
		if strings.HasPrefix(a, "-") {
			if first && has(c.subs, a) {
				return a, i + 1
			}
			i += width(a, c.values) - 1
			continue
		}
		if strings.HasPrefix(a, "+") {
			continue // a tool chain: cargo +nightly
		}
		switch {
		case has(c.subs, a):
			found, at = a, i+1
		case c.last && has(c.subs, a[strings.LastIndexByte(a, ':')+1:]):
			found, at = a[strings.LastIndexByte(a, ':')+1:], i+1
		case i+1 < len(args) && has(c.subs, a+"/"+args[i+1]):
			return a + "/" + args[i+1], i + 2
		}
		if !c.last {
			return found, at
		}
		first = false
	}
	return found, at
}

// whole reports whether a check leaves nothing out. Its own arguments begin at
// args[at].
func (c *check) whole(args []string, at int) bool {
	everything := false
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--" && c.extra:
			return !narrows(args[i+1:], c.values) && (!c.target || everything)
		case a == "--":
		case strings.HasPrefix(a, "-") && len(a) > 1:
			flag, _, attached := strings.Cut(a, "=")
			if strings.HasPrefix(c.values, "-o ") && strings.HasPrefix(flag, "--") {
				flag = flag[1:] // the go command takes both
			}
			if has(c.narrow, flag) {
				if i+1 < len(args) && !attached && has("tsconfig.json . ./", args[i+1]) {
					i++ // the whole project, named
					continue
				}
				return false
			}
			if has(c.all, a) {
				everything = true
			}
			if !attached && has(c.values, flag) {
				i++
			}
		case i < at:
			if c.last && strings.Contains(strings.TrimPrefix(a, ":"), ":") && !has(c.subs, a) {
				return false // one module's task
			}
		case has(c.all, a), covers(c.all, a):
			everything = true
		case !c.options && !assignment(a) && !strings.HasPrefix(a, "+"):
			return false
		}
	}
	return !c.target || everything
}

// covers reports whether an operand is a pattern over one of the roots.
func covers(all, word string) bool {
	i := strings.Index(word, "**")
	return i >= 0 && all == roots && (i == 0 || has(all, word[:i]))
}

// narrows reports whether arguments that a script hands on leave part of the
// work out.
func narrows(args []string, values string) bool {
	const filters = jestNarrow + " -k -m -g --grep -run --run --filter --spec --exact --skip --project -p --ignored --test-name-pattern"
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			continue
		}
		if !strings.HasPrefix(a, "-") {
			return true
		}
		flag, _, attached := strings.Cut(a, "=")
		if has(filters, flag) {
			return true
		}
		if !attached && (has(values, flag) || has(jestValues, flag)) {
			i++
		}
	}
	return false
}

// dirFlags are the flags that name the directory a tool works in.
var dirFlags = map[string]string{
	"git": "-C", "go": "-C", "make": "-C --directory", "gmake": "-C", "ninja": "-C", "cargo": "-C", "npm": "--prefix -C", "pnpm": "-C --dir",
	"yarn": "--cwd", "bun": "--cwd", "just": "-d --working-directory", "task": "-d --dir", "mise": "-C --cd", "terraform": "-chdir", "tofu": "-chdir",
	"gradle": "-p --project-dir", "gradlew": "-p --project-dir", "poetry": "-C --directory", "uv": "--directory", "swift": "--package-path", "mage": "-d", "turbo": "--cwd", "composer": "-d --working-dir",
}

// dirFlag returns the directory that a tool is told to work in.
func dirFlag(name string, args []string) string {
	flags, ok := dirFlags[name]
	if !ok {
		return ""
	}
	dir := ""
	for i := 1; i < len(args); i++ {
		flag, value, attached := strings.Cut(args[i], "=")
		if !strings.HasPrefix(flag, "-") || !has(flags, flag) {
			if name == "git" && !strings.HasPrefix(flag, "-") && args[i-1] != "-c" {
				break // behind the subcommand -C means something else
			}
			continue
		}
		if !attached && i+1 < len(args) {
			i++
			value = args[i]
		}
		if strings.ContainsAny(value, "$`") {
			value = "?"
		}
		dir = joinDir(dir, value)
	}
	return dir
}

// goModuleName returns the command that `go run MODULE@VERSION` runs.
func goModuleName(path string) string {
	path, _, _ = strings.Cut(path, "@")
	if i := strings.LastIndexByte(path, '/'); i >= 0 && len(path) > i+1 && path[i+1] == 'v' && strings.Trim(path[i+2:], "0123456789") == "" {
		path = path[:i]
	}
	return commandName(path)
}
