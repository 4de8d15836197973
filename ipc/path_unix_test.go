//go:build unix

package ipc

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestSocketPath(t *testing.T) {
	t.Parallel()
	long := "/" + strings.Repeat("x", maxSocketPath)
	exact := "/" + strings.Repeat("x", maxSocketPath-1)
	temp := t.TempDir()
	short := filepath.Join(temp, "kmem-"+strconv.Itoa(os.Getuid()))
	tests := []struct {
		name string
		in   Place
		want string // prefix, for the short ones
	}{
		{"explicit", Place{Explicit: "/a/b.sock", RuntimeDir: "/run/user/1", Data: "/d"}, "/a/b.sock"},
		{"runtime directory", Place{RuntimeDir: "/run/user/1", Data: "/d"}, "/run/user/1/kmem/kmemd.sock"},
		{"relative runtime directory", Place{RuntimeDir: "run", Data: "/d"}, "/d/.run/kmemd.sock"},
		{"data", Place{Data: "/d"}, "/d/.run/kmemd.sock"},
		{"exactly fits", Place{Explicit: exact}, exact},
		{"too long", Place{Explicit: long, TempDir: temp}, short},
		{"too long data", Place{Data: long, TempDir: temp}, short},
		{"long temporary directory", Place{Data: long, TempDir: long}, "/tmp/kmem-" + strconv.Itoa(os.Getuid())},
	}
	for _, tt := range tests {
		got, err := SocketPath(tt.in)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		isShort := strings.Contains(tt.want, "/kmem-")
		if !isShort && got != tt.want || isShort && filepath.Dir(got) != tt.want || len(got) > maxSocketPath {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if again, _ := SocketPath(tt.in); again != got {
			t.Errorf("%s: got %s the second time", tt.name, again)
		}
	}
	a, _ := SocketPath(Place{Data: long + "a", TempDir: temp})
	b, _ := SocketPath(Place{Data: long + "b", TempDir: temp})
	if a == b {
		t.Error("two data directories share a socket")
	}
	if _, err := SocketPath(Place{Data: "relative"}); err == nil {
		t.Error("a relative data directory is taken")
	}
	if entries, _ := os.ReadDir(temp); len(entries) > 0 {
		t.Errorf("something was created: %v", entries)
	}
}

func TestSocketPathShortDirectory(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	dir := filepath.Join(temp, "kmem-"+strconv.Itoa(os.Getuid()))
	in := Place{Data: "/" + strings.Repeat("x", 200), TempDir: temp}
	if err := os.Symlink(temp, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := SocketPath(in); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a symbolic link is taken: %v", err)
	}
	os.Remove(dir)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := SocketPath(in); err == nil || !strings.Contains(err.Error(), "0700") {
		t.Errorf("an open directory is taken: %v", err)
	}
	os.Remove(dir)
	path, err := SocketPath(in)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := mode(t, dir); got != 0o700 {
		t.Errorf("mode %04o, want 0700", got)
	}
	if again, err := SocketPath(in); err != nil || again != path {
		t.Errorf("got %s, %v, want %s", again, err, path)
	}
}

// The limit is what the system really takes.
func TestLimitIsReal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if len(dir)+10 > maxSocketPath {
		t.Skip("the temporary directory's path is too long")
	}
	fits := filepath.Join(dir, strings.Repeat("s", maxSocketPath-len(dir)-1))
	l, err := net.Listen("unix", fits)
	if err != nil {
		t.Fatalf("%d bytes: %v", len(fits), err)
	}
	l.Close()
}
