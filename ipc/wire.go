package ipc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// request is one request or notification as it stands on the line.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil: a notification, which is not answered
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// parseRequest reads one line. The id is returned where it could be read, also
// beside an error, so that the answer can carry it.
func parseRequest(line []byte) (request, *Error) {
	var r request
	if line[0] == '[' && json.Valid(line) {
		return request{ID: nullID}, Errorf(codeRequest, "batches are not supported; send one object a line")
	}
	if err := json.Unmarshal(line, &r); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return request{ID: answerID(r.ID)}, Errorf(codeRequest, "invalid request: %s", typeProblem(wrong))
		}
		return request{ID: nullID}, Errorf(codeParse, "not a JSON object on one line: %v", err)
	}
	if !validID(r.ID) {
		return request{ID: nullID}, Errorf(codeRequest, `invalid request: "id" must be a string, a number or null`)
	}
	if r.Version != "2.0" {
		r.ID = answerID(r.ID)
		return r, Errorf(codeRequest, `invalid request: "jsonrpc" must be "2.0"`)
	}
	if r.Method == nil {
		r.ID = answerID(r.ID)
		return r, Errorf(codeRequest, `invalid request: "method" is missing`)
	}
	return r, nil
}

var nullID = json.RawMessage("null")

func validID(id json.RawMessage) bool {
	return id == nil || id[0] == '"' || id[0] == '-' || id[0] == 'n' || id[0] >= '0' && id[0] <= '9'
}

// answerID is the id to answer an invalid request with.
func answerID(id json.RawMessage) json.RawMessage {
	if id == nil || !validID(id) {
		return nullID
	}
	return id
}

// typeProblem says in words which field has a wrong type.
func typeProblem(e *json.UnmarshalTypeError) string {
	if e.Field == "" {
		return fmt.Sprintf("must be %s, not %s", typeWord(e.Type.Kind().String()), e.Value)
	}
	return fmt.Sprintf("%q must be %s, not %s", e.Field, typeWord(e.Type.Kind().String()), e.Value)
}

func typeWord(kind string) string {
	switch kind {
	case "struct", "map", "ptr":
		return "an object"
	case "slice", "array":
		return "an array"
	case "bool":
		return "a boolean"
	case "string":
		return "a string"
	default:
		return "a number"
	}
}

// decodeParams puts the parameters of a request into v. Absent ones leave it
// as it is. The error is an [*Error] that names the field.
func decodeParams(params json.RawMessage, v any) error {
	if len(params) == 0 || string(params) == "null" {
		return nil
	}
	err := json.Unmarshal(params, v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong):
		return Errorf(codeInvalidParams, "invalid params: %s", typeProblem(wrong))
	default:
		return Errorf(codeInvalidParams, "invalid params: %v", err)
	}
}

// outgoing is anything that is written: a request, a notification, an answer.
type outgoing struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// answer is a successful answer; its result is written even when it is null.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result"`
}

// encode returns v as one line. encoding/json writes no raw line break.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a block is read by people, too
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// encodeAnswer returns the line that answers a request. A result that cannot
// be encoded becomes an error.
func encodeAnswer(id json.RawMessage, result any, failure *Error) ([]byte, *Error) {
	if failure == nil {
		b, err := encode(answer{Version: "2.0", ID: id, Result: result})
		if err == nil {
			return b, nil
		}
		failure = Errorf(codeInternal, "the result cannot be encoded: %v", err)
	}
	b, err := encode(outgoing{Version: "2.0", ID: id, Error: failure})
	if err != nil { // the data of the error is at fault
		b, _ = encode(outgoing{Version: "2.0", ID: id, Error: &Error{Code: failure.Code, Message: failure.Message}})
	}
	return b, failure
}
