package rules

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed builtin.toml
var builtin []byte

// BuiltinName is the file name that messages give the embedded rules.
const BuiltinName = "builtin.toml"

// maxRuleFile bounds a rule file, in bytes.
const maxRuleFile = 1 << 20

// An Error says what is wrong in a rule file, and where.
type Error struct {
	File         string
	Line, Column int // from 1; 0 where unknown
	Rule         string
	Message      string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, max(e.Column, 1))
	}
	b.WriteString(": ")
	if e.Rule != "" {
		fmt.Fprintf(&b, "rule %s: ", e.Rule)
	}
	b.WriteString(e.Message)
	return b.String()
}

// source is one rule as its file states it.
type source struct {
	Name  string   `toml:"name"`
	On    []string `toml:"on"`
	When  string   `toml:"when"`
	Each  string   `toml:"each"`
	Key   string   `toml:"key"`
	Value string   `toml:"value"`
	Type  string   `toml:"type"`
	Off   bool     `toml:"off"`
}

type ruleFile struct {
	Rule []source `toml:"rule"`
}

// Builtin returns the embedded rules alone.
func Builtin(limits Limits) (*Set, error) { return Load("", limits) }

// Load returns the embedded rules with those of dir/*.toml on top, by file
// name. A directory that does not exist holds none. The first fault is returned
// as an *Error; nothing is half loaded.
func Load(dir string, limits Limits) (*Set, error) {
	b := builder{limits: limits, byName: map[string]int{}}
	if err := b.add(BuiltinName, builtin); err != nil {
		return nil, err
	}
	files, err := ruleFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		data, err := readRuleFile(path)
		if err != nil {
			return nil, err
		}
		if err := b.add(path, data); err != nil {
			return nil, err
		}
	}
	return b.set(), nil
}

// Check compiles one rule file on top of the embedded rules and forgets it.
func Check(path string, limits Limits) (*Set, error) {
	b := builder{limits: limits, byName: map[string]int{}}
	if err := b.add(BuiltinName, builtin); err != nil {
		return nil, err
	}
	data, err := readRuleFile(path)
	if err != nil {
		return nil, err
	}
	if err := b.add(path, data); err != nil {
		return nil, err
	}
	return b.set(), nil
}

func ruleFiles(dir string) ([]string, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read rules in %s: %w", dir, err)
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".toml") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	sort.Strings(files)
	return files, nil
}

func readRuleFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &Error{File: path, Message: err.Error()}
	}
	if info.Size() > maxRuleFile {
		return nil, &Error{File: path, Message: fmt.Sprintf("larger than %d bytes", maxRuleFile)}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{File: path, Message: err.Error()}
	}
	return data, nil
}

// builder collects rules in order; a later rule of the same name takes the
// earlier one's place.
type builder struct {
	limits Limits
	rules  []*Rule
	byName map[string]int
}

func (b *builder) add(file string, data []byte) error {
	var doc ruleFile
	dec := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return tomlError(file, err)
	}
	at := locate(data)
	seen := map[string]bool{}
	for i, src := range doc.Rule {
		place := at.rule(i)
		if src.Name == "" {
			return &Error{File: file, Line: place.line, Column: 1, Message: "a rule needs a name"}
		}
		if seen[src.Name] {
			return &Error{File: file, Line: place.line, Column: 1, Rule: src.Name, Message: "named twice in this file"}
		}
		seen[src.Name] = true
		if err := b.put(file, src, place); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) put(file string, src source, place place) error {
	old, known := b.byName[src.Name]
	if src.Off {
		if !known {
			return &Error{File: file, Line: place.line, Column: 1, Rule: src.Name, Message: "switched off, but no rule has that name"}
		}
		b.rules[old] = nil
		return nil
	}
	r, err := compile(file, src, place)
	if err != nil {
		return err
	}
	if known {
		b.rules[old] = r
		return nil
	}
	b.byName[src.Name] = len(b.rules)
	b.rules = append(b.rules, r)
	return nil
}

func (b *builder) set() *Set {
	s := &Set{limits: b.limits, on: map[On][]*Rule{}}
	for _, r := range b.rules {
		if r == nil {
			continue
		}
		s.rules = append(s.rules, r)
		for _, on := range allOn {
			if r.on[on] {
				s.on[on] = append(s.on[on], r)
			}
		}
	}
	return s
}

func tomlError(file string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := strict.Errors[0]
		line, col := e.Position()
		return &Error{File: file, Line: line, Column: col, Message: fmt.Sprintf("unknown key %q; a rule has name, on, when, each, key, value, type, off", strings.Join(e.Key(), "."))}
	}
	var dec *toml.DecodeError
	if errors.As(err, &dec) {
		line, col := dec.Position()
		return &Error{File: file, Line: line, Column: col, Message: strings.TrimPrefix(dec.Error(), "toml: ")}
	}
	return &Error{File: file, Message: strings.TrimPrefix(err.Error(), "toml: ")}
}

// place says where in its file a rule and its expressions stand.
type place struct {
	line int
	of   map[string]position
}

type position struct{ line, column int }

type places []place

func (p places) rule(i int) place {
	if i < len(p) {
		return p[i]
	}
	return place{}
}

// locate finds the lines of the rules and the beginnings of their values. It
// reads the form that people write ([[rule]] tables); for any other valid TOML
// positions stay unknown.
func locate(data []byte) places {
	var out places
	for i, line := range strings.Split(string(data), "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[[rule]]") {
			out = append(out, place{line: i + 1, of: map[string]position{}})
			continue
		}
		name, rest, ok := strings.Cut(line, "=")
		if !ok || len(out) == 0 {
			continue
		}
		key := strings.TrimSpace(name)
		if !slices.Contains([]string{"on", "when", "each", "key", "value", "type"}, key) {
			continue
		}
		lead := len(rest) - len(strings.TrimLeft(rest, " \t"))
		quote := 0
		for quote < 3 && lead+quote < len(rest) && (rest[lead+quote] == '\'' || rest[lead+quote] == '"') {
			quote++
		}
		if quote == 2 {
			quote = 1
		}
		at := position{line: i + 1, column: len(name) + 1 + lead + quote + 1}
		if quote == 3 && lead+quote == len(strings.TrimRight(rest, " \t\r")) {
			at = position{line: i + 2, column: 1}
		}
		if _, dup := out[len(out)-1].of[key]; !dup {
			out[len(out)-1].of[key] = at
		}
	}
	return out
}
