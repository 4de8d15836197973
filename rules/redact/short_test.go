package redact

import (
	"strings"
	"testing"
)

func TestKeysOfFewLettersAndShortBlocks(t *testing.T) {
	t.Parallel()
	r, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{
		"gh" + "p_" + strings.Repeat("a1B2", 9),
		"-----BEGIN RSA " + "PRIVATE KEY-----\nabc\ndef\n-----END RSA " + "PRIVATE KEY-----",
		"-----BEGIN " + "PRIVATE KEY-----\n(invented, not a real one)\n-----END " + "PRIVATE KEY-----",
	} {
		if got, n := r.Text("before " + secret + " after"); n != 1 || !strings.HasPrefix(got, "before [redacted:") || !strings.HasSuffix(got, "] after") {
			t.Errorf("Text(%q) = %q", secret, got)
		}
	}
}
