package config

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// decode reads the text of a file over what c holds, and notes where its keys
// stand.
func (c *Config) decode(data []byte) error {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(c)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case err == nil:
		c.lines = keyLines(data)
		return nil
	case errors.As(err, &unknown):
		first := &unknown.Errors[0]
		line, _ := first.Position()
		return &Error{File: c.file, Line: line, Key: strings.Join(first.Key(), "."), Message: "unknown key"}
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		return &Error{File: c.file, Line: line, Key: strings.Join(wrong.Key(), "."), Message: explain(wrong)}
	default:
		return &Error{File: c.file, Message: err.Error()}
	}
}

// explain says in words what go-toml says in Go's types.
func explain(e *toml.DecodeError) string {
	message := strings.TrimPrefix(e.Error(), "toml: ")
	if !strings.HasPrefix(message, "cannot ") {
		return message
	}
	if want := wanted(reflect.TypeFor[Config](), e.Key()); want != "" {
		return "wrong type: must be " + want
	}
	return "wrong type"
}

// wanted names what a key takes, following the fields of t.
func wanted(t reflect.Type, key []string) string {
	if len(key) > 0 {
		switch t.Kind() {
		case reflect.Map:
			return wanted(t.Elem(), key[1:])
		case reflect.Struct:
			for f := range t.Fields() {
				if f.Tag.Get("toml") == key[0] {
					return wanted(f.Type, key[1:])
				}
			}
		}
		return ""
	}
	switch {
	case t == reflect.TypeFor[Duration]():
		return `a string such as "365d"`
	case t == reflect.TypeFor[Size]():
		return `a string such as "256MiB"`
	case t.Kind() == reflect.Pointer:
		return wanted(t.Elem(), nil)
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list of strings"
	default:
		return "a table"
	}
}

// keyLines maps the keys of a well-formed document to their lines. Keys of
// inline tables are not told apart from the table.
func keyLines(data []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		key, line := nodeKey(&p, e)
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = key
		case unstable.KeyValue:
			key = append(table[:len(table):len(table)], key...)
		}
		lines[strings.Join(key, ".")] = line
	}
	return lines
}

func nodeKey(p *unstable.Parser, e *unstable.Node) (key []string, line int) {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		key = append(key, string(n.Data))
		if line == 0 {
			line = p.Shape(n.Raw).Start.Line
		}
	}
	return key, line
}

// line returns where a key, or the table around it, stands.
func (c *Config) line(key string) int {
	for {
		if line, ok := c.lines[key]; ok {
			return line
		}
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 {
			return 0
		}
		key = key[:dot]
	}
}
