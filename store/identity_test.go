package store

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/store/fact"
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

func mkdir(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tempDir returns a temporary directory by its real name.
func tempDir(t *testing.T) string {
	t.Helper()
	return resolved(t.TempDir())
}

// A record is what the identity of a project goes by.
type record struct {
	Cwd     string `json:"cwd"`
	Session string `json:"sessionId"`
	UUID    string `json:"uuid"`
	Type    string `json:"type"`
	Message struct{ Content any }
}

// readCase commits the prompts of a case's transcripts, each as a marker.
func readCase(t *testing.T, p *Pool, home string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, ".claude", "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts below %s: %v", home, err)
	}
	for _, path := range files {
		commit(t, p, passOver(t, p, path))
	}
}

func passOver(t *testing.T, p *Pool, path string) Pass {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ps := Pass{Agent: "claude-code", Path: path, Generation: "1", Deltas: map[string]*fact.Delta{}}
	var bases []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		ps.Pos += int64(len(lines.Bytes()) + 1)
		dir := p.Belongs(bases, r.Cwd)
		if !cmp.Equal(bases, append(bases, dir)) && !contains(bases, dir) {
			bases = append(bases, dir)
		}
		if r.Type != "user" {
			continue
		}
		if ps.Deltas[dir] == nil {
			ps.Deltas[dir] = &fact.Delta{}
		}
		text, _ := r.Message.Content.(string)
		ps.Deltas[dir].Writes = append(ps.Deltas[dir].Writes, fact.Write{
			Stamp:  fact.Stamp{Time: 1_700_000_000_000 + ps.Pos, Session: r.Session, File: filepath.Base(path), Pos: ps.Pos},
			Record: r.UUID, Agent: "claude-code", Row: fact.RowPrompt, Key: "prompt:" + r.UUID, Value: text, Type: fact.Prompt,
		})
	}
	return ps
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// expectTexts checks which texts a reader of a directory sees.
func expectTexts(t *testing.T, p *Pool, cwd string, want ...string) {
	t.Helper()
	got := map[string]bool{}
	for _, v := range values(t, p, cwd) {
		got[v] = true
	}
	wanted := map[string]bool{}
	for _, v := range want {
		wanted[v] = true
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("seen from %s (-want +got):\n%s", cwd, diff)
	}
}

func TestCaseSameSessionTwoProjects(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	readCase(t, p, shared(t, "cases", "035", "home"))
	expectTexts(t, p, "/home/dev/work/alpha", "Alpha uses pool size 8.")
	expectTexts(t, p, "/home/dev/work/beta", "Beta evicts after 60 seconds.")
}

func TestCaseNamesOfAllScripts(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	readCase(t, p, shared(t, "cases", "037", "home"))
	expectTexts(t, p, "/home/dev/werk/größe-übung", "Umlaut fact.")
	expectTexts(t, p, "/home/dev/仕事/果樹園", "Kanji fact.")
	expectTexts(t, p, "/home/dev/работа/сад", "Cyrillic fact.")
	if got := p.ProjectOf("/home/dev/仕事/果樹園"); got != "/home/dev/仕事/果樹園" {
		t.Errorf("project %q", got)
	}
}

func TestCaseWorktrees(t *testing.T) {
	t.Parallel()
	setup := shared(t, "cases", "039", "setup.sh")
	dest := filepath.Join(tempDir(t), "dest")
	if out, err := exec.Command("sh", setup, dest).CombinedOutput(); err != nil {
		t.Skipf("setup: %v\n%s", err, out)
	}
	p := openPool(t, filepath.Join(dest, "data"), Options{})
	readCase(t, p, filepath.Join(dest, "home"))
	repo := filepath.Join(dest, "repos", "orchard")
	dirs := []string{repo, repo + "/.claude/worktrees/brave-pear", dest + "/elsewhere/wt-two", repo + "/sub/dir"}
	look := func(p *Pool) {
		t.Helper()
		all := values(t, p, repo)
		if len(all) != 4 {
			t.Errorf("%d facts in the project: %v", len(all), all)
		}
		for _, dir := range dirs {
			if diff := cmp.Diff(all, values(t, p, dir)); diff != "" {
				t.Errorf("seen from %s:\n%s", dir, diff)
			}
			if got := p.ProjectOf(dir); got != repo {
				t.Errorf("ProjectOf(%s) = %s, want %s", dir, got, repo)
			}
		}
	}
	look(p)
	git(t, repo, "worktree", "remove", ".claude/worktrees/brave-pear")
	git(t, repo, "worktree", "remove", dest+"/elsewhere/wt-two")
	p = reopen(t, p)
	look(p)
	projects, err := p.Projects(t.Context())
	if err != nil || len(projects) != 1 || len(projects[0].Directories) != 4 || projects[0].Entries != 4 {
		t.Errorf("projects %+v, %v", projects, err)
	}
}

