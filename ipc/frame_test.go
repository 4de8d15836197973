package ipc

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func readAll(r io.Reader, limit int) (lines []string, err error) {
	f := newFrames(r, limit)
	for {
		line, err := f.next()
		if err != nil {
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestFrames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	tests := []struct {
		name, in string
		limit    int
		want     []string
		err      error
	}{
		{"empty", "", 10, nil, io.EOF},
		{"lines", "a\nb\r\n\nc\n", 10, []string{"a", "b", "", "c"}, io.EOF},
		{"last without an end", "a\nb", 10, []string{"a", "b"}, io.EOF},
		{"at the limit", "1234\n1234\r\n1234", 4, []string{"1234", "1234", "1234"}, io.EOF},
		{"over the limit", "1234\n12345\n", 4, []string{"1234"}, errLineTooLong},
		{"over the limit without an end", "12345", 4, nil, errLineTooLong},
		{"longer than the buffer", long + "\n" + long + "\n", 20_000, []string{long, long}, io.EOF},
		{"carriage returns inside stay", "a\rb\r\r\n", 10, []string{"a\rb\r"}, io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for name, r := range map[string]io.Reader{
				"whole":    strings.NewReader(tt.in),
				"byte":     iotest.OneByteReader(strings.NewReader(tt.in)),
				"with EOF": iotest.DataErrReader(strings.NewReader(tt.in)),
			} {
				got, err := readAll(r, tt.limit)
				if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, tt.err) {
					t.Errorf("%s: error %v, want %v; lines (-want +got):\n%s", name, err, tt.err, diff)
				}
			}
		})
	}
}

// A timeout in the middle of a line loses nothing.
func TestFramesGoOnAfterTimeout(t *testing.T) {
	t.Parallel()
	f := newFrames(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("ab\n"))), 10)
	if _, err := f.next(); !errors.Is(err, iotest.ErrTimeout) {
		t.Fatalf("error %v, want a timeout", err)
	}
	if !f.partial() {
		t.Error("the begun line is not noticed")
	}
	line, err := f.next()
	if string(line) != "ab" || err != nil {
		t.Errorf("got %q, %v, want ab", line, err)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("a\nb\r\n"), uint8(1), uint16(4))
	f.Add([]byte("\n\n\r\n"), uint8(3), uint16(1))
	f.Add(bytes.Repeat([]byte("long"), 1500), uint8(200), uint16(30000))
	f.Fuzz(func(t *testing.T, data []byte, step uint8, limit uint16) {
		got, err := readAll(&chunks{data: data, step: int(step) + 1}, int(limit))
		var want []string
		wantErr := io.EOF
		rest := data
		for len(rest) > 0 {
			line, after, _ := bytes.Cut(rest, []byte("\n"))
			rest = after
			line = bytes.TrimSuffix(line, []byte("\r"))
			if len(line) > int(limit) {
				wantErr = errLineTooLong
				break
			}
			want = append(want, string(line))
		}
		if !slices.Equal(want, got) || !errors.Is(err, wantErr) { // quicker than a diff
			t.Errorf("error %v, want %v; lines %q, want %q", err, wantErr, got, want)
		}
	})
}

// chunks hands out step bytes at a time.
type chunks struct {
	data []byte
	step int
}

func (c *chunks) Read(b []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b, c.data[:min(c.step, len(c.data))])
	c.data = c.data[n:]
	return n, nil
}

func FuzzParseRequest(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"x","params":{}}`, `{"jsonrpc":"2.0","method":"x"}`,
		`{"jsonrpc":"2.0","id":{},"method":"x"}`, `[]`, `[[[[`, `null`, `{"id":1e999}`, "\x00",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return
		}
		r, failure := parseRequest(line)
		if failure == nil && r.Method == nil {
			t.Fatal("a request without a method")
		}
		if failure != nil && r.ID == nil {
			t.Fatal("an invalid request must be answered")
		}
		if r.ID != nil {
			if out, _ := encodeAnswer(r.ID, nil, failure); bytes.Count(out, []byte("\n")) != 1 {
				t.Fatalf("the answer is not one line: %q", out)
			}
		}
	})
}
