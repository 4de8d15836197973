package shell

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// shared returns the path of a file beside the repository, and skips the test
// where it is not there.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("KMEM_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			up := filepath.Dir(dir)
			if up == dir {
				t.Skip("no go.mod above the test")
			}
			dir = up
		}
		root = filepath.Join(dir, "..", "shared")
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no shared files: %v", err)
	}
	return path
}

func TestLookupVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(shared(t, "conformance", "memory", "shell_lookup.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Command string `json:"command"`
			Lookup  bool   `json:"lookup"`
		} `json:"vectors"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 {
		t.Fatal("no vectors")
	}
	for _, v := range file.Vectors {
		if got := Parse(v.Command).Lookup; got != v.Lookup {
			t.Errorf("Parse(%q).Lookup = %v, want %v", v.Command, got, v.Lookup)
		}
	}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"bash -c 'ls -la | head'", "bash -lc \"rg -n foo src && cat a.go\"", "sh -c 'git status'", "sudo cat /etc/hosts",
		"echo $(git rev-parse HEAD)", "diff <(sort a) <(sort b)", "cat a 2>/dev/null || echo none", "cat a 2>&1 | tail -5",
		"ls >/dev/null 2>&1", "find . -name '*.go' -exec grep -l foo {} \\;", "find . -type f | xargs wc -l", "find . -name x -print0 | xargs -0 grep -n foo",
		"sed -n '1,20p;40,60p' a.go", "sed 's/a/b/' a.go", "awk '{print $1}' a | sort | uniq -c", "awk '$3 > 5 {print $1}' a",
		"git -C sub log --oneline -5", "git --no-pager diff HEAD~1", "git branch -vv", "git branch --show-current", "git branch --list 'a/*'",
		"git stash list", "git tag -l 'v*'", "git tag", "git remote -v", "git config --get user.name", "git config user.name", "git worktree list", "git reflog -5",
		"gh pr view 12 --json title", "gh pr list", "gh pr checks 12", "gh pr diff 3", "gh run list --limit 5", "gh run view 1 --log-failed", "gh issue view 3",
		"gh api repos/ana/shop/pulls", "gh api -X GET search/issues -f q=foo", "gh api graphql -f query='query { viewer { login } }'",
		"kubectl get pods -n shop", "kubectl -n shop logs deploy/web", "docker ps -a", "docker logs web --tail 50", "docker compose ps", "docker compose logs web",
		"npm ls --depth=0", "npm view react version", "npm run", "pnpm why react", "pip show requests", "uv pip list", "cargo tree", "cargo --version",
		"go list ./...", "go env GOPATH", "go doc fmt.Println", "go version", "go mod graph", "go tool cover -func=c.out",
		"jq '.a' x.json", "yq .a x.yaml", "for f in *.go; do wc -l $f; done", "while read -r l; do echo \"$l\"; done < a.txt",
		"if [ -f a ]; then cat a; else echo no; fi", "case $x in a) cat a;; *) ls;; esac", "cd sub && pwd && ls", "test -f a && echo yes", "[ -d a ] && ls a", "[[ -n $A ]] && echo $A",
		"true", "sleep 5 && cat log", "which go", "command -v go", "type ls", "printenv PATH", "env | grep GO", "export A=1 && ls", "A=$(cat x); echo $A",
		"cat <<'E'\nhello\nE", "f() { cat \"$1\"; }; f a.go", "time ls", "timeout 10 tail -f log", "nice -n 5 du -sh .", "(cd a && ls)", "{ ls; pwd; }", "! grep -q x y",
		"node --version", "python3 --version", "cargo build --help", "mytool --help", "mytool status", "mytool pr list", "systemctl status web", "journalctl -u web -n 50",
		"tar -tzf a.tgz", "unzip -l a.zip", "aws s3 ls", "aws ec2 describe-instances", "terraform state list", "helm list", "make -n", "just --list", "tmux capture-pane -p",
		"Get-ChildItem -Recurse | Select-Object -First 5", "Get-Content a.txt | Select-String foo", "Test-Path a", "Get-ChildItem | Where-Object { $_.Length -gt 5 } | ForEach-Object { $_.Name }",
		"dir C:\\shop", "type a.txt", "findstr /s foo *.cs", "cmd /c dir", "powershell -Command \"Get-ChildItem\"", "ssh web 'tail -50 /var/log/web.log'",
		"tee /dev/null", "cat a > NUL", "ls -la # what is there", "sort a | uniq", "comm -12 a b", "xxd a | head", "rtk git status", "date -u", "bd show ab-1 --long",
	} {
		if c := Parse(command); !c.Lookup {
			t.Errorf("Parse(%q).Lookup = false, want true (%+v)", command, c)
		}
	}
}

func TestNoLookups(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"", "bash -c 'rm -rf a'", "bash -lc \"cat a > b\"", "echo $(rm a)", "cat a | tee b", "cat a >> b", "echo x &> log", "ls > out.txt",
		"find . -name '*.o' -exec rm {} +", "find . -fprint out", "find . | xargs rm", "fd -e o -x rm", "sed -i '' s/a/b/ x", "sed -n -i.bak p x", "sed -e 's/a/b/' -i x", "sed 's/a/b/w out' x",
		"awk '{print > \"out\"}' a", "awk '{system(\"rm \" $1)}' a", "sort -o a a", "sort a > b", "yq -i '.a=1' x.yaml",
		"git add -A", "git commit -m x", "git checkout main", "git branch new", "git branch -D old", "git stash", "git stash pop", "git tag v1", "git fetch", "git pull", "git config user.name ana", "git remote add o u", "git worktree add ../x",
		"gh pr create --fill", "gh issue comment 1 -b x", "gh api -X DELETE repos/ana/shop/x", "gh api repos/ana/shop/issues -f title=x", "gh api graphql -f query='mutation { x }'",
		"kubectl apply -f a.yaml", "kubectl delete pod x", "docker run web", "docker rm web", "docker compose up -d", "npm install", "npm ci", "npm audit fix", "pip install x", "go get x", "go mod tidy", "go env -w A=b",
		"for f in *.go; do gofmt -w $f; done", "if true; then rm a; fi", "f() { rm x; }; f", "mkdir list", "touch status", "python3 -c 'print(1)'", "node -e 1", "curl -s https://shop.example", "./deploy.sh status",
		"cat > a <<'E'\nls\nE", "python3 - <<'E'\nprint(1)\nE", "bash <<'E'\nrm a\nE", "eval \"rm a\"", "Remove-Item a", "Get-ChildItem | Remove-Item", "Get-ChildItem | ForEach-Object { Remove-Item $_ }", "Set-Content a b", "del a.txt", "cmd /c del a",
		"date -s 2020", "tar -xzf a.tgz", "unzip a.zip", "env A=1 make", "xargs", "kill 1", "ssh web 'rm a'", "unknowntool", "{ ls; } > out",
	} {
		want := command == "xargs" // prints
		if c := Parse(command); c.Lookup != want {
			t.Errorf("Parse(%q).Lookup = %v, want %v (%+v)", command, c.Lookup, want, c)
		}
	}
}
