package fact

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeyWords(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"":                 "",
		"--":               "",
		"build_status":     "build status",
		"buildError":       "build error",
		"HTTPStatus":       "http status",
		"parseURL":         "parse url",
		"a1B2":             "a1b2",
		"設定_context":       "設定 context",
		"ÄpfelUndBirnen":   "äpfel und birnen",
		"tool:bash:go.mod": "tool bash go mod",
		"ABC":              "abc",
		"\xffx":            "x",
	} {
		if got := strings.Join(KeyWords(key), " "); got != want {
			t.Errorf("words of %q = %q, want %q", key, got, want)
		}
	}
}

func TestTypeOf(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]Type{
		"note:error":     Note,
		"action:x":       Action,
		"file:x":         FileType,
		"fact:x":         Note,
		"errors":         Error,
		"directories":    FileType,
		"dirs":           FileType,
		"in_progressive": Progress,
		"task_error":     Prompt,
		"tool":           Note,
		"tool:":          ToolResult,
	} {
		if got := TypeOf(key); got != want {
			t.Errorf("TypeOf(%q) = %s, want %s", key, got, want)
		}
	}
}

func TestParents(t *testing.T) {
	t.Parallel()
	up := []Type{ToolResult, Progress, Purpose, Prompt}
	for typ, want := range map[Type][]Type{
		Prompt: nil, Purpose: {Prompt}, Context: {Prompt}, Preference: {Prompt}, Thinking: {Prompt},
		Progress: {Purpose, Prompt}, ToolResult: {Progress, Purpose, Prompt},
		Result: up, Action: up, Error: up, FileType: up, Decision: up, FactType: up, Note: up,
		Status: {Result, ToolResult, Progress, Purpose, Prompt},
	} {
		if diff := cmp.Diff(want, typ.Parents()); diff != "" {
			t.Errorf("parents of %s (-want +got):\n%s", typ, diff)
		}
		if !Valid(typ) {
			t.Errorf("%s is not valid", typ)
		}
		if got, want := typ.Low(), typ == Note || typ == FactType; got != want {
			t.Errorf("%s is low-signal: %v, want %v", typ, got, want)
		}
		if got, want := typ.Resumable(), slices.Contains([]Type{Progress, Result, Status}, typ); got != want {
			t.Errorf("%s is resumable: %v, want %v", typ, got, want)
		}
	}
	for _, typ := range []Type{"", "tool", "Prompt"} {
		if Valid(typ) {
			t.Errorf("%q is valid", typ)
		}
	}
}

func TestDone(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"done: tests pending":       true, // the status alone decides
		"Completed: 3 of 4":         true,
		"cancelled: not done":       true,
		"in progress: done soon":    false,
		"in_progress: done":         false,
		"pending: merged":           false,
		"interrupted: all done":     false,
		"all done: see the notes":   true,
		"successfully shipped":      true,
		"completely merged":         true,
		"won’t fix":                 true,
		"not_done":                  false,
		"not  completed, shipped":   false,
		"emerged":                   false,
		"done, to do: nothing":      false,
		"донe":                      false,
		"status: donе":              false,
		"wips are merged":           true, // a short word takes no ending
		"failed once, then shipped": false,
	} {
		if got := Done(value); got != want {
			t.Errorf("Done(%q) = %v, want %v", value, got, want)
		}
	}
}

func TestHandled(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"":                            false,
		"Fixed in r12":                true,
		"this is not an issue":        true,
		"not an issue, still broken":  false,
		"unresolved":                  false,
		"enclosed":                    false,
		"re-opened after fixed":       false,
		"not fixed":                   false,
		"no longer seen":              true,
		"there are no longer strings": true,
	} {
		if got := Handled(value); got != want {
			t.Errorf("Handled(%q) = %v, want %v", value, got, want)
		}
	}
}

func TestUnfinished(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("The cart adds up and the till opens. ", 12)
	for value, want := range map[string]bool{
		"":                                      false,
		"All tests pass.":                       false,
		"The cart is there.":                    false,
		"Committed as 1a2b3c, not pushed.":      true,
		"Remaining: the docs.":                  true,
		"The docs are still to be written.":     true,
		"Two items pending":                     true,
		"Blocked on CI":                         true,
		"Shall I push?":                         true,
		"Shall I push?**":                       true,
		"推送吗？":                                  true,
		"Next steps: write the docs":            true,
		"See http://shop.test/?q=1 for it":      false,
		"It uses a?.b now.":                     false,
		"Nothing remaining.":                    false,
		"There is nothing pending.":             false,
		"CI is no longer blocked.":              false,
		"All tests still pass.":                 false,
		"All tests still pass. Docs pending.":   true,
		"No tests remaining, docs pending":      true,
		"Depending on it, the cart is unlocked": false,
		"Shall I push? " + filler:               false,
		filler + "Shall I push?":                true,
		"Tests laufen, Doku noch nicht fertig":  true,
		"文档尚未完成":                                true,
	} {
		if got := Unfinished(value); got != want {
			t.Errorf("Unfinished(%q) = %v, want %v", value, got, want)
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{"done", "won't fix", "HTTPStatus", "still\xff", "？"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !Valid(TypeOf(s)) {
			t.Errorf("TypeOf(%q) is no type", s)
		}
		_, _, _ = Done(s), Handled(s), Unfinished(s)
	})
}
