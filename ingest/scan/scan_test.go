package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		line string
		want error
	}{
		{`{}`, nil}, {` {"a":1} `, nil}, {"{\"a\":[1,2.5e-3,-0,true,false,null,\"x\"]}\r\n", nil}, {`"x"`, nil}, {`[]`, nil}, {`[[],{}]`, nil}, {`7`, nil},
		{``, ErrSyntax}, {`   `, ErrSyntax}, {`{`, ErrSyntax}, {`{"a"`, ErrSyntax}, {`{"a":`, ErrSyntax}, {`{"a":1`, ErrSyntax}, {`{"a":1,`, ErrSyntax},
		{`{"a":1,}`, ErrSyntax}, {`[1,]`, ErrSyntax}, {`[1 2]`, ErrSyntax}, {`{"a" 1}`, ErrSyntax}, {`{a:1}`, ErrSyntax}, {`{"a":"x}`, ErrSyntax}, {`"\"`, ErrSyntax},
		{`tru`, ErrSyntax}, {`nul`, ErrSyntax}, {`+1`, ErrSyntax}, {`1.`, ErrSyntax}, {`1e`, ErrSyntax}, {`-`, ErrSyntax}, {`.5`, ErrSyntax}, {"\x00", ErrSyntax},
		{`{}{}`, ErrTrailing}, {`{} x`, ErrTrailing}, {`01`, ErrTrailing}, {`1 2`, ErrTrailing},
		{strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth), nil},
		{strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), ErrDepth},
		{strings.Repeat(`{"a":`, 1_000_000), ErrDepth},
	} {
		if _, err := Parse([]byte(tc.line)); !errors.Is(err, tc.want) {
			t.Errorf("Parse(%.40q) = %v, want %v", tc.line, err, tc.want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	v, err := Parse([]byte(`{"a":1,"b":{"c":[true,"x",null]},"a":2,"k\u0065y":"v","n":1e3,"f":1.5,"big":12345678901234567890,"s":"p\/q","":"empty"}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := v.Get("a").Int(); n != 2 || !ok {
		t.Errorf("last of equal keys = %d, %v, want 2", n, ok)
	}
	if got := v.Get("key").Text(0); got != "v" {
		t.Errorf("key with an escape: %q, want v", got)
	}
	if n, ok := v.Get("n").Int(); n != 1000 || !ok {
		t.Errorf("1e3 = %d, %v", n, ok)
	}
	for _, key := range []string{"f", "big", "s", "b", "none"} {
		if _, ok := v.Get(key).Int(); ok {
			t.Errorf("%s is no int64", key)
		}
	}
	var kinds []Kind
	v.Path("b", "c").Elements(func(i int, e Value) bool { kinds = append(kinds, e.Kind()); return true })
	if diff := cmp.Diff([]Kind{Bool, String, Null}, kinds); diff != "" {
		t.Error(diff)
	}
	if b, ok := v.Path("b", "c").Bool(); b || ok {
		t.Error("an array is no bool")
	}
	if !v.Get("s").TextIs("p/q") || v.Get("s").TextIs("p/") || v.Get("a").TextIs("2") || v.Get("none").TextIs("") {
		t.Error("TextIs")
	}
	if got := v.Get("").Text(0); got != "empty" {
		t.Errorf("empty key: %q", got)
	}
	var none Value
	if none.Exists() || none.Kind() != Missing || none.Get("x").Path("y").Text(0) != "" || none.True() || none.IsFalse() {
		t.Error("the zero value is not Missing throughout")
	}
	fields := make([]Value, 2)
	v.Fields([]string{"a", "none"}, fields)
	if n, _ := fields[0].Int(); n != 2 || fields[1].Exists() {
		t.Errorf("Fields = %v", fields)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		raw   string
		limit int
		want  string
	}{
		{`"abc"`, 0, "abc"}, {`"abc"`, 2, "ab"}, {`"aä"`, 2, "a"}, {`"a\u00e4"`, 2, "a"}, {`"a\u00e4"`, 3, "aä"},
		{`"\"\\\/\b\f\n\r\t"`, 0, "\"\\/\b\f\n\r\t"}, {`"\ud83d\ude00"`, 0, "😀"}, {`"\ud83d\ude00"`, 3, ""}, {`"\ud83d"`, 0, "\ufffd"}, {`"\ude00\ud83d"`, 0, "\ufffd\ufffd"},
		{`"\ud83dx"`, 0, "\ufffdx"}, {`"\ud83d\u0041"`, 0, "\ufffdA"}, {`"\u12"`, 0, "\ufffd12"}, {`"\x41"`, 0, "\ufffdx41"}, {"\"\xff\xfe\"", 0, "\ufffd\ufffd"}, {"\"a\xc3\"", 0, "a\ufffd"},
		{`7`, 0, ""}, {`""`, 0, ""}, {`"` + strings.Repeat("ä", 5000) + `"`, 0, strings.Repeat("ä", 5000)}, {`"` + strings.Repeat(`ä\n`, 5000) + `"`, 9001, strings.Repeat("ä\n", 3000)},
	} {
		v := Value{raw: []byte(tc.raw)}
		if got := v.Text(tc.limit); got != tc.want {
			t.Errorf("Text(%.30q, %d) = %.40q, want %.40q", tc.raw, tc.limit, got, tc.want)
		}
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		raw   string
		limit int
		want  string
	}{
		{`"abc"`, 2, "bc"}, {`"abc"`, 9, "abc"}, {`"aä"`, 1, ""}, {`"aä"`, 2, "ä"}, {`"` + strings.Repeat("x", 999) + `\u00e4\n"`, 3, "ä\n"}, {`"` + strings.Repeat(`\n`, 999) + `"`, 3, "\n\n\n"}, {`"a"`, 0, ""},
	} {
		if got := (Value{raw: []byte(tc.raw)}).Tail(tc.limit); got != tc.want {
			t.Errorf("Tail(%.30q, %d) = %q, want %q", tc.raw, tc.limit, got, tc.want)
		}
	}
}

func TestPeekAndMembers(t *testing.T) {
	t.Parallel()
	line := []byte(`{"parentUuid":null,"type":"progress","data":{"big":[` + strings.Repeat("1,", 1000) + `1]}`)
	if !Peek(line, "type").TextIs("progress") {
		t.Error("Peek does not find a member of an unfinished line")
	}
	if Peek(line, "none").Exists() || Peek([]byte("x"), "a").Exists() || Peek(nil, "a").Exists() {
		t.Error("Peek finds what is not there")
	}
	var keys []string
	Members(line, func(key, rest []byte) bool { keys = append(keys, string(key)); return string(key) != "type" })
	if diff := cmp.Diff([]string{"parentUuid", "type"}, keys); diff != "" {
		t.Error(diff)
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		line string
		want []string
	}{
		{`{"type":"a"}{"type":"b"}`, []string{`{"type":"a"}`, `{"type":"b"}`}},
		{`{"a":1} {"b":2}`, []string{`{"a":1}`, `{"b":2}`}},
		{`{"type":"pr-link","prNu{"type":"user","uuid":"x"}`, []string{`{"type":"user","uuid":"x"}`}},
		{`{"a":"torn {"b":1} {"type":"user"}`, []string{`{"type":"user"}`}},
		{`{"type":"a"}{"type":"b`, []string{`{"type":"a"}`}},
		{"\x00\x00{\"type\":\"a\"}", []string{`{"type":"a"}`}},
		{`nothing here`, nil}, {`{"a`, nil}, {``, nil},
	} {
		var got []string
		for _, s := range Split([]byte(tc.line)) {
			got = append(got, tc.line[s.From:s.To])
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("Split(%q) (-want +got)\n%s", tc.line, diff)
		}
	}
}

// TestSplitIsBounded: hostile lines do not take quadratic time.
func TestSplitIsBounded(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{`{"`, `{"a":`, `{}`, `{"a":"x`, `[`} {
		Split(bytes.Repeat([]byte(unit), 1<<20))
	}
}

// compare checks that a value reads as encoding/json reads it.
func compare(t *testing.T, v Value, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		seen := make(map[string]bool)
		v.Each(func(key []byte, val Value) bool { seen[string(key)] = true; return true })
		for key, val := range want {
			if !seen[key] {
				t.Errorf("member %q is missing", key)
			}
			compare(t, v.Get(key), val)
		}
		if len(seen) != len(want) {
			t.Errorf("%d members, want %d", len(seen), len(want))
		}
	case []any:
		n := 0
		v.Elements(func(i int, e Value) bool {
			if i != n || n >= len(want) {
				t.Fatalf("element %d of %d", i, len(want))
			}
			compare(t, e, want[i])
			n++
			return true
		})
		if n != len(want) {
			t.Errorf("%d elements, want %d", n, len(want))
		}
	case string:
		if got := v.Text(0); got != want {
			t.Errorf("text %q, want %q", got, want)
		}
		if !v.TextIs(want) {
			t.Errorf("TextIs(%q) is false for %s", want, v.Raw())
		}
	case json.Number:
		if string(v.Raw()) != want.String() {
			t.Errorf("number %s, want %s", v.Raw(), want)
		}
		if n, err := want.Int64(); err == nil {
			if got, ok := v.Int(); !ok || got != n {
				t.Errorf("Int = %d, %v, want %d", got, ok, n)
			}
		}
	case bool:
		if got, ok := v.Bool(); !ok || got != want {
			t.Errorf("Bool = %v, %v, want %v", got, ok, want)
		}
	case nil:
		if v.Kind() != Null {
			t.Errorf("kind %d, want null", v.Kind())
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x",{"b":null}],"a":"\ud83d\ude00\n"}`, `{"a":1}{"b":2}`, `{"type":"x{"type":"y"}`, "[\"\xff\", 1e999, -0.5E+3]", `"\ud800"`, `{"\u0061":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		v, err := Parse(line)
		for _, s := range Split(line) {
			if s.From < 0 || s.To > len(line) || s.From >= s.To {
				t.Fatalf("span %v of %d bytes", s, len(line))
			}
			if _, err := Parse(line[s.From:s.To]); err != nil {
				t.Fatalf("span %q: %v", line[s.From:s.To], err)
			}
		}
		walk(t, Value{raw: line}, 0)
		Peek(line, "type")
		members := make(map[string]string)
		var scanner Scanner
		object, objectErr := scanner.ParseObject(line, func(key []byte, val Value) { members[string(key)] = string(val.Raw()) })
		if (err == nil) != (objectErr == nil) || !bytes.Equal(object.Raw(), v.Raw()) {
			t.Fatalf("Parse gives %v, ParseObject %v", err, objectErr)
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber()
		var want any
		if dec.Decode(&want) != nil || dec.More() || !json.Valid(line) {
			return
		}
		if errors.Is(err, ErrDepth) {
			return
		}
		if err != nil {
			t.Fatalf("Parse(%q) = %v, encoding/json takes it", line, err)
		}
		compare(t, v, want)
		compare(t, object, want)
		for key, raw := range members {
			if got := string(v.Get(key).Raw()); got != raw {
				t.Errorf("member %q: %s by ParseObject, %s by Get", key, raw, got)
			}
		}
	})
}

// walk calls everything on a value that may be broken; nothing may panic and
// every text must be valid.
func walk(t *testing.T, v Value, depth int) {
	if depth > 20 {
		return
	}
	for _, limit := range []int{0, 1, 3, 10} {
		text := v.Text(limit)
		if !utf8.ValidString(text) || limit > 0 && len(text) > limit {
			t.Fatalf("Text(%d) of %q = %q", limit, v.Raw(), text)
		}
		if tail := v.Tail(limit); !utf8.ValidString(tail) || len(tail) > limit {
			t.Fatalf("Tail(%d) of %q = %q", limit, v.Raw(), tail)
		}
	}
	v.Int()
	v.TextIs("x")
	v.Each(func(_ []byte, val Value) bool { walk(t, val, depth+1); return true })
	v.Elements(func(_ int, val Value) bool { walk(t, val, depth+1); return true })
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat(`The quick \"brown\" fox jumps over the lazy dog.\n`, 200)
	line := []byte(`{"parentUuid":null,"isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + text + `"}]},"type":"user","uuid":"u","toolUseResult":{"stdout":"` + text + `","stderr":""}}`)
	b.Run("Parse", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Parse(line); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Text", func(b *testing.B) {
		v, err := Parse(line)
		if err != nil {
			b.Fatal(err)
		}
		v = v.Path("toolUseResult", "stdout")
		b.SetBytes(int64(len(v.Raw())))
		b.ReportAllocs()
		for b.Loop() {
			v.Text(0)
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		for b.Loop() {
			var v struct{ Type string }
			if err := json.Unmarshal(line, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
