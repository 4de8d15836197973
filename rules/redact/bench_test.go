package redact

import (
	"strings"
	"testing"
)

func BenchmarkText(b *testing.B) {
	r, err := New(nil)
	if err != nil {
		b.Fatal(err)
	}
	prose := strings.Repeat("The cart now adds up the lines of an order before the discount is taken off, and the tests cover it. ", 40)
	code := strings.Repeat("func (c *Cart) Add(line Line) error {\n\tif line.Count <= 0 {\n\t\treturn fmt.Errorf(\"add %q: count %d\", line.Name, line.Count)\n\t}\n\tc.lines = append(c.lines, line)\n\treturn nil\n}\n", 20)
	for name, text := range map[string]string{
		"prose":  prose,
		"code":   code,
		"names":  strings.Repeat("the token of a pass is no password: token = nextToken(), passed\n", 60),
		"secret": prose + "DB_PASSWORD=" + "hunter" + "2hunter2\n" + prose,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r.Text(text)
			}
		})
	}
}
