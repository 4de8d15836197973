package lang_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestProsePaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"I've updated src/cart.go.", []string{"src/cart.go"}},
		{"updated `src/cart.go`, `src/mail.go` and `Makefile`", []string{"src/cart.go", "src/mail.go", "Makefile"}},
		{"Created the file src/cart.go", []string{"src/cart.go"}},
		{"Created a new file: src/cart.go", []string{"src/cart.go"}},
		{"Modified files: a.py, b.py & c.py", []string{"a.py", "b.py", "c.py"}},
		{"Renamed old.go -> new.go", []string{"old.go", "new.go"}},
		{"Renamed old.go → new.go", []string{"old.go", "new.go"}},
		{"Moved `old.go` to `lib/new.go`.", []string{"old.go", "lib/new.go"}},
		{"Read /etc/hosts. Then edited /etc/motd!", []string{"/etc/hosts", "/etc/motd"}},
		{"Edited **src/bold.go**", []string{"src/bold.go"}},
		{"Updated [cart.ts](/home/ana/shop/src/cart.ts#L12) so that it adds up", []string{"src/cart.ts"}},
		{"Updated [cart.ts](src/cart.ts:12) twice", []string{"cart.ts"}},
		{"Updated src/cart.go:12:5 and src/mail.go:7-9", []string{"src/cart.go", "src/mail.go"}},
		{"Deleted `/home/ana/shop`/x", []string{"."}},
		{"Wrote .env and .gitignore", []string{".env", ".gitignore"}},
		{"Wrote LICENSE", []string{"LICENSE"}},
		{"**Modified files:**\n- `src/a.ts` — adds x\n  - nested.go is not one\n- `src/b.ts` — adds y\n\nThat's all: - c.ts", []string{"src/a.ts", "src/b.ts"}},
		{"Created the following files:\n\n1. **`src/a.ts`**: one\n2. **`src/b.ts`**: two", []string{"src/a.ts", "src/b.ts"}},
		{"Edited\n- a.go\nUpdated b.go", []string{"a.go", "b.go"}},
		{"Edited app/[id]/page.tsx and app/(shop)/cart.tsx", []string{"app/[id]/page.tsx", "app/(shop)/cart.tsx"}},
		{"(edited src/a.go)", []string{"src/a.go"}},
		{"Edited src/a.go, src/a.go and ./src/a.go", []string{"src/a.go"}},
		{"Read C:/work/shop/a.go and C:\\work\\b.go", []string{"C:/work/shop/a.go", "C:\\work\\b.go"}},
		// None.
		{"Edited the client/server split", nil},
		{"Updated CI/CD and and/or", nil},
		{"Updated 1/2 and 3.5 of v1.2.3", nil},
		{"Read https://example.test/a.html and www.example.test/b.html", nil},
		{"Updated Node.js and Next.js", nil},
		{"Added the /users endpoint", nil},
		{"Added /api/users route", nil},
		{"Added /users", nil},
		{"Updated *.go files", nil},
		{"Updated obj.field and e.g. this", nil},
		{"Updated README later, see src/a.go", []string{"README"}},
		{"I have not modified src/a.go", nil},
		{"It will be created: src/a.go", []string{}},
		{"I didn't read src/a.go", nil},
		{"See src/a.go", nil},
		{"prefix-edited src/a.go", nil},
		{"Edited ... nothing", nil},
		{"Edited a.go() calls", nil},
		{"```\nEdited src/a.go\n```", nil},
		{"> Edited src/a.go", nil},
		{"Updated \"the whole sentence about the file named a.go\"", nil},
		{"", nil},
	} {
		got := lang.ProsePaths(tt.text, "/home/ana/shop")
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("ProsePaths(%q) (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, project, want string }{
		{"/home/ana/shop/a.go", "/home/ana/shop", "a.go"},
		{"/home/ana/shop/a.go", "/home/ana/shop/", "a.go"},
		{"/home/ana/shop//sub/../a.go", "/home/ana/shop", "a.go"},
		{"/home/ana/shop", "/home/ana/shop", "."},
		{"/home/ana/shopping/a.go", "/home/ana/shop", "/home/ana/shopping/a.go"},
		{"/home/ana/shop/../b.go", "/home/ana/shop", "/home/ana/shop/../b.go"},
		{"/etc/hosts", "/home/ana/shop", "/etc/hosts"},
		{"a.go", "/home/ana/shop", "a.go"},
		{"./a.go", "/home/ana/shop", "a.go"},
		{"./../a.go", "/home/ana/shop", "../a.go"},
		{`.\sub\a.go`, "/home/ana/shop", "sub/a.go"},
		{"~/a.go", "/home/ana/shop", "~/a.go"},
		{`C:\work\shop\web\a.go`, `C:\work\shop`, "web/a.go"},
		{`c:/work/shop/a.go`, `C:\work\shop`, "a.go"},
		{`C:\work\shop2\a.go`, `C:\work\shop`, `C:\work\shop2\a.go`},
		{"a.go", "", "a.go"},
		{"/a.go", "/", "/a.go"},
		{"", "/home/ana/shop", ""},
	} {
		if got := lang.Relative(tt.path, tt.project); got != tt.want {
			t.Errorf("Relative(%q, %q) = %q, want %q", tt.path, tt.project, got, tt.want)
		}
	}
}

func TestJoinPaths(t *testing.T) {
	t.Parallel()
	var paths []string
	for i := range 23 {
		paths = append(paths, "f"+strconv.Itoa(i)+".go")
	}
	if got := lang.JoinPaths(nil); got != "" {
		t.Errorf("JoinPaths(nil) = %q, want none", got)
	}
	if got, want := lang.JoinPaths(paths[:20]), strings.Join(paths[:20], ", "); got != want {
		t.Errorf("JoinPaths of 20 = %q, want %q", got, want)
	}
	if got, want := lang.JoinPaths(paths), strings.Join(paths[:20], ", ")+", +3 more"; got != want {
		t.Errorf("JoinPaths of 23 = %q, want %q", got, want)
	}
}

func FuzzProsePaths(f *testing.F) {
	f.Add("Edited `a.go`, [b](/x/b.go) and:\n- c.go\n> d.go", "/x")
	f.Add("Updated:\n\n\n- a.go\n- b.go", `C:\x`)
	f.Fuzz(func(t *testing.T, s, project string) {
		seen := map[string]bool{}
		for _, path := range lang.ProsePaths(s, project) {
			if path == "" || seen[path] || strings.ContainsAny(path, "\n\x00") {
				t.Errorf("ProsePaths(%q, %q) gives %q", s, project, path)
			}
			seen[path] = true
		}
	})
}
