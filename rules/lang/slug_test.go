package lang_test

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kmemd/kmemd/rules/lang"
)

// hash is the end of a slug that was cut.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "_" + hex.EncodeToString(sum[:3])
}

func TestSlug(t *testing.T) {
	t.Parallel()
	long := "Rewrite the importer so that it streams"
	for _, tt := range []struct{ s, want string }{
		{"Add /users endpoint", "add_users_endpoint"},
		{"  build!! ", "build"},
		{"go test ./...", "go_test"},
		{"HTTPStatus 404", "httpstatus_404"},
		{"naïve café", "naïve_café"},
		{"cafe\u0301", "café"},
		{"漢字 テスト", "漢字_テスト"},
		{"हिन्दी पाठ", "हिन्दी_पाठ"},
		{"ЁЖИК в тумане", "ёжик_в_тумане"},
		{"__init__.py", "init_py"},
		{"١٢٣", "١٢٣"},
		{"", hash("")},
		{"!!! ---", hash("!!! ---")},
		{"🎉", hash("🎉")},
		{strings.Repeat("a", 30), strings.Repeat("a", 30)},
		{strings.Repeat("a", 31), strings.Repeat("a", 23) + hash(strings.Repeat("a", 31))},
		{long, "rewrite_the_importer_so" + hash(long)},
		{strings.Repeat("漢", 11), strings.Repeat("漢", 7) + hash(strings.Repeat("漢", 11))},
	} {
		if got := lang.Slug(tt.s); got != tt.want {
			t.Errorf("Slug(%q) = %q, want %q", tt.s, got, tt.want)
		}
	}
}

func TestPromptSlug(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ s, want string }{
		{"Hi Claude, fix the login", "fix_the_login"},
		{"hello there! fix the login", "fix_the_login"},
		{"Hey, fix the login", "fix_the_login"},
		{"Good morning. Fix the login", "fix_the_login"},
		{"Guten Morgen, bitte bauen", "bitte_bauen"},
		{"Hola! arregla el login", "arregla_el_login"},
		{"你好，修复登录", "修复登录"},
		{"こんにちは。直して", "直して"},
		{"fix the hello page", "fix_the_hello_page"},
		{"Hello world program", "hello_world_program"},
		{"Hello", "hello"},
		{"hi there", "hi_there"},
		{"Hi. There is a bug", "there_is_a_bug"},
		{"fix the login", "fix_the_login"},
		{"", hash("")},
		{"Please fix the login", "please_fix_the_login"},
	} {
		if got := lang.PromptSlug(tt.s); got != tt.want {
			t.Errorf("PromptSlug(%q) = %q, want %q", tt.s, got, tt.want)
		}
	}
}

var slugForm = regexp.MustCompile(`^(_[0-9a-f]{6}|[\p{L}\p{Nd}][\p{L}\p{Nd}\p{M}_]*)$`)

func TestSlugLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Custom(drawText)).Draw(t, "text")
		got := lang.Slug(s)
		if len(got) == 0 || len(got) > 30 || !utf8.ValidString(got) || !slugForm.MatchString(got) {
			t.Fatalf("Slug(%q) = %q", s, got)
		}
		if strings.Contains(got, "__") {
			t.Fatalf("Slug(%q) = %q repeats the separator", s, got)
		}
		if got[0] == '_' {
			return // nothing but its hash
		}
		if again := lang.Slug(got); again != got {
			t.Fatalf("Slug(Slug(%q)) = %q, not %q", s, again, got)
		}
	})
}

func FuzzSlug(f *testing.F) {
	f.Add("Add /users endpoint")
	f.Add("Hi Claude \xff")
	f.Add(strings.Repeat("é", 5000))
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{lang.Slug(s), lang.PromptSlug(s)} {
			if got == "" || len(got) > 30 || !utf8.ValidString(got) {
				t.Errorf("slug of %q = %q", s, got)
			}
		}
	})
}
