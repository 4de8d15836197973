package shell

import "strings"

// special reports whether a command reads whose arguments decide that, and
// whether name is such a command.
func special(name string, args []string) (reads, known bool) {
	switch name {
	case "sed", "gsed":
		return sedReads(args), true
	case "awk", "gawk", "mawk":
		return awkReads(args), true
	case "find", "gfind":
		return findReads(args), true
	case "fd", "fdfind":
		return fdReads(args), true
	case "xargs", "gxargs", "parallel": // with a command, that one was asked
		return true, true
	case "sort":
		return without("-o --output", args), true
	case "jq", "gojq", "yq":
		return without("-i --in-place --inplace", args), true
	case "date":
		return without("-s --set", args), true
	case "journalctl":
		return without("--vacuum-size --vacuum-time --rotate --flush", args), true
	case "env":
		return onlySettings(args), true
	case "tee":
		return teeReads(args), true
	case "command":
		return len(args) > 1 && (args[1] == "-v" || args[1] == "-V"), true
	case "mount":
		return len(args) == 1, true
	case "ifconfig":
		return len(args) <= 2, true
	case "tar":
		return tarReads(args), true
	case "unzip":
		return firstFlag("-l -p -t -v -Z -lv", args), true
	case "gunzip":
		return firstFlag("-c -l -t --stdout", args), true
	case "gzip":
		return firstFlag("-cd -dc -l -t", args), true
	case "dpkg":
		return firstFlag("-l -L -s -S --list --listfiles --status --search --print-architecture", args), true
	case "rpm":
		return len(args) > 1 && strings.HasPrefix(args[1], "-q"), true
	case "pacman":
		return len(args) > 1 && strings.HasPrefix(args[1], "-Q"), true
	case "sysctl":
		return without("-w --write -p", args) && !strings.Contains(strings.Join(args, " "), "="), true
	}
	return specialTool(name, args)
}

// specialTool is special for tools with subcommands, and for script blocks.
func specialTool(name string, args []string) (reads, known bool) {
	switch name {
	case "git":
		return gitReads(args), true
	case "aws":
		return awsReads(args), true
	case "gcloud", "az":
		return cloudReads(args), true
	case "gh":
		return ghReads(args), true
	case "npm":
		return npmReads(args), true
	case "go":
		return goReads(args), true
	case "ssh":
		return sshReads(args), true
	case "foreach-object", "where-object", "foreach", "%", "?":
		return blockReads(args), true
	}
	return false, false
}

// without reports whether none of the flags is given.
func without(flags string, args []string) bool {
	for _, a := range args[1:] {
		flag, _, _ := strings.Cut(a, "=")
		if has(flags, flag) {
			return false
		}
	}
	return true
}

// firstFlag reports whether the first argument is one of the flags.
func firstFlag(flags string, args []string) bool { return len(args) > 1 && has(flags, args[1]) }

func contains(args []string, word string) bool {
	for _, a := range args {
		if a == word {
			return true
		}
	}
	return false
}

// sedReads: no -i, and no script that writes a file or runs a command.
func sedReads(args []string) bool {
	script := false
	for i := 1; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "--in-place"), a == "-f", strings.HasPrefix(a, "--file"):
			return false
		case a == "-e" || a == "--expression":
			if i++; i < len(args) && sedWrites(args[i]) {
				return false
			}
			script = true
		case strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && len(a) > 1:
			if strings.Contains(a, "i") || strings.Contains(a, "I") {
				return false
			}
			if strings.HasSuffix(a, "e") {
				if i++; i < len(args) && sedWrites(args[i]) {
					return false
				}
				script = true
			}
		case !strings.HasPrefix(a, "-") && !script:
			script = true
			if sedWrites(a) {
				return false
			}
		}
	}
	return true
}

// sedWrites reports whether a sed script ends in a w command or flag, or is
// one alone.
func sedWrites(script string) bool {
	for cmd := range strings.FieldsFuncSeq(script, func(r rune) bool { return r == ';' || r == '\n' }) {
		cmd = strings.TrimSpace(cmd)
		if strings.HasPrefix(cmd, "w ") {
			return true
		}
		if i := strings.LastIndex(cmd, "/w "); i > 0 && strings.HasPrefix(strings.TrimLeft(cmd, "0123456789,$"), "s") {
			return true
		}
		if i := strings.LastIndexByte(cmd, ' '); i > 0 && strings.HasSuffix(cmd[:i], "w") && strings.Trim(cmd[:i], "0123456789,$w") == "" {
			return true
		}
	}
	return false
}

// awkReads: no -i inplace, no system(), no print into a file or a pipe.
func awkReads(args []string) bool {
	for _, a := range args[1:] {
		if strings.HasPrefix(a, "-i") {
			return false
		}
		if strings.Contains(a, "system(") || strings.Contains(a, "| \"") || strings.Contains(a, "|\"") {
			return false
		}
		for rest := a; ; {
			at := strings.Index(rest, "print")
			if at < 0 {
				break
			}
			rest = rest[at+len("print"):]
			stmt := rest
			if end := strings.IndexAny(stmt, ";}\n"); end >= 0 {
				stmt = stmt[:end]
			}
			if gt := unquotedByte(stmt, '>'); gt >= 0 && !strings.Contains(stmt[gt:], "/dev/std") && depth(stmt[:gt]) == 0 {
				return false
			}
		}
	}
	return true
}

