package shell

import "strings"

// title returns the first line of the message of a commit, or the title of a
// pull request, where the command line holds it. stdin is what the command
// reads, as far as it is known.
func title(args []string, stdin string) string {
	if commandName(args[0]) != "git" {
		if contains(args, "create") || contains(args, "pull-request") || contains(args, "describe") || contains(args, "commit") || contains(args, "ci") {
			return firstLine(flagValue(args[1:], "-t", "--title", "-m", "--message"))
		}
		return ""
	}
	sub, rest, _ := gitCommand(args)
	if sub != "commit" {
		return ""
	}
	if msg := flagValue(rest, "-m", "--message"); msg != "" {
		return firstLine(msg)
	}
	if file := flagValue(rest, "-F", "--file"); file == "-" || file == "/dev/stdin" {
		return firstLine(stdin)
	}
	return ""
}

// flagValue returns the value of the first of the flags in args: `-m x`,
// `-mx`, `-am x`, `--message x`, `--message=x`.
func flagValue(args []string, flags ...string) string {
	for i, a := range args {
		if a == "--" {
			return ""
		}
		for _, flag := range flags {
			long := strings.HasPrefix(flag, "--")
			switch {
			case a == flag:
			case long && strings.HasPrefix(a, flag+"="):
				return a[len(flag)+1:]
			case long || len(a) < 3 || a[0] != '-' || a[1] == '-':
				continue
			case strings.HasPrefix(a, flag):
				return a[len(flag):]
			case a[len(a)-1] == flag[1] && strings.Trim(a[1:], "abceinopqsuvzS"+flag[1:]) == "":
			default:
				continue
			}
			if i+1 < len(args) {
				return args[i+1]
			}
			return ""
		}
	}
	return ""
}

// firstLine returns the first line that says something.
func firstLine(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "@\n") { // a here-string of PowerShell, read as shell
		s = strings.TrimSpace(s[1:])
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
