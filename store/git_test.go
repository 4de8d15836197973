package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// git runs git in a directory; the test is skipped where there is none.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(withoutGit(os.Environ()), "GIT_AUTHOR_NAME=ana", "GIT_AUTHOR_EMAIL=ana@example.org",
		"GIT_COMMITTER_NAME=ana", "GIT_COMMITTER_EMAIL=ana@example.org", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// newRepository makes a repository with one commit and a subdirectory sub/dir.
func newRepository(t *testing.T, dir string) string {
	t.Helper()
	mkdir(t, filepath.Join(dir, "sub", "dir"))
	git(t, dir, "init", "-q", "-b", "main")
	if err := os.WriteFile(filepath.Join(dir, "sub", "dir", "a"), []byte(dir), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", dir)
	return dir
}

func TestGitLayouts(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	shop, library := newRepository(t, root+"/shop"), newRepository(t, root+"/library")
	git(t, root, "clone", "-q", shop, root+"/clone")
	git(t, root, "clone", "-q", "--bare", shop, root+"/bare.git")
	git(t, root+"/bare.git", "worktree", "add", "-q", root+"/bare-wt", "-b", "x")
	git(t, root, "init", "-q", "--separate-git-dir", root+"/elsewhere.git", root+"/apart")
	git(t, shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib")
	if err := os.Symlink(shop, root+"/link"); err != nil {
		t.Fatal(err)
	}
	p := openPool(t, t.TempDir(), Options{})
	for _, tt := range []struct{ dir, want string }{
		{shop, shop},
		{shop + "/sub/dir", shop},
		{root + "/link/sub", shop},
		{shop + "/.git/hooks", shop},
		{shop + "/lib", shop + "/lib"},
		{shop + "/lib/sub/dir", shop + "/lib"},
		{root + "/clone", root + "/clone"},
		{root + "/bare.git", root + "/bare.git"},
		{root + "/bare-wt/sub", root + "/bare.git"},
		{root + "/apart", root + "/apart"},
		{root, root},
		{root + "/gone", root + "/gone"},
	} {
		if got := p.ProjectOf(tt.dir); got != tt.want {
			t.Errorf("ProjectOf(%s) = %s, want %s", tt.dir, got, tt.want)
		}
	}
	alone := openPool(t, t.TempDir(), Options{Scope: ScopeDirectory})
	if got := alone.ProjectOf(shop + "/sub"); got != shop+"/sub" {
		t.Errorf("with the directory as scope: %s", got)
	}
}

func TestRepositoryInHome(t *testing.T) {
	t.Parallel()
	home := newRepository(t, tempDir(t)+"/ana")
	shop := newRepository(t, home+"/shop")
	p := openPool(t, t.TempDir(), Options{Home: home})
	for _, tt := range []struct{ dir, want string }{
		{home, home}, {home + "/sub/dir", home + "/sub/dir"}, {home + "/gone", home + "/gone"}, {shop + "/sub", shop},
	} {
		if got := p.ProjectOf(tt.dir); got != tt.want {
			t.Errorf("ProjectOf(%s) = %s, want %s", tt.dir, got, tt.want)
		}
	}
}

// settle waits until the first commits of all repositories are known.
func settle(t *testing.T, p *Pool) {
	t.Helper()
	for range 200 {
		p.catalog.mu.Lock()
		waiting := false
		for _, row := range p.catalog.projects {
			waiting = waiting || row.git && row.commit == ""
		}
		p.catalog.mu.Unlock()
		if !waiting {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("first commits stay unknown")
}

func TestRepositoryMoves(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	shop := newRepository(t, root+"/shop")
	git(t, shop, "worktree", "add", "-q", root+"/wt", "-b", "wt")
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", shop, 10, marker("s1", 1000, "note:a", "in shop")), pass("s2", root+"/wt", 10, marker("s2", 2000, "note:b", "in wt")))
	settle(t, p)
	git(t, root, "clone", "-q", shop, root+"/clone")
	if got := values(t, p, root+"/clone"); len(got) != 0 {
		t.Errorf("a clone sees %v", got)
	}
	p = reopen(t, p)
	moved := root + "/store"
	if err := os.Rename(shop, moved); err != nil {
		t.Fatal(err)
	}
	p.forgetPlaces()
	want := map[string]string{"note:a": "in shop", "note:b": "in wt"}
	for range 2 {
		for _, dir := range []string{moved + "/sub", shop, root + "/wt", shop + "/sub"} {
			if diff := cmp.Diff(want, values(t, p, dir)); diff != "" {
				t.Errorf("seen from %s (-want +got):\n%s", dir, diff)
			}
		}
		if got := p.ProjectOf(shop); got != moved {
			t.Errorf("the project is %s", got)
		}
		p = reopen(t, p)
	}
	if err := os.Rename(moved, shop); err != nil {
		t.Fatal(err)
	}
	p.forgetPlaces()
	if diff := cmp.Diff(want, values(t, p, shop)); diff != "" {
		t.Errorf("moved back (-want +got):\n%s", diff)
	}
	if got := p.ProjectOf(root + "/wt"); got != shop {
		t.Errorf("moved back, the project is %s", got)
	}
}

func TestDirectoryBecomesRepository(t *testing.T) {
	t.Parallel()
	shop := tempDir(t) + "/shop"
	mkdir(t, shop+"/sub/dir")
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", shop+"/sub", 10, marker("s1", 1000, "note:a", "before")))
	newRepository(t, shop)
	p.forgetPlaces()
	if got := values(t, p, shop); got["note:a"] != "before" {
		t.Errorf("the new repository sees %v", got)
	}
}