// unquotedByte returns where c stands outside double quotes, -1 without one.
func unquotedByte(s string, c byte) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == c && !quoted:
			return i
		}
	}
	return -1
}

func depth(s string) int { return strings.Count(s, "(") - strings.Count(s, ")") }

// findReads: no -delete and no file written; what -exec runs must only read.
func findReads(args []string) bool {
	for i, a := range args {
		switch a {
		case "-delete", "-fprint", "-fprint0", "-fprintf", "-fls":
			return false
		case "-exec", "-execdir", "-ok", "-okdir":
			if !runReads(args[i+1:]) {
				return false
			}
		}
	}
	return true
}

func fdReads(args []string) bool {
	for i, a := range args {
		if a == "-x" || a == "--exec" || a == "-X" || a == "--exec-batch" {
			return runReads(args[i+1:])
		}
	}
	return true
}

// runReads reports whether the command that args begin with only reads.
func runReads(args []string) bool {
	for i, a := range args {
		if a == ";" || a == "+" {
			args = args[:i]
			break
		}
	}
	if len(args) == 0 {
		return false
	}
	u := unwrap(args)
	if u.script != "" {
		return Parse(u.script).Lookup
	}
	args = args[u.from:]
	name := commandName(args[0])
	if name == "xargs" || name == "find" {
		return false
	}
	k, _ := classify(name, args, u.runner)
	return k.class == "" && reads(name, args, u.runner)
}

func onlySettings(args []string) bool {
	for _, a := range args[1:] {
		if !assignment(a) && !strings.HasPrefix(a, "-") {
			return false
		}
	}
	return true
}

func teeReads(args []string) bool {
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "-") && !silent(a, false) {
			return false
		}
	}
	return true
}

func tarReads(args []string) bool {
	if len(args) < 2 {
		return false
	}
	flags := strings.TrimPrefix(args[1], "-")
	return args[1] == "--list" || strings.Contains(flags, "t") && !strings.ContainsAny(flags, "xcru") && !strings.HasPrefix(flags, "-")
}

func awsReads(args []string) bool {
	for i, a := range args[1:] {
		for _, verb := range [...]string{"describe-", "list-", "get-", "head-", "lookup-", "filter-"} {
			if strings.HasPrefix(a, verb) {
				return true
			}
		}
		if a == "ls" || a == "tail" && i > 0 {
			return true
		}
	}
	return len(args) > 2 && args[1] == "configure" && args[2] == "list"
}

func cloudReads(args []string) bool {
	for i, a := range args[1:] {
		if i > 0 && (a == "list" || a == "describe" || a == "show" || a == "read") || a == "info" {
			return true
		}
	}
	return false
}

// npmReads: `npm run` alone lists the scripts; `npm audit` without fix reads.
func npmReads(args []string) bool {
	if len(args) == 2 && (args[1] == "run" || args[1] == "run-script") {
		return true
	}
	if len(args) > 1 && args[1] == "audit" {
		return !contains(args, "fix") && !contains(args, "--fix")
	}
	return contains(args, "--dry-run") && contains(args, "pack") || readingSub(subReaders["npm"], args)
}

func goReads(args []string) bool {
	if len(args) < 2 {
		return true
	}
	switch args[1] {
	case "env":
		return !contains(args, "-w") && !contains(args, "-u")
	case "mod":
		return len(args) > 2 && (has("graph why verify", args[2]) || args[2] == "edit" && (contains(args, "-json") || contains(args, "-print")))
	case "tool":
		return len(args) < 3 || has("nm objdump addr2line buildid pprof", args[2]) || args[2] == "cover" && strings.Contains(strings.Join(args, " "), "-func")
	}
	return has("list doc version help", args[1])
}

// sshReads looks at the command that runs on the other side.
func sshReads(args []string) bool {
	at := (&wrapper{values: "-p -i -o -l -F -J -L -R -D -b -c -E -m -S -W -w", skip: 1}).operand(args)
	return at > 0 && Parse(strings.Join(args[at:], " ")).Lookup
}

// blockReads: a script block of PowerShell that calls no cmdlet but readers,
// sets nothing and calls no method that sounds like acting.
func blockReads(args []string) bool {
	for _, a := range args[1:] {
		word := strings.Trim(a, "{}();\"'")
		if a == "=" || a == "+=" || doers[strings.ToLower(word)] || strings.Contains(a, "::") {
			return false
		}
		if verb, noun, ok := strings.Cut(strings.ToLower(word), "-"); ok && verb != "" && noun != "" && cmdlet(word) {
			if name := verb + "-" + noun; verb != "get" && !always[name] {
				return false
			}
		}
	}
	return true
}
