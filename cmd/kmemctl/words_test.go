package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kmemd/kmemd/store/fact"
)

func TestAge(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 59 * time.Second: "just now", 61 * time.Second: "1m ago",
		119 * time.Minute: "1h ago", 23*time.Hour + 59*time.Minute: "23h ago", 49 * time.Hour: "2d ago",
	} {
		if got := age(time.Now().Add(-d).UnixMilli()); got != want {
			t.Errorf("%s: got %s, want %s", d, got, want)
		}
	}
	if age(0) != "never" || when(0) != "never" {
		t.Error("no time is never")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1 << 20: "1.0 MiB", 5 << 30: "5.0 GiB"} {
		if got := size(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
	for ms, want := range map[int64]string{5: "5ms", 1500: "1s", 90_000: "1m 30s", 3_700_000: "1h 1m", 90_000_000: "1d 1h"} {
		if got := span(ms); got != want {
			t.Errorf("%d: got %s, want %s", ms, got, want)
		}
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 15, 12, 0, 0, 0, time.Local)
	for s, want := range map[string]time.Time{
		"2026-01-31": time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local), "2026-01-31T10:00:00Z": time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC),
		"2026-01-31 10:30": time.Date(2026, 1, 31, 10, 30, 0, 0, time.Local), "90d": now.Add(-90 * 24 * time.Hour), "1h": now.Add(-time.Hour),
	} {
		if got, err := moment(s, now); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "0", "-1d", "tomorrow", "2026-13-01", "1960-01-01"} {
		if got, err := moment(s, now); err == nil {
			t.Errorf("%q is taken for %v", s, got)
		}
	}
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, words, want string }{
		{"We take Onyx", "ONYX", "We take <Onyx>"},
		{"straße STRASSE", "straße", "<straße> STRASSE"},
		{"K is \u212A", "k", "<K> is <\u212A>"}, // the sign for kelvin folds to k and is longer
		{"aaa", "aa", "<aa>a"},
		{"none", "x", "none"},
		{"two words here", "words two", "<two> <words> here"},
		{"", "x", ""},
	}
	for _, tt := range tests {
		var b strings.Builder
		for _, p := range highlight(tt.text, strings.Fields(tt.words), plain) {
			if p.style == mark {
				b.WriteString("<" + p.text + ">")
			} else {
				b.WriteString(p.text)
			}
		}
		if b.String() != tt.want {
			t.Errorf("%q in %q: got %q, want %q", tt.words, tt.text, b.String(), tt.want)
		}
	}
	far := strings.Repeat("ä", 1000) + " needle " + strings.Repeat("b", 1000)
	if got := around(far, []string{"NEEDLE"}); !strings.Contains(got, "needle") || len(got) > preview+10 || !strings.HasPrefix(got, "...") {
		t.Errorf("got %q", got)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	o := newOut(&b, io.Discard, func(string) string { return "" })
	tb := table{out: o}
	tb.head("A", "B")
	tb.add("日本", "x\ny")
	tb.add(styled{"a", red}, strings.Repeat("z", 50))
	tb.print()
	o.flush()
	want := "A     B\n日本  x y\na     " + strings.Repeat("z", 50) + "\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	o.width, o.color = 20, true
	tb.print()
	o.flush()
	if !strings.Contains(b.String(), "\x1b[31ma\x1b[0m     zzzzzzzzzzz...\n") {
		t.Errorf("got %q", b.String())
	}
}

// A colour is the program's own; what stands in the text is not.
func TestColourIsOurs(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	o := newOut(&b, io.Discard, func(string) string { return "" })
	o.line(styled{"x\x1b[5my", red})
	o.color = true
	o.line(styled{"x\x1b[5my", red}, "\x1b[5mz")
	o.flush()
	if want := "xy\n\x1b[31mxy\x1b[0mz\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestWriteFileFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := writeFile(path, func(w io.Writer) error {
		io.WriteString(w, "new")
		return errors.New("stop")
	})
	if err == nil {
		t.Error("no error")
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the file holds %q", b)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}
}

func TestReadPages(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for range 1201 {
		b.WriteString(`{"key":"k","value":"v"}` + "\n")
	}
	pages, err := readPages(strings.NewReader(b.String()))
	if err != nil || len(pages) != 3 || len(pages[2]) != 201 {
		t.Errorf("%d pages, %v", len(pages), err)
	}
	long := `{"key":"k","value":"` + strings.Repeat("x", 900_000) + `"}` + "\n"
	pages, err = readPages(strings.NewReader(strings.Repeat(long, 10)))
	if err != nil || len(pages) != 3 {
		t.Errorf("%d pages, %v: a page must fit into a request", len(pages), err)
	}
}

func FuzzReadPages(f *testing.F) {
	f.Add([]byte("{\"key\":\"a\"}\n\n{\"key\":\"b\"}"))
	f.Add([]byte("\ufeff{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		pages, err := readPages(bytes.NewReader(data))
		for _, page := range pages {
			for _, e := range page {
				if err == nil && e.Key == "" {
					t.Fatal("an entry without a key")
				}
			}
		}
	})
}

func TestShellQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"s1": "s1", "/home/ana/shop": "/home/ana/shop", "": "''", "a b": "'a b'", "$(x)": "'$(x)'", "it's": `'it'\''s'`, "a\nb": "'a b'",
	} {
		if got := shellQuote(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]fact.Entry{
		"its origin is not known":               {},
		"saved on the command line":             {Origin: &fact.Origin{Via: "cli"}},
		"saved by a tool call from codex":       {Origin: &fact.Origin{Via: "tool", Agent: "codex"}},
		"captured from codex, session s1, user": {Origin: &fact.Origin{Via: "transcript", Agent: "codex", Session: "s1", Role: "user"}},
		"imported, session s1":                  {Origin: &fact.Origin{Via: "import", Session: "s1"}},
		"came by sync":                          {Origin: &fact.Origin{Via: "sync"}},
	} {
		if got := origin(&e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
