package agents

import (
	"strconv"
	"strings"

	"github.com/kmemd/kmemd/ingest/scan"
)

// codexResult is the text of an answer, taken apart.
type codexResult struct {
	Text    string
	Exit    *int
	Session string   // id of the process that still runs
	Cell    string   // id of the script that still runs
	Script  string   // "completed", "failed", "terminated": how a script ended
	Parts   []string // what a script printed, piece by piece
	Head    bool     // the text began with lines of the harness
	limit   int      // how much of a text is wanted
	fine    bool     // it is known to tell of no failure
}

// codexRead reads an output, which has been a string, JSON in a string, an
// object, or a list of parts. Images in it are left alone.
func codexRead(v scan.Value, limit int) codexResult {
	r := codexResult{limit: limit}
	switch v.Kind() {
	case scan.String:
		r.Text = r.take(v)
		if strings.HasPrefix(r.Text, "{") && r.object(scanText(r.Text)) {
			return r
		}
	case scan.Object:
		if !r.object(v) {
			return r
		}
		if r.Exit != nil {
			return r
		}
	case scan.Array:
		r.list(v)
	}
	r.head()
	return r
}

// take decodes as much of a text as is wanted: of a result its head and its
// tail, less of one that says at its beginning that all went well, only the
// head of what was looked up.
func (r *codexResult) take(v scan.Value) string {
	switch {
	case r.limit <= codexLookupText:
		return v.Text(r.limit)
	case len(v.Raw()) <= codexFineHead+codexFineTail || !r.fine && !codexFine(v.Text(200)):
		return resultText(v, r.limit)
	}
	return v.Text(codexFineHead) + "\n…\n" + v.Tail(codexFineTail)
}

// What is kept of an output without failure: its end tells what came of it.
const (
	codexFineHead = 1 << 10
	codexFineTail = 3 << 10
)

// codexFine reports whether the lines before an output say that it ended well.
func codexFine(text string) bool {
	head, _, found := strings.Cut(text, "Output:\n")
	return found && (strings.HasPrefix(head, "Exit code: 0\n") || strings.Contains(head, "\nProcess exited with code 0\n"))
}

// scanText parses JSON that stood in a string; Missing where it is none.
func scanText(text string) scan.Value {
	v, err := scan.Parse([]byte(text))
	if err != nil {
		return scan.Value{}
	}
	return v
}

// object reads {"output": …, "metadata": {"exit_code": …}} and its kin.
func (r *codexResult) object(v scan.Value) bool {
	out := v.Get("output")
	code := v.Path("metadata", "exit_code")
	if !code.Exists() {
		code = v.Get("exit_code")
	}
	switch {
	case out.Kind() == scan.String:
		r.Text = r.take(out)
	case v.Get("content").Kind() == scan.String && v.Get("success").Exists():
		r.Text = r.take(v.Get("content"))
		return true
	case code.Exists() && v.Get("stdout").Kind() == scan.String:
		r.Text = strings.TrimSpace(v.Get("stdout").Text(r.limit/2) + "\n" + v.Get("stderr").Text(r.limit/2))
	default:
		return false
	}
	r.setExit(code)
	return true
}

func (r *codexResult) setExit(code scan.Value) {
	if n, ok := code.Int(); ok && n == int64(int32(n)) {
		exit := int(n)
		r.Exit = &exit
	}
}

func (r *codexResult) list(v scan.Value) {
	var text strings.Builder
	v.Elements(func(_ int, part scan.Value) bool {
		if t := part.Get("text"); t.Kind() == scan.String {
			piece := r.take(t)
			r.Parts = append(r.Parts, piece)
			if text.Len() > 0 && !strings.HasSuffix(text.String(), "\n") {
				text.WriteByte('\n')
			}
			text.WriteString(piece)
		}
		return text.Len() < r.limit && len(r.Parts) < 256
	})
	r.Text = text.String()
	if len(r.Parts) > 0 && strings.HasPrefix(r.Parts[0], "Script ") && strings.HasSuffix(strings.TrimSpace(r.Parts[0]), "Output:") {
		r.Parts = r.Parts[1:]
	}
}

// head reads and removes the lines that the harness puts before an output.
func (r *codexResult) head() {
	rest := r.Text
	for range 10 {
		line, after, _ := strings.Cut(rest, "\n")
		if !r.headLine(strings.TrimRight(line, "\r")) {
			break
		}
		r.Head = true
		rest = after
		if strings.TrimSpace(line) == "Output:" {
			break
		}
	}
	if r.Head {
		r.Text = rest
	}
}

func (r *codexResult) headLine(line string) bool {
	name, value, _ := strings.Cut(line, ": ")
	switch name {
	case "Exit code":
		return r.exitText(value)
	case "Chunk ID", "Wall time", "Original token count", "Total output lines", "Command":
		return true
	case "Output:":
		return r.Head
	}
	if after, ok := strings.CutPrefix(line, "Process exited with code "); ok {
		return r.exitText(after)
	}
	if after, ok := strings.CutPrefix(line, "Process running with session ID "); ok {
		r.Session = headOf(strings.TrimSpace(after), 80)
		return true
	}
	if after, ok := strings.CutPrefix(line, "Script running with cell ID "); ok {
		r.Cell = headOf(strings.TrimSpace(after), 80)
		return true
	}
	switch line {
	case "Script completed", "Script failed", "Script terminated":
		r.Script = line[len("Script "):]
		return true
	}
	return strings.HasPrefix(line, "Wall time ")
}

func (r *codexResult) exitText(value string) bool {
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 32)
	if err != nil {
		return false
	}
	exit := int(n)
	r.Exit = &exit
	return true
}
