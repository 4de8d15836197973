package daemon_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generate writes Claude Code sessions of one invented project below root:
// prompts, replies, failing and passing commands, edits, task lists, markers
// and compactions, stamps that go backwards, and a fork that carries records of
// its parent along.
func generate(t *testing.T, root string, r *rand.Rand) {
	dir := filepath.Join(root, ".claude", "projects", "-home-ana-shop")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	g := &generator{r: r, time: 1_760_000_000_000}
	n := 2 + r.IntN(4)
	for i := range n {
		g.session = fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		g.lines = nil
		if i > 0 && r.IntN(3) == 0 {
			g.copyFrom(g.past[r.IntN(len(g.past))])
		}
		for range 3 + r.IntN(30) {
			g.record()
		}
		g.past = append(g.past, g.lines)
		var b strings.Builder
		for _, rec := range g.lines {
			line, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(line)
			b.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(dir, g.session+".jsonl"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		g.time += int64(r.IntN(12)) * 86_400_000
	}
}

type record map[string]any

type generator struct {
	r       *rand.Rand
	time    int64
	id      int
	session string
	lines   []record
	past    [][]record
}

// copyFrom begins a session with the first records of another, as a fork does.
func (g *generator) copyFrom(parent []record) {
	for _, rec := range parent[:g.r.IntN(len(parent)+1)] {
		c := record{}
		for k, v := range rec {
			c[k] = v
		}
		c["sessionId"] = g.session
		g.lines = append(g.lines, c)
	}
}

func (g *generator) add(kind string, message record) record {
	g.id++
	g.time += int64(g.r.IntN(90_000)) - 10_000
	rec := record{
		"type": kind, "uuid": fmt.Sprintf("u-%06d", g.id), "sessionId": g.session, "cwd": "/home/ana/shop",
		"version": "2.1.150", "timestamp": stampOf(g.time), "message": message, "isSidechain": false, "userType": "external",
	}
	g.lines = append(g.lines, rec)
	return rec
}

func (g *generator) record() {
	pick := func(list ...string) string { return list[g.r.IntN(len(list))] }
	prompts := []string{"Add a retry to the upload job", "Fix the price rounding in cart.go", "push", "yes",
		"Always use tabs in Makefiles here.", "Why does the login test fail on Mondays?"}
	switch g.r.IntN(9) {
	case 0, 1:
		g.add("user", record{"role": "user", "content": pick(prompts...)})
	case 2, 3:
		g.add("assistant", record{"id": fmt.Sprintf("m%d", g.id), "role": "assistant", "model": pick("model-x", "model-y"), "content": []record{{"type": "text",
			"text": pick("Added a retry with backoff to src/up.go.", "Removed the old cache. Tests are still pending.",
				"Shall I fix the clock in up_test.go?", "[MEMORY: port] "+pick("4410", "4411"), "Looking at the cart first.")}}})
	case 4, 5:
		g.call(pick("go test ./...", "go test ./up", "git commit -m 'Fix rounding'", "ls -la", "make build"))
	case 6:
		g.edit(pick("src/up.go", "src/cart.go", "README.md"))
	case 7:
		g.todos(pick("pending", "in_progress", "completed"), pick("pending", "completed"))
	case 8:
		if g.r.IntN(3) == 0 {
			g.add("user", record{"role": "user", "content": "This session is being continued from a previous conversation.\n\n1. Primary Request and Intent:\n   Fix the cart.\n\n2. Key Decisions:\n   - **database**: " + pick("Postgres", "SQLite") + "\n\n3. Pending Tasks:\n   - Migrate old orders\n"})["isCompactSummary"] = true
		}
	}
}

func (g *generator) tool(name string, input record, output string, failed bool) {
	id := fmt.Sprintf("toolu_%d", g.id)
	g.add("assistant", record{"id": "m" + id, "role": "assistant", "model": "model-x", "content": []record{{"type": "tool_use", "id": id, "name": name, "input": input}}})
	if g.r.IntN(8) == 0 {
		return // a call without an answer
	}
	g.add("user", record{"role": "user", "content": []record{{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}}})
}

func (g *generator) call(command string) {
	if g.r.IntN(2) == 0 {
		g.tool("Bash", record{"command": command}, "Exit code 1\n--- FAIL: TestUpload\n    up_test.go:12: got 3, want 4", true)
		return
	}
	g.tool("Bash", record{"command": command}, "ok  shop/up 0.21s", false)
}

func (g *generator) edit(path string) {
	g.tool("Edit", record{"file_path": "/home/ana/shop/" + path, "old_string": "a", "new_string": "b"}, "The file has been updated successfully.", false)
}

func (g *generator) todos(a, b string) {
	list := []record{{"content": "Write the changelog", "status": a, "activeForm": "Writing"}}
	if g.r.IntN(2) == 0 {
		list = append(list, record{"content": "Check the docs", "status": b, "activeForm": "Checking"})
	}
	g.tool("TodoWrite", record{"todos": list}, "Todos have been modified successfully", false)
}
