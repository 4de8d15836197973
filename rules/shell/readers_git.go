package shell

import "strings"

// gitReading are the subcommands of git that only read, whatever follows.
const gitReading = "status diff log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree ls-remote cat-file merge-base name-rev grep " +
	"for-each-ref show-ref show-branch check-ignore check-attr check-ref-format check-mailmap count-objects var version help whatchanged range-diff diff-tree diff-index " +
	"diff-files cherry verify-commit verify-tag verify-pack get-tar-commit-id interpret-trailers stripspace patch-id merge-tree request-pull fsck column"

// gitCommand returns the subcommand of a git command line, what follows it and
// the directory of -C.
func gitCommand(args []string) (sub string, rest []string, dir string) {
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C" && i+1 < len(args):
			i++
			dir = joinDir(dir, args[i])
		case a == "-c" || a == "--git-dir" || a == "--work-tree" || a == "--namespace":
			i++
		case strings.HasPrefix(a, "-"):
		default:
			return a, args[i+1:], dir
		}
	}
	return "", nil, dir
}

func gitReads(args []string) bool {
	sub, rest, _ := gitCommand(args)
	if has(gitReading, sub) {
		return without("--output", args)
	}
	word := ""
	if len(rest) > 0 {
		word = rest[0]
	}
	switch sub {
	case "":
		return true
	case "branch":
		return gitBranchReads(rest)
	case "tag":
		return gitTagReads(rest)
	case "remote":
		return word == "" || has("-v --verbose show get-url", word)
	case "stash":
		return has("list show", word)
	case "worktree", "lfs", "sparse-checkout":
		return has("list ls-files status env", word)
	case "submodule":
		return word == "" || has("status summary", word)
	case "notes":
		return word == "" || has("list show", word)
	case "reflog":
		return !has("expire delete drop", word)
	case "bisect":
		return has("log view visualize", word)
	case "bundle":
		return has("verify list-heads", word)
	case "config":
		return gitConfigReads(rest)
	case "symbolic-ref":
		return len(operands(rest)) == 1 && !contains(rest, "-d") && !contains(rest, "--delete")
	case "hash-object":
		return !contains(rest, "-w")
	case "apply", "am":
		return contains(rest, "--check") || contains(rest, "--stat") || contains(rest, "--numstat")
	case "clean", "add", "rm", "mv":
		return contains(rest, "-n") || contains(rest, "--dry-run") || sub == "clean" && strings.HasPrefix(word, "-n")
	case "rebase":
		return contains(rest, "--show-current-patch")
	}
	return false
}

// operands returns the words that are no flags.
func operands(args []string) []string {
	var out []string
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			out = append(out, a)
		}
	}
	return out
}

// gitBranchReads: a listing, not the making, moving or deleting of a branch.
func gitBranchReads(rest []string) bool {
	listing := false
	for _, a := range rest {
		flag, _, _ := strings.Cut(a, "=")
		if has("-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream --edit-description --track -t", flag) {
			return false
		}
		listing = listing || has("--list -l --contains --no-contains --merged --no-merged --points-at --format --sort --show-current -r -a --remotes --all -vv", flag)
	}
	return listing || len(operands(rest)) == 0
}

func gitTagReads(rest []string) bool {
	listing := false
	for _, a := range rest {
		flag, _, _ := strings.Cut(a, "=")
		if has("-d -a -s -f -m -F -u --delete --annotate --sign --force --message --file", flag) {
			return false
		}
		listing = listing || has("--list -l --contains --no-contains --merged --no-merged --points-at --format --sort -v --verify", flag) || strings.HasPrefix(a, "-n")
	}
	return listing || len(operands(rest)) == 0
}

func gitConfigReads(rest []string) bool {
	for _, a := range rest {
		flag, _, _ := strings.Cut(a, "=")
		if strings.HasPrefix(flag, "--get") || has("--list -l get list", flag) {
			return true
		}
		if has("--unset --unset-all --add --replace-all --edit -e --remove-section --rename-section set unset edit rename-section remove-section", flag) {
			return false
		}
	}
	return len(operands(rest)) == 1
}

// ghReads: a reading subcommand, or an api call that sends nothing.
func ghReads(args []string) bool {
	if len(args) < 2 || args[1] != "api" {
		return readingSub(subReaders["gh"], args)
	}
	sends, query, method := false, false, ""
	for i, a := range args[2:] {
		next := ""
		if i+3 < len(args) {
			next = args[i+3]
		}
		switch {
		case a == "-X" || a == "--method":
			method = next
		case strings.HasPrefix(a, "-X") || strings.HasPrefix(a, "--method="):
			method = strings.TrimPrefix(strings.TrimPrefix(a, "-X"), "--method=")
		case a == "-f" || a == "-F" || a == "--field" || a == "--raw-field" || a == "--input":
			sends = true
			query = query || strings.HasPrefix(next, "query=") && !strings.Contains(next, "mutation")
		case strings.HasPrefix(a, "--field=") || strings.HasPrefix(a, "--raw-field=") || strings.HasPrefix(a, "--input="):
			sends = true
		}
	}
	if method != "" {
		return strings.EqualFold(method, "GET")
	}
	return !sends || contains(args, "graphql") && query
}
