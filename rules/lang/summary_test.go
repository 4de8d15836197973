package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// numberedSummary has the form that Claude Code writes.
const numberedSummary = `This session is being continued from a previous conversation. The summary below covers it.

Analysis:
1. **Key Decisions**: nothing here counts
- Pending Tasks: nothing here either

Summary:
1. Primary Request and Intent:
   Ana asked for retries in the mailer.
   - **Later**: a test as well

2. Key Technical Concepts:
   - Backoff with jitter

3. Files and Code Sections:
   - **` + "`mail/send.go`" + `** (MODIFIED)
     - Added the loop
     ` + "```go\n     // Pending Tasks:\n     - not: this\n     ```" + `

4. Errors and fixes:
   - **Lint error: unused import**: removed the import
   - **Mailer test hangs**:
     - The clock was never advanced
     - NOT YET FIXED
   - **User feedback:** tabs, not spaces

5. Problem Solving:
   - Solved: the loop

6. All user messages:
   - "add retries"

7. Pending Tasks:
   - Make the mailer test end
   - Docs: mention the limit
     - nested
   - None

8. Current Work:
   Writing ` + "`mail/send_test.go`" + `, see **TestRetry**.

9. Optional Next Step:
   Advance the fake clock in TestRetry.

If you need specific details from before compaction, read the transcript at: /x.jsonl
Please continue the conversation from where we left it off.`

