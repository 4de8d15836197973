package lang_test

import (
	"strings"
	"testing"

	"github.com/kmemd/kmemd/rules/lang"
)

func TestTellCommit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, output, subject, want string }{
		{"plain", "[main abc1234] Add the cart\n 2 files changed, 7 insertions(+)\n", "Add the cart", "[main abc1234] / 2 files changed, 7 insertions(+)"},
		{"the subject is cut", "[main abc1234] Add the cart of the shop\n 1 file changed, 1 insertion(+)\n", "Add the cart...", "[main abc1234] / 1 file changed, 1 insertion(+)"},
		{"another subject", "[main abc1234] Add the cart\n 1 file changed, 1 insertion(+)\n", "git commit -F /tmp/m", "[main abc1234] Add the cart / 1 file changed, 1 insertion(+)"},
		{"behind hooks", "12 pass\n[main abc1234] Add the cart\n 1 file changed, 1 insertion(+)\n", "Add the cart", "[main abc1234] / 1 file changed, 1 insertion(+)"},
		{
			"before a long log", "[main abc1234] Add the cart\n 60 files changed, 7 insertions(+)\n" + strings.Repeat(" cart.go | 2 +-\n", 60) + " 60 files changed, 7 insertions(+)\n",
			"Add the cart", "[main abc1234] / 60 files changed, 7 insertions(+)",
		},
		{"pushed as well", "[main abc1234] Add the cart\nTo github.com:ana/shop.git\n   030d80d..acf21f1  main -> main\n", "Add the cart", "[main abc1234] / 030d80d..acf21f1 main -> main"},
		{"nothing more", "[main abc1234] Add the cart\n", "Add the cart", "[main abc1234]"},
		{"no commit", "nothing to commit, working tree clean\n", "Add the cart", "nothing to commit, working tree clean"},
		{"empty", "", "Add the cart", "ok"},
	} {
		if got := lang.TellCommit(tt.output, tt.subject); got != tt.want {
			t.Errorf("%s: TellCommit = %q, want %q", tt.name, got, tt.want)
		}
	}
}
