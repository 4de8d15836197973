package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kmemd/kmemd/store/fact"
)

func TestSave(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{Now: func() int64 { return 5000 }})
	commit(t, p, pass("s1", shop, 100, marker("s1", 9000, "decision:db", "captured in the future")))
	e, created, err := p.Save(t.Context(), shop, fact.Entry{Key: "decision:db", Value: "postgres", Origin: &fact.Origin{Via: fact.ViaCLI}})
	if err != nil || created || e.UpdatedAt != 9001 || e.CreatedAt != 9000 || e.Type != fact.Decision || e.Origin.Via != fact.ViaCLI {
		t.Errorf("Save = %+v, %v, %v", e, created, err)
	}
	e, created, err = p.Save(t.Context(), shop+"/", fact.Entry{Key: "plan", Value: "one", References: []string{"plan", "a", "a"}})
	if err != nil || !created || e.UpdatedAt != 5000 || !cmp.Equal(e.References, []string{"a"}) {
		t.Errorf("Save = %+v, %v, %v", e, created, err)
	}
	for i, value := range []string{"two", "three", "two", "four", "five"} {
		if e, _, err = p.Save(t.Context(), shop, fact.Entry{Key: "plan", Value: value}); err != nil || e.UpdatedAt != 5001+int64(i) {
			t.Errorf("Save = %+v, %v", e, err)
		}
	}
	p = reopen(t, p)
	v, err := p.View(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := v.Get("plan")
	if !ok || f.Value != "five" || f.CreatedAt != 5000 || f.Captured() {
		t.Errorf("plan = %+v", f)
	}
	want := []fact.Past{{Value: "four", At: 5004}, {Value: "two", At: 5003}, {Value: "three", At: 5002}}
	if diff := cmp.Diff(want, f.Past, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if f, ok := v.Get("decision:db"); !ok || f.Value != "postgres" {
		t.Errorf("decision:db = %+v", f)
	}
}

func TestSaveRefuses(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{})
	for _, tt := range []struct {
		cwd   string
		e     fact.Entry
		field string
	}{
		{"shop", fact.Entry{Key: "a"}, "cwd"},
		{shop, fact.Entry{}, "key"},
		{shop, fact.Entry{Key: strings.Repeat("k", 201)}, "key"},
		{shop, fact.Entry{Key: "a\nb"}, "key"},
		{shop, fact.Entry{Key: "\xff"}, "key"},
		{shop, fact.Entry{Key: "a", Namespace: "x\x00"}, "namespace"},
		{shop, fact.Entry{Key: "a", Value: strings.Repeat("v", maxValue+1)}, "value"},
		{shop, fact.Entry{Key: "a", Value: "\xff"}, "value"},
		{shop, fact.Entry{Key: "a", Type: "secret"}, "type"},
		{shop, fact.Entry{Key: "a", References: []string{""}}, "references"},
	} {
		_, _, err := p.Save(t.Context(), tt.cwd, tt.e)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.Field != tt.field || !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v, want %s refused", tt.e, err, tt.field)
		}
	}
	if got := p.Stats(); got.Stores != 0 {
		t.Errorf("a store was made: %+v", got)
	}
}

func TestImport(t *testing.T) {
	t.Parallel()
	p := openPool(t, t.TempDir(), Options{Now: func() int64 { return 5000 }})
	entries := []fact.Entry{
		{Key: "note:a", Value: "1", CreatedAt: 100, UpdatedAt: 200, Origin: &fact.Origin{Via: fact.ViaTranscript, Session: "s9"}},
		{Key: "note:b", Value: "2"},
		{Key: "note:a", Value: "older", UpdatedAt: 150},
	}
	for i, want := range []int{2, 0} {
		if n, err := p.Import(t.Context(), shop, entries); err != nil || n != want {
			t.Errorf("import %d = %d, %v", i, n, err)
		}
	}
	v, err := p.View(t.Context(), shop)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := v.Get("note:a")
	b, _ := v.Get("note:b")
	if a == nil || a.Value != "1" || a.CreatedAt != 100 || a.UpdatedAt != 200 || a.Origin.Via != fact.ViaImport || a.Origin.Session != "s9" {
		t.Errorf("note:a = %+v", a)
	}
	if b == nil || b.UpdatedAt != 5000 {
		t.Errorf("note:b = %+v", b)
	}
	if _, err := p.Import(t.Context(), shop, []fact.Entry{{Key: "ok"}, {Key: ""}}); err == nil || !strings.Contains(err.Error(), "entries[1].key") {
		t.Errorf("error %v", err)
	}
	if _, err := p.Delete(t.Context(), shop, "", []string{"note:a"}); err != nil {
		t.Fatal(err)
	}
	if n, err := p.Import(t.Context(), shop, entries[:1]); err != nil || n != 1 {
		t.Errorf("import after a delete = %d, %v", n, err)
	}
	if got := values(t, p, shop); got["note:a"] != "1" {
		t.Errorf("imported again: %v", got)
	}
}
