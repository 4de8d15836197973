package query

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/file"
)

// Error says what is wrong with a query, in one sentence that names what to do
// where that can be told.
type Error struct {
	Message string
	Column  int // in characters of the query, from 1; 0 where it has no place
}

// Error returns the message with its place.
func (e *Error) Error() string {
	if e.Column == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s (column %d)", e.Message, e.Column)
}

// relationNames lists the relations, for errors.
const relationNames = "memory, tool_calls, tasks, sessions, files"

// example returns a row of each relation, by the name of its Go type.
func example(typ string) row {
	switch typ {
	case "memoryRow":
		return &memoryRow{}
	case "callRow":
		return &callRow{}
	case "taskRow":
		return &taskRow{}
	case "sessionRow":
		return &sessionRow{}
	case "fileRow":
		return &fileRow{}
	}
	return nil
}

// The language's errors that are said better here.
var (
	noField  = regexp.MustCompile(`^type \*?query\.(\w+) has no field (\S+)$`)
	noFetch  = regexp.MustCompile(`^cannot (?:fetch|get) (\S+) from \*?query\.(\w+)$`)
	noName   = regexp.MustCompile(`^unknown name (\S+)$`)
	badToken = regexp.MustCompile(`^unexpected token \w+\("(.*)"\)$`)
	goType   = regexp.MustCompile(`\*?query\.(\w+)`)
)

// explain turns an error into an *Error with its place in the query.
func (s *source) explain(err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	e := &Error{Message: err.Error()}
	var placed *file.Error
	if errors.As(err, &placed) {
		e.Message, e.Column = placed.Message, s.column(placed.From)
		if length := len([]rune(s.text)); e.Column > length {
			e.Column = max(1, length)
		}
	}
	for _, guard := range []error{errSlow, errMemory, errString, errPattern, errDeep, errJoin, errResult} {
		if errors.Is(err, guard) {
			e.Message = guard.Error()
			return e
		}
	}
	e.Message = say(e.Message)
	return e
}

// say says a message of the language in the words of the relations.
func say(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	if m := noField.FindStringSubmatch(message); m != nil {
		return missingField(m[1], m[2])
	}
	if m := noFetch.FindStringSubmatch(message); m != nil {
		return missingField(m[2], m[1])
	}
	if m := noName.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("there is no relation or variable %s; the relations are %s", m[1], relationNames)
	}
	if m := badToken.FindStringSubmatch(message); m != nil {
		if m[1] == "=" {
			return `unexpected "="; to compare, write ==`
		}
		return fmt.Sprintf("unexpected %q", m[1])
	}
	switch {
	case strings.HasPrefix(message, "memory budget exceeded"):
		return errMemory.Error()
	case strings.Contains(message, "exceeds maximum allowed nodes"):
		return fmt.Sprintf("the query has more than %d parts; shorten it", maxNodes)
	case strings.HasPrefix(message, "unexpected token EOF"):
		return "the query ends too early"
	}
	message = goType.ReplaceAllStringFunc(message, func(name string) string {
		if r := example(strings.TrimPrefix(name, "*query.")); r != nil {
			return "row of " + r.relation()
		}
		return "value"
	})
	return message
}

// missingField says that a relation has no such field, and which it has.
func missingField(typ, field string) string {
	if r := example(typ); r != nil {
		return fmt.Sprintf("%s has no field %s; its fields are %s", r.relation(), field, strings.Join(columnNames(r), ", "))
	}
	return "origin has no field " + field + "; its fields are agent, session, record, file, offset, role, via"
}
