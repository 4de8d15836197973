package shell

import "strings"

// A wrapper is a command that runs another one.
type wrapper struct {
	sub    string // words that must follow it: "run" of `uv run`
	values string // its flags that take the next word
	skip   int    // operands before the command
	keep   bool   // it belongs to the subject
	runner bool   // it runs scripts of a project by name as well
}

// wrappers by name. A name may have several forms; the first that fits counts.
var wrappers = map[string][]wrapper{
	"sudo":           {{values: "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir"}},
	"doas":           {{values: "-u -C"}},
	"time":           {{values: "-f -o --format --output"}},
	"timeout":        {{values: "-s -k --signal --kill-after", skip: 1}},
	"gtimeout":       {{values: "-s -k --signal --kill-after", skip: 1}},
	"nice":           {{values: "-n --adjustment"}},
	"ionice":         {{values: "-c -n"}},
	"taskset":        {{skip: 1}},
	"nohup":          {{}},
	"setsid":         {{}},
	"command":        {{}},
	"exec":           {{values: "-a"}},
	"builtin":        {{}},
	"noglob":         {{}},
	"caffeinate":     {{values: "-t -w"}},
	"unbuffer":       {{}},
	"chronic":        {{}},
	"stdbuf":         {{values: "-i -o -e"}},
	"env":            {{values: "-u -C --unset --chdir"}},
	"xvfb-run":       {{values: "-s -n -e -p -f -w"}},
	"cross-env":      {{}},
	"dotenv":         {{values: "-e -f -c -v"}},
	"dotenvx":        {{sub: "run", values: "-e -f --env-file"}},
	"env-cmd":        {{values: "-f -e"}},
	"winpty":         {{}},
	"wsl":            {{values: "-d -u --cd"}},
	"rtk":            {{sub: "proxy"}, {}},
	"xargs":          {{values: "-n -I -P -L -d -s -a -E --max-args --max-procs --delimiter", keep: true}},
	"gxargs":         {{values: "-n -I -P -L -d -s -a -E --max-args --max-procs --delimiter", keep: true}},
	"parallel":       {{values: "-j --jobs", keep: true}},
	"uv":             {{sub: "run", values: "--with --extra --group --python -p --package --project --directory --env-file --only-group --no-group --with-requirements --with-editable", keep: true, runner: true}, {sub: "tool run", values: "--from --with --python", keep: true}},
	"uvx":            {{values: "--from --with --python -p", keep: true}},
	"pipx":           {{sub: "run", values: "--spec", keep: true}},
	"poetry":         {{sub: "run", values: "-C --directory", keep: true, runner: true}},
	"pipenv":         {{sub: "run", keep: true, runner: true}},
	"pdm":            {{sub: "run", values: "-p", keep: true, runner: true}},
	"rye":            {{sub: "run", keep: true, runner: true}},
	"hatch":          {{sub: "run", values: "-e --env", keep: true, runner: true}},
	"pixi":           {{sub: "run", values: "-e --environment --manifest-path", keep: true, runner: true}},
	"conda":          {{sub: "run", values: "-n --name -p --prefix --cwd", keep: true}},
	"micromamba":     {{sub: "run", values: "-n -p", keep: true}},
	"coverage":       {{sub: "run", values: "--source --rcfile --omit --include", keep: true}},
	"bundle":         {{sub: "exec", values: "--gemfile", keep: true}},
	"spring":         {{keep: true}},
	"npx":            {{values: "-p --package", keep: true}},
	"bunx":           {{keep: true}},
	"pnpx":           {{keep: true}},
	"npm":            {{sub: "exec", values: "-w --workspace -p --package", keep: true}, {sub: "x", keep: true}},
	"pnpm":           {{sub: "exec", keep: true, runner: true}, {sub: "dlx", keep: true}},
	"yarn":           {{sub: "exec", keep: true}, {sub: "dlx", keep: true}},
	"bun":            {{sub: "x", keep: true}},
	"composer":       {{sub: "exec", keep: true}},
	"dotnet":         {{sub: "tool run", keep: true}},
	"go":             {{sub: "tool", keep: true}},
	"nyc":            {{values: "--reporter -r", keep: true}},
	"c8":             {{values: "--reporter -r", keep: true}},
	"direnv":         {{sub: "exec", skip: 1}},
	"doppler":        {{sub: "run", values: "-p -c --project --config"}},
	"op":             {{sub: "run", values: "--env-file"}},
	"infisical":      {{sub: "run", values: "--env"}},
	"mise":           {{sub: "exec", values: "-C --cd", keep: true}, {sub: "x", values: "-C --cd", keep: true}},
	"asdf":           {{sub: "exec"}},
	"rbenv":          {{sub: "exec"}},
	"pyenv":          {{sub: "exec"}},
	"volta":          {{sub: "run", values: "--node --npm --yarn"}},
	"fnm":            {{sub: "exec", values: "--using"}},
	"docker":         {{sub: "exec", values: dockerValues, skip: 1, keep: true}, {sub: "compose exec", values: dockerValues, skip: 1, keep: true}, {sub: "compose run", values: dockerValues, skip: 1, keep: true}},
	"podman":         {{sub: "exec", values: dockerValues, skip: 1, keep: true}},
	"docker-compose": {{sub: "exec", values: dockerValues, skip: 1, keep: true}, {sub: "run", values: dockerValues, skip: 1, keep: true}},
}

const dockerValues = "-e -u -w -v -p -f -n --env --user --workdir --env-file --volume --name --entrypoint"