func TestSummaryBullets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []lang.Bullet
	}{
		{"numbered", numberedSummary, []lang.Bullet{
			{"error", "lint_error_unused_import", "resolved: removed the import"},
			{"error", "error:mailer_test_hangs", "The clock was never advanced; NOT YET FIXED"},
			{"error", "error:user_feedback", "resolved: tabs, not spaces"},
			{"progress", "progress:make_the_mailer_test_end", "Make the mailer test end"},
			{"progress", "progress:docs", "mention the limit"},
		}},
		{"markdown of any level", "# Key Decisions\n- **Use WAL**: readers never block\n### Critical Context\n- port: 5544\n###### Next Steps\n1. Ship it", []lang.Bullet{
			{"decision", "decision:use_wal", "readers never block"},
			{"context", "context:port", "5544"},
			{"progress", "progress:ship_it", "Ship it"},
		}},
		{"bold lines", "**Key Decisions**\n- cache: redis\n\n**Constraints & Preferences:**\n* tabs only\n\n**Next Steps**: - no", []lang.Bullet{
			{"decision", "decision:cache", "redis"},
			{"context", "context:tabs_only", "tabs only"},
			{"progress", "progress:no", "no"},
		}},
		{"plain titles", "Key Decisions:\n- a: b\n\nPending Tasks:\n- c\n", []lang.Bullet{
			{"decision", "decision:a", "b"}, {"progress", "progress:c", "c"},
		}},
		{"elements", "<state_snapshot>\n  <overall_goal>Retry.</overall_goal>\n  <key_knowledge>\n    - Build: `make`\n  </key_knowledge>\n  <current_plan>\n    1. [DONE] find\n    2. [IN PROGRESS] add the loop\n    3. [TODO] docs\n  </current_plan>\n</state_snapshot>", []lang.Bullet{
			{"context", "context:build", "make"},
			{"progress", "progress:add_the_loop", "in progress: add the loop"},
			{"progress", "progress:docs", "docs"},
		}},
		{"wrapped", "<analysis>\n## Key Decisions\n- not: this\n</analysis>\n<summary>\n## Key Decisions\n- this: yes\n</summary>", []lang.Bullet{
			{"decision", "decision:this", "yes"},
		}},
		{"subheadings belong to their section", "## Progress\n### Done\n- [x] one\n### In Progress\n- [ ] two\n### Blocked\n- the key is missing\n## Next Steps\n### Part 1 (now)\n- three\n## Unknown\n- four", []lang.Bullet{
			{"progress", "progress:two", "two"},
			{"error", "error:the_key_is_missing", "the key is missing"},
			{"progress", "progress:three", "three"},
		}},
		{"what is no key", "## Key Decisions\n- use https://x.test/a: always\n- src/a.ts:42: broken\n- a.ts: broken\n- one two three four five six seven: eight\n- key:value", []lang.Bullet{
			{"decision", lang.Slug("use https://x.test/a: always"), "use https://x.test/a: always"},
			{"decision", lang.Slug("src/a.ts:42: broken"), "src/a.ts:42: broken"},
			{"decision", lang.Slug("a.ts: broken"), "a.ts: broken"},
			{"decision", lang.Slug("one two three four five six seven: eight"), "one two three four five six seven: eight"},
			{"decision", lang.Slug("key:value"), "key:value"},
		}},
		{"nothing", "## Key Decisions\n- (none)\n- None.\n- n/a\n- No explicit decisions\n- \n- None — all is done\n- none of the tests ran", []lang.Bullet{
			{"decision", lang.Slug("none of the tests ran"), "none of the tests ran"},
		}},
		{"keys that classify", "## Key Decisions\n- decision on db: sqlite\n- goal: x\n## Known Issues\n- login error: 500\n## Critical Context\n- config path: /etc\n- env: prod", []lang.Bullet{
			{"decision", "decision_on_db", "sqlite"},
			{"decision", "decision:goal", "x"},
			{"error", "login_error", "500"},
			{"context", "context:config_path", "/etc"},
			{"context", "env", "prod"},
		}},
		{"several lines", "## Key Decisions\n- **Store**: one file\n  a directory\n  - nested: no\n- b", []lang.Bullet{
			{"decision", "decision:store", "one file a directory"}, {"decision", "decision:b", "b"},
		}},
		{"bold without colon", "## Key Decisions\n- **Keep it simple** - no daemon\n- **Drop v1.** It is dead.", []lang.Bullet{
			{"decision", "decision:keep_it_simple", "no daemon"},
			{"decision", lang.Slug("Drop v1. It is dead."), "Drop v1. It is dead."},
		}},
		{"code is left out", "## Key Decisions\n```\n- a: b\n```\n- c: d", []lang.Bullet{{"decision", "decision:c", "d"}}},
		{"crlf", "## Key Decisions\r\n- a: b\r\n", []lang.Bullet{{"decision", "decision:a", "b"}}},
		{"prose only", "All went well. We decided nothing.", nil},
		{"heading inside a line", "The ## Key Decisions section\n- a: b", nil},
		{"empty", "", nil},
	} {
		for i := range tt.want {
			if key := tt.want[i].Key; !strings.Contains(key, ":") && string(fact.TypeOf(key)) != tt.want[i].Section {
				tt.want[i].Key = tt.want[i].Section + ":" + key
			}
		}
		if diff := cmp.Diff(tt.want, lang.SummaryBullets(tt.text), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestSectionKeysClassify holds the table of types of this package against the
// one that the store uses.
func TestSectionKeysClassify(t *testing.T) {
	t.Parallel()
	words := []string{"goal", "tasks", "prompted", "why", "reasons", "wip", "in", "progress", "states", "status", "decision", "decided", "like",
		"preferred", "bugs", "failing", "errors", "file", "dirs", "env", "config", "done", "output", "cache", "x1", "last", "action", "files"}
	headings := map[string]string{"decision": "Key Decisions", "context": "Critical Context", "progress": "Next Steps", "error": "Known Issues"}
	rapid.Check(t, func(t *rapid.T) {
		label := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(t, "words"), " ")
		section := rapid.SampledFrom([]string{"decision", "context", "progress", "error"}).Draw(t, "section")
		got := lang.SummaryBullets("## " + headings[section] + "\n- **" + label + "**: v")
		if len(got) != 1 {
			t.Fatalf("%q gives %v", label, got)
		}
		if typ := string(fact.TypeOf(got[0].Key)); typ != section {
			t.Fatalf("%q in %s gives %q, which is a %s", label, section, got[0].Key, typ)
		}
		if bare := lang.Slug(label); string(fact.TypeOf(bare)) == section && got[0].Key != bare {
			t.Fatalf("%q in %s gives %q, though %q would do", label, section, got[0].Key, bare)
		}
	})
}

func TestCheckpoint(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"numbered", numberedSummary, "Pending: Make the mailer test end; Docs: mention the limit; nested\n" +
			"Current work: Writing mail/send_test.go, see TestRetry\n" +
			"Goal: Ana asked for retries in the mailer; Later: a test as well"},
		{"next where nothing is pending", "## Pending Tasks\n- (none)\n## Next Steps\n- Ship it.\n## Goal\nRetry.", "Next: Ship it\nGoal: Retry"},
		{"progress, decisions, context", "## Goal\nA\n\n## Progress\n### Done\n- [x] one\n### In Progress\n- [ ] two\n## Key Decisions\n- **K**: v\n## Critical Context\n- c: d",
			"Goal: A\nProgress: done: one; two\nDecisions: K: v\nContext: c: d"},
		{"plan", "<current_plan>\n1. [DONE] a\n2. [TODO] b\n</current_plan>", "Pending: b"},
		{"prose", "This session is being continued from before.\nAna asked for retries. They work.", "Ana asked for retries. They work."},
		{"empty", "", ""},
	} {
		if diff := cmp.Diff(tt.want, lang.Checkpoint(tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCheckpointLimits(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, heading := range []string{"Pending Tasks", "Current Work", "Goal", "Progress", "Key Decisions", "Critical Context"} {
		b.WriteString("## " + heading + "\n" + strings.Repeat("- Another item of the shop, with a few words.\n", 40))
	}
	got := lang.Checkpoint(b.String())
	if len(got) > 2000 {
		t.Errorf("%d bytes", len(got))
	}
	for _, line := range strings.Split(got, "\n") {
		if len(line) > 420 || !strings.HasSuffix(line, "words...") {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
	if n := strings.Count(got, "\n") + 1; n < 4 {
		t.Errorf("%d sections", n)
	}
}

func FuzzSummary(f *testing.F) {
	f.Add(numberedSummary)
	f.Add("<summary><goal>x</goal>**Next:** a\n1. **Decisions**: - b\n\xff")
	f.Add("## In Progress\n- **\n- ** **: \n- [\n- []:")
	f.Fuzz(func(t *testing.T, s string) {
		for _, b := range lang.SummaryBullets(s) {
			if b.Key == "" || b.Value == "" || len(b.Value) > 503 || !utf8.ValidString(b.Key+b.Value) || strings.Contains(b.Value, "\n") {
				t.Errorf("SummaryBullets(%q) gives %q", s, b)
			}
			if string(fact.TypeOf(b.Key)) != b.Section {
				t.Errorf("SummaryBullets(%q) gives %q for %s", s, b.Key, b.Section)
			}
		}
		if got := lang.Checkpoint(s); len(got) > 2000 || !utf8.ValidString(got) {
			t.Errorf("Checkpoint(%q) has %d bytes", s, len(got))
		}
	})
}
