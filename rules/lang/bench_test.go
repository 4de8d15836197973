package lang_test

import (
	"strings"
	"testing"

	"github.com/kmemd/kmemd/rules/lang"
)

// message is a closing text of about two kilobytes.
var message = "Perfect! All tests pass. Here's a summary of the changes:\n\n## Cart\n\n" +
	"1. **Totals** (`cart/total.go`): The total came from a stale cache, see [the issue](https://x.test/7).\n" +
	"2. **Mailer**: It retries three times with jitter and then gives up.\n\n" +
	"| Step | Result |\n|---|---|\n| build | ✅ ok |\n| test | 42 passed |\n\n```go\nfunc total() int { return 1 }\n```\n\n" +
	strings.Repeat("- The importer reads `another file` and writes another *row* of the shop, which is what Ana asked for.\n", 14) +
	"\nNothing is pushed yet. Would you like me to push the branch?\n"

func BenchmarkReply(b *testing.B) {
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	for b.Loop() {
		lang.Condense(message, 500)
		lang.FirstAction(message)
		lang.Markers(message)
	}
}

func BenchmarkProsePaths(b *testing.B) {
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		lang.ProsePaths(message, "/home/ana/shop")
	}
}

func BenchmarkLastQuestion(b *testing.B) {
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		lang.LastQuestion(message)
	}
}

func BenchmarkClean(b *testing.B) {
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		lang.Clean(message)
	}
}

var output = strings.Repeat("ok  \tshop/cart\t0.3s\n=== RUN   TestCart\n--- PASS: TestCart (0.00s)\n", 30) + "12 passed\n"

func BenchmarkTellSuccess(b *testing.B) {
	b.SetBytes(int64(len(output)))
	for b.Loop() {
		lang.TellSuccess(output)
	}
}

func BenchmarkTellFailure(b *testing.B) {
	b.SetBytes(int64(len(output)))
	for b.Loop() {
		lang.TellFailure(output)
	}
}

func BenchmarkSlug(b *testing.B) {
	for b.Loop() {
		lang.Slug("Rewrite the importer so that it streams its rows")
	}
}

func BenchmarkClipWide(b *testing.B) {
	s := strings.Repeat("漢字と仮名", 100)
	for b.Loop() {
		lang.Clip(s, 500)
	}
}

func BenchmarkPreferences(b *testing.B) {
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		lang.Preferences(message)
	}
}
