package lang_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestFirstAction(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		// What may stand before the verb.
		{"I also added retries to the mailer", "retries to the mailer"},
		{"I've now updated the docs index", "the docs index"},
		{"I’ve now updated the docs index", "the docs index"},
		{"We have just deployed the preview", "the preview"},
		{"We've successfully built the image", "the image"},
		{"Also, I fixed the pager", "the pager"},
		{"- ✅ Added the cart page", "the cart page"},
		{"✅ **Fixed** the cart total", "the cart total"},
		{"- [x] Wrote the seed script", "the seed script"},
		{"- [ ] Wrote the seed script", ""},
		{"3) Bumped the linter to 2.1", "the linter to 2.1"},
		{"* **Fixed**: the flaky clock", "the flaky clock"},
		{"**Fixed:** the flaky clock", "the flaky clock"},
		{"__Added__ a cart badge", "a cart badge"},
		{"Done! Added a cart badge.", "a cart badge"},
		{"Both pass. I then pushed the branch.", "the branch"},
		// Verbs that count only after "I" or "we".
		{"Set the API key before you start", ""},
		{"I set the timeout to 30 seconds", "the timeout to 30 seconds"},
		{"Split the file in two", ""},
		{"We split the handler in two", "split the handler in two"},
		{"Read the guide first", ""},
		{"I've put the keys into the vault", "the keys into the vault"},
		// What the value holds.
		{"Updated `users.go` and bumped v1.2 to v1.3.", "users.go and bumped v1.2 to v1.3"},
		{"Added [the guide](docs/guide.md) to the menu", "the guide to the menu"},
		{"Added support for e.g. tabs and blanks. Then more.", "support for e.g. tabs and blanks"},
		{"Created   the    shop   schema:", "the shop schema"},
		{"Moved the cart into its own package!", "moved the cart into its own package"},
		{"Fixed and pushed.", "fixed and pushed"},
		{"1. **Updated cart page** - Added a total row", "cart page - Added a total row"},
		{"Added `a.b. C` to the list", "a.b. C to the list"},
		{"Added 日本語の翻訳 to the menu", "日本語の翻訳 to the menu"},
		{"新しい翻訳です。Added the menu entry。", "the menu entry。"},
		// No action sentences.
		{"The cart was added by Ana.", ""},
		{"I will have added it by then", ""},
		{"I have not fixed the pager", ""},
		{"Should I add tests? Added value is unclear?", ""},
		{"Added the wrong file?", ""},
		{"Addedvalue is a word", ""},
		{"Fixed-width fonts only", ""},
		{"Updated packages are listed below", ""},
		{"Registered users can sign in twice", ""},
		{"Verified tests are green again", "tests are green again"},
		{"Fixed the test that was flaky", "the test that was flaky"},
		{"**Modified files:**", ""},
		{"Added:", ""},
		{"## Added tests for the cart", ""},
		{"| Added | the cart page |", ""},
		{"    Added code that is indented", ""},
		{"> Added words that are quoted", ""},
		{"```\nAdded inside a fence\n```", ""},
		{"~~~go\nAdded inside a fence\n~~~\nRemoved the old fence", "removed the old fence"},
		{"Set.", ""},
		{"Fixed it.", ""},
		{"Ich habe den Warenkorb repariert.", ""},
		{"", ""},
	} {
		if got := lang.FirstAction(tt.text); got != tt.want {
			t.Errorf("FirstAction(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func FuzzFirstAction(f *testing.F) {
	f.Add("- **Added** `x` to [y](z). I've set the _thing_!")
	f.Add("Now then just also I have removed\xff the 漢字 file")
	f.Fuzz(func(t *testing.T, s string) {
		got := lang.FirstAction(s)
		if n := utf8.RuneCountInString(got); got != "" && (n < 5 || n > 200) || strings.Contains(got, "\n") {
			t.Errorf("FirstAction(%q) = %q", s, got)
		}
	})
}