// shells run a command string.
var shells = set("bash sh zsh dash ash ksh fish busybox")

// unwrapped says what a command runs in the end.
type unwrapped struct {
	from   int    // first word of the command
	shown  int    // first word that belongs to the subject
	script string // command string instead of a command
	runner string // "uv run", where a script of that name may be meant
	set    bool   // it is the value of a variable of PowerShell
	fed    bool   // its operands come from elsewhere: xargs
}

// unwrap looks through the wrappers in front of a command.
func unwrap(args []string) unwrapped {
	u, shown := unwrapped{}, true
	for range 8 {
		if rest := args[u.from:]; len(rest) > 2 && rest[0][0:min(1, len(rest[0]))] == "$" && (rest[1] == "=" || rest[1] == "+=") {
			u.from += 2 // $x = Get-Item y
			if u.set = true; shown {
				u.shown = u.from
			}
			continue
		}
		name := commandName(args[u.from])
		if script, ok := script(name, args[u.from:]); ok {
			u.script = script
			break
		}
		next, form := 0, wrapper{}
		for _, form = range wrappers[name] {
			if next = form.operand(args[u.from:]); next > 0 {
				break
			}
		}
		if next <= 0 || name == "command" && strings.HasPrefix(args[u.from+1], "-") || name == "go" && goTool(args[u.from+next]) {
			break
		}
		u.runner = ""
		if form.runner {
			u.runner = name + " " + form.sub
		}
		u.fed = u.fed || name == "xargs" || name == "gxargs" || name == "parallel"
		u.from += next
		shown = shown && !form.keep
		if shown {
			u.shown = u.from
		}
	}
	return u
}

// goTool reports whether `go tool NAME` is one of Go's own.
func goTool(name string) bool { return goTools[name] }

// operand returns where in args the command begins that the wrapper runs, 0
// where it runs none or is not of this form.
func (f *wrapper) operand(args []string) int {
	i := 1
	if f.sub != "" {
		for sub := range strings.FieldsSeq(f.sub) {
			for i < len(args) && strings.HasPrefix(args[i], "-") && args[i] != "--" {
				i += width(args[i], f.values)
			}
			if i >= len(args) || args[i] != sub {
				return 0
			}
			i++
		}
	}
	skip := f.skip
	for i < len(args) {
		switch a := args[i]; {
		case a == "--":
			i++
			skip = 0
		case a == "-m" || a == "-c" || a == "--command":
			i++ // the next word is the command: coverage run -m pytest
			continue
		case strings.HasPrefix(a, "-") && len(a) > 1:
			i += width(a, f.values)
			continue
		case assignment(a) || strings.HasPrefix(a, "+"):
			i++
			continue
		case skip > 0:
			i++
			skip--
			continue
		}
		if f.sub == "exec" || f.sub == "x" {
			if at := dashes(args[i:]); at > 0 && strings.Contains(args[i], "@") {
				i += at + 1
			}
		}
		break
	}
	if i >= len(args) {
		return 0
	}
	return i
}

// dashes returns where "--" stands, -1 without one.
func dashes(args []string) int {
	for i, a := range args {
		if a == "--" {
			return i
		}
	}
	return -1
}

// width returns how many words a flag takes, itself included.
func width(flag, values string) int {
	if has(values, flag) {
		return 2
	}
	return 1
}

// script returns the command string that a shell is given.
func script(name string, args []string) (string, bool) {
	switch {
	case shells[name]:
		for i := 1; i < len(args); i++ {
			a := args[i]
			if a == "-o" || a == "-O" || a == "+o" {
				i++
				continue
			}
			if len(a) < 2 || a[0] != '-' && a[0] != '+' {
				return "", false
			}
			if a[0] == '-' && a[1] != '-' && strings.HasSuffix(a, "c") && i+1 < len(args) {
				return args[i+1], true
			}
		}
	case name == "cmd" && len(args) > 2:
		for i, a := range args[1 : len(args)-1] {
			if strings.EqualFold(strings.TrimLeft(a, "/"), "c") {
				return strings.Join(args[i+2:], " "), true
			}
		}
	case name == "powershell" || name == "pwsh":
		for i, a := range args[1:] {
			if (strings.EqualFold(a, "-c") || strings.EqualFold(a, "-command")) && i+2 < len(args) {
				return strings.Join(args[i+2:], " "), true
			}
		}
	case name == "eval" && len(args) > 1:
		return strings.Join(args[1:], " "), true
	}
	return "", false
}

// commandName returns the name of a command without its directory, its version
// and its Windows ending, in lower case.
func commandName(word string) string {
	name := word
	if i := strings.LastIndexAny(name, `/\`); i >= 0 && i+1 < len(name) {
		name = name[i+1:]
		if strings.HasPrefix(word, "@biomejs/") {
			name = "biome"
		}
	}
	if i := strings.IndexByte(name, '@'); i > 0 {
		name = name[:i]
	}
	name = strings.ToLower(name)
	for _, end := range [...]string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// assignment reports whether a word sets a variable.
func assignment(word string) bool {
	eq := strings.IndexByte(word, '=')
	if eq <= 0 {
		return false
	}
	for i := range eq {
		c := word[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// set turns a list of words into a set.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// has reports whether a list of words, divided by blanks, holds word.
func has(list, word string) bool {
	if word == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(list[at:], word)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(word)
		if (begin == 0 || list[begin-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		at = end
	}
}
