package store

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// gitWait bounds the one question that is put to git itself.
const gitWait = 2 * time.Second

// A repository is what is known of a local Git repository.
type repository struct {
	common string // the common Git directory, its identity
	root   string // the directory that people call the repository
	tree   string // the root of the worktree in which it was found
}

// findRepository walks up to the repository that holds a directory, beginning
// at the first directory above it that exists, or itself. Ordinary directories
// are never taken for a worktree of what lies below them, even if a repository
// sits there.
func findRepository(start, dir string, ordinary func(string) bool) (repository, bool) {
	for at, ok := start, true; ok; at, ok = parent(at) {
		if at != dir && ordinary(at) {
			continue
		}
		if repo, found := repositoryAt(at); found {
			return repo, true
		}
	}
	return repository{}, false
}

// repositoryAt looks at one directory: a worktree's root, or a Git directory.
func repositoryAt(dir string) (repository, bool) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	switch {
	case err == nil && info.IsDir() && gitDir(dot):
		common := resolved(dot)
		return repository{common: common, root: rootOf(common), tree: dir}, true
	case err == nil && info.Mode().IsRegular():
		return linked(dir, dot)
	case gitDir(dir):
		common := commonOf(dir)
		return repository{common: common, root: rootOf(common), tree: dir}, true
	}
	return repository{}, false
}

// gitDir reports whether a directory is a Git directory, bare or not.
func gitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return true
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// linked follows a .git file: of a linked worktree, a submodule, or a
// repository whose Git directory lies elsewhere.
func linked(dir, dot string) (repository, bool) {
	at, ok := strings.CutPrefix(firstLine(dot), "gitdir:")
	if !ok {
		return repository{}, false
	}
	at = filepath.FromSlash(strings.TrimSpace(at))
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	if !gitDir(at) {
		// The repository has moved or is gone; its name still tells which it was.
		before, _, worktree := strings.Cut(filepath.ToSlash(at), "/.git/worktrees/")
		if !worktree {
			return repository{}, false
		}
		return repository{common: before + "/.git", root: before, tree: dir}, true
	}
	common := commonOf(at)
	root := rootOf(common)
	if root == common && common == resolved(at) {
		root = dir // its Git directory lies elsewhere, and only this .git leads to it
	}
	return repository{common: common, root: root, tree: dir}, true
}

// commonOf returns the common Git directory of a Git directory.
func commonOf(gitdir string) string {
	common := firstLine(filepath.Join(gitdir, "commondir"))
	switch {
	case common == "":
		common = gitdir
	case !filepath.IsAbs(common):
		common = filepath.Join(gitdir, filepath.FromSlash(common))
	}
	return resolved(common)
}

// rootOf returns the directory by which a repository is known: the one above
// .git, else the worktree that its configuration names (a submodule's), else
// the bare repository itself.
func rootOf(common string) string {
	if root, ok := strings.CutSuffix(common, "/.git"); ok {
		return normal(root + "/")
	}
	for line := range strings.Lines(firstBytes(filepath.Join(common, "config"))) {
		name, tree, ok := strings.Cut(line, "=")
		if !ok || strings.TrimSpace(name) != "worktree" {
			continue
		}
		tree = filepath.FromSlash(strings.TrimSpace(tree))
		if !filepath.IsAbs(tree) {
			tree = filepath.Join(common, tree)
		}
		return resolved(tree)
	}
	return common
}

// resolved returns a path without symbolic links, or as it is where it does not exist.
func resolved(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		p = real
	}
	return normal(filepath.ToSlash(p))
}

// firstLine returns the first line of a small file, and "" where there is none.
func firstLine(path string) string {
	line, _, _ := strings.Cut(firstBytes(path), "\n")
	return strings.TrimSpace(line)
}

// firstBytes returns the beginning of a file, as far as Git's own small files
// go, and "" where there is none.
func firstBytes(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4*maxPath))
	if err != nil {
		return ""
	}
	return string(b)
}

// rootCommit asks git for the first commit of a repository. It is "" where
// there is none, or git is missing, refuses or takes too long.
func rootCommit(ctx context.Context, common string) string {
	ctx, cancel := context.WithTimeout(ctx, gitWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "--git-dir="+common, "rev-list", "--max-parents=0", "HEAD", "--")
	cmd.Dir = common
	cmd.Env = append(withoutGit(os.Environ()), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	// The last line is the oldest root: it stays when unrelated histories are merged.
	lines := strings.Fields(string(out))
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

// withoutGit drops the variables that would turn git to another repository.
func withoutGit(env []string) []string {
	var out []string
	for _, v := range env {
		if !strings.HasPrefix(v, "GIT_") {
			out = append(out, v)
		}
	}
	return out
}
