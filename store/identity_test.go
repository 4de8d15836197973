package store

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kmemd/kmemd/store/fact"
)

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
