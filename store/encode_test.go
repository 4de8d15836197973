package store

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cwd, readable string }{
		{"/home/ana/shop", "-home-ana-shop"},
		{"/home/ana/my shop (2)", "-home-ana-my-shop-2-"},
		{"/home/ana/ショップ", "-home-ana-ショップ"},
		{"/a/b.c_d", "-a-b.c_d"},
		{"/", "-"},
		{`C:\work\shop`, "C-work-shop"},
		{"/" + strings.Repeat("x", 300), "-" + strings.Repeat("x", 99)},
	} {
		got := Encode(tt.cwd)
		if name := got[:len(got)-17]; name != tt.readable {
			t.Errorf("Encode(%q) = %q, want %q and a hash", tt.cwd, got, tt.readable)
		}
	}
}

func TestEncodeSameDirectory(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"/a/b", "/a/b/", "/a//b", "/a/./b", "/a/c/../b"},
		{`C:\work\shop`, `c:\work\shop`, "C:/work/shop", "c:/work/shop/", `\\?\C:\work\shop`},
		{`\\srv\share\x`, `\\srv\share\x\`},
		{`C:\`, "c:/", "c:"},
	} {
		for _, cwd := range same[1:] {
			if Encode(cwd) != Encode(same[0]) {
				t.Errorf("Encode(%q) = %q, want %q as of %q", cwd, Encode(cwd), Encode(same[0]), same[0])
			}
		}
	}
}

func TestEncodeVectors(t *testing.T) {
	t.Parallel()
	var file struct{ Vectors []struct{ Cwd string } }
	readJSON(t, shared(t, "conformance", "memory", "encoded_cwd.json"), &file)
	seen := map[string]string{}
	for _, v := range file.Vectors {
		name := Encode(v.Cwd)
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q share %q", v.Cwd, other, name)
		}
		seen[name] = v.Cwd
		if len(name) > 117 {
			t.Errorf("Encode(%q) has %d bytes", v.Cwd, len(name))
		}
	}
}

func TestEncodeIsAName(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^.*-[0-9a-f]{16}$`)
	rapid.Check(t, func(t *rapid.T) {
		name := Encode("/" + rapid.String().Draw(t, "cwd"))
		if len(name) > 117 || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\:\x00") || !form.MatchString(name) || isKdeps(name) {
			t.Errorf("name %q", name)
		}
	})
}

func TestKdepsName(t *testing.T) {
	t.Parallel()
	var file struct {
		Vectors []struct{ Cwd, Encoded string }
	}
	readJSON(t, shared(t, "conformance", "kdeps", "encode_cwd.json"), &file)
	for _, v := range file.Vectors {
		if got := kdepsName(v.Cwd); got != v.Encoded {
			t.Errorf("kdepsName(%q) = %q, want %q", v.Cwd, got, v.Encoded)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		base, dir string
		want      bool
	}{
		{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false}, {"/a/b", "/a", false}, {"/", "/a", true}, {"C:/", "C:/a", true},
	} {
		if got := within(tt.base, tt.dir); got != tt.want {
			t.Errorf("within(%q, %q) = %v", tt.base, tt.dir, got)
		}
	}
	var up []string
	for dir, ok := "C:/a/b", true; ok; dir, ok = parent(dir) {
		up = append(up, dir)
	}
	if got := strings.Join(up, " "); got != "C:/a/b C:/a C:/" {
		t.Errorf("parents %q", got)
	}
}