func TestCaseHomeIsNoProject(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{Home: "/home/dev"})
	readCase(t, p, shared(t, "cases", "041", "home"))
	expectTexts(t, p, "/home/dev/work/orchard", "Orchard fact.")
	expectTexts(t, p, "/home/dev", "Home session fact.")
	for _, base := range []string{"/", "/tmp", "/home/dev"} {
		dir := strings.TrimSuffix(base, "/") + "/nowhere/x"
		if got := p.Belongs([]string{base}, dir); got != dir {
			t.Errorf("Belongs(%s, %s) = %s", base, dir, got)
		}
	}
}

func TestCaseDirectoryChanges(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	readCase(t, p, shared(t, "cases", "043", "home"))
	expectTexts(t, p, "/home/dev/work/alpha", "Alpha needs Go 1.24.")
	expectTexts(t, p, "/home/dev/work/beta", "Beta needs Node 22.", "Package x has no tests yet.")
}

func TestBelongs(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	shop, tools := newRepository(t, root+"/shop"), newRepository(t, root+"/tools")
	git(t, shop, "worktree", "add", "-q", root+"/shop-wt", "-b", "wt")
	mkdir(t, root+"/plain/deep")
	p := openPool(t, t.TempDir(), Options{})
	for _, tt := range []struct {
		bases []string
		cwd   string
		want  string
	}{
		{nil, shop, shop},
		{nil, "", ""},
		{nil, "relative/dir", ""},
		{[]string{shop}, "", shop},
		{[]string{shop}, "relative/dir", shop},
		{[]string{shop}, "/bad\x00dir", shop},
		{[]string{shop}, shop + "/", shop},
		{[]string{shop}, shop + "/sub/dir", shop},
		{[]string{shop + "/sub"}, shop, shop + "/sub"},
		{[]string{shop}, shop + "/gone/dir", shop},
		{[]string{shop}, root + "/shop-wt", shop},
		{[]string{shop}, tools + "/sub", tools + "/sub"},
		{[]string{shop, tools + "/sub"}, tools, tools + "/sub"},
		{[]string{root + "/plain"}, root + "/plain/deep", root + "/plain"},
		{[]string{root + "/plain/deep"}, root + "/plain", root + "/plain"},
		{[]string{root}, root + "/shop/sub", root + "/shop/sub"},
		{[]string{"/x/alpha", "/x/beta"}, "/x/beta/pkg", "/x/beta"},
		{[]string{"/x", "/x/beta"}, "/x/beta/pkg", "/x/beta"},
		{[]string{"/x/alpha"}, "/x/alphabet", "/x/alphabet"},
		{[]string{`C:\work\shop`}, `c:\work\shop`, "C:/work/shop"},
		{[]string{"C:/work/shop"}, `c:\work\shop\sub`, "C:/work/shop"},
	} {
		if got := p.Belongs(tt.bases, tt.cwd); got != tt.want {
			t.Errorf("Belongs(%q, %q) = %q, want %q", tt.bases, tt.cwd, got, tt.want)
		}
	}
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

func TestDirectoryMoves(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	commit(t, p, pass("s1", "/home/ana/old", 10, marker("s1", 1000, "note:a", "remember")))
	if err := p.Move(t.Context(), "/home/ana/old", "/home/ana/new"); err != nil {
		t.Fatal(err)
	}
	p = reopen(t, p)
	for _, dir := range []string{"/home/ana/old", "/home/ana/new"} {
		if got := values(t, p, dir); got["note:a"] != "remember" {
			t.Errorf("seen from %s: %v", dir, got)
		}
		if got := p.ProjectOf(dir); got != "/home/ana/new" {
			t.Errorf("ProjectOf(%s) = %s", dir, got)
		}
	}
	if err := p.Move(t.Context(), "/home/ana/never", "/home/ana/new"); err == nil {
		t.Error("a directory without a store was moved")
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

func TestSymbolicLinkRemembered(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	mkdir(t, root+"/real")
	if err := os.Symlink(root+"/real", root+"/link"); err != nil {
		t.Fatal(err)
	}
	p := openPool(t, t.TempDir(), Options{})
	if got := p.Belongs(nil, root+"/link"); got != root+"/real" {
		t.Fatalf("Belongs = %s", got)
	}
	commit(t, p, pass("s1", root+"/real", 10, marker("s1", 1000, "note:a", "one")))
	if err := os.RemoveAll(root + "/real"); err != nil {
		t.Fatal(err)
	}
	p = reopen(t, p)
	if got := values(t, p, root+"/link"); got["note:a"] != "one" {
		t.Errorf("through the link: %v", got)
	}
}
