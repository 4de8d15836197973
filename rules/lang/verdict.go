package lang

import "strings"

// How a line counts for the verdict on a check.
type finding uint8

const (
	noFinding finding = iota
	passed            // a summary of tests that all passed
	suspicion         // an error that may as well be a test's own output
	condemned         // the tool's own word that it failed
)

// FailureVerdict reports whether the output of a test, a build or a linter says
// that it failed. It is for outputs whose exit code was lost: "0 failed", "no
// errors", names that hold the word and errors that tests print before they
// pass are no verdict.
func FailureVerdict(output string) bool {
	if !holdsAny(output, verdictHints) {
		return false
	}
	var found [condemned + 1]bool
	eachLine(output, func(line string) { found[findingOf(line)] = true })
	return found[condemned] || found[suspicion] && !found[passed]
}

// verdictHints are what some line of every output with a verdict holds.
var verdictHints = []string{"fail", "FAIL", "Fail", "rror", "RROR", "✖", "✕", "✗", "×", "❌", "not ok", "panic", "Traceback", "roblem", "issue",
	"offense", ".go:", ".py:", ".c:", ".cpp:", ".h:", "exit", "would be", "would reformat", "CONFLICT", "***", "E   ", "undefined", "abort", "Abort", "●", "not found"}

// condemning begin lines with a tool's verdict.
var condemning = prefixList("--- FAIL", "FAIL\t", "FAIL:", "FAIL ", "(fail) ", "FAILED", "FAILURES!", "ERRORS!", "FAILURE: ", "panic: ", "BUILD FAIL", "Build FAILED",
	"** BUILD FAILED", "** TEST FAILED", "Failed!", "not ok ", "make: ***", "ninja: build stopped", "CMake Error", "npm ERR!", "npm error",
	"error TS", "error[E", "test result: FAILED", "Some tests failed", "vet: ", "✖ ", "✗ ", "✕ ", "would reformat ", "error Command failed", "Failed to compile",
	"Oh no!", "error: could not compile", "error: test failed", "error: aborting", "collect2: error", "undefined reference", "Compilation failed", "Build failed")

// condemningEnds end lines with a tool's verdict.
var condemningEnds = []string{"[build failed]", "[setup failed]", "ERROR task failed", "exit status 1", "exit status 2", "... FAILED", " FAILED", "would be reformatted",
	"build failed", "tests failed", ": command not found"}

// condemningParts stand anywhere in such lines, folded.
var condemningParts = []string{"exited with code 1", "exited with code 2", "exit code 1", "exit code 2", " error cs", " error msb", "): error ts", " error ts",
	"undefined reference to", "command failed with exit code", "elifecycle", "code style issues found", "]: *** ", "  error  "}

// suspicious begin lines of errors that a test may print as well.
var suspicious = prefixList("error: ", "error[", "Error: ", "ERROR: ", "ERROR ", "[ERROR] ", "fatal: ", "fatal error:", "E   ", "× ", "❌ ", "● ", "CONFLICT",
	"Traceback (most recent call last)", "SyntaxError: ", "TypeError: ", "ReferenceError: ", "ImportError: ", "ModuleNotFoundError: ", "Aborted", "thread '")

// findingOf reads one line.
func findingOf(line string) finding {
	if line == "FAIL" || line == "FAILURE" {
		return condemned
	}
	s := strings.ToLower(line)
	if zeroFailures(line) {
		if holdsAny(s, []string{" fail", "failures", "failed"}) {
			return passed
		}
		return noFinding
	}
	if countedFailure(s) || condemning.start(line) || endsIn(line, condemningEnds) || holdsAny(s, condemningParts) {
		return condemned
	}
	if strings.HasSuffix(s, " passing") || strings.Contains(s, " passing (") || strings.HasPrefix(line, "OK (") || strings.HasPrefix(line, "test result: ok") {
		return passed
	}
	if isNoise(line) && !strings.HasPrefix(line, "Traceback") {
		return noFinding
	}
	// Compilers give a column, logs seldom do.
	if numbers := place(line); numbers > 0 && !isAside(line) && (numbers > 1 || strings.Contains(line, "error")) {
		return suspicion
	}
	if suspicious.start(line) || strings.Contains(s, ": error:") || strings.Contains(s, " - error ") {
		return suspicion
	}
	return noFinding
}

// failureNouns are what a summary counts of failures, folded.
var failureNouns = []string{"failed", "failing", "failures", "failure", "fail", "errors", "error", "problems", "problem", "issues", "issue", "offenses",
	"offense", "violations", "violation", "tests failed", "test failed"}

// countedFailure reports whether a folded line counts failures and the count is
// not zero: "1 failed, 19 passed", "Found 2 errors", "Failures: 1".
func countedFailure(s string) bool {
	if strings.Contains(s, "0 remaining") || strings.HasPrefix(s, "fixed ") || strings.Contains(s, "(all fixed") || strings.Contains(s, "(0 errors") {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		start := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		if strings.Trim(s[start:i], "0") == "" || start > 0 && (wordByte(s[start-1]) || s[start-1] == '.' || s[start-1] == '#') {
			continue
		}
		if countsFailures(s[:start], strings.TrimLeft(s[i:], " ")) {
			return true
		}
	}
	return false
}

// countsFailures reports whether a number between before and after counts
// failures.
func countsFailures(before, after string) bool {
	for _, noun := range failureNouns {
		if rest, ok := strings.CutPrefix(after, noun); ok && (rest == "" || !wordByte(rest[0])) {
			return summaryLead(before) && !strings.HasPrefix(rest, " fixed") && !strings.HasPrefix(rest, "-")
		}
	}
	before = strings.TrimRight(before, " ")
	if before, ok := strings.CutSuffix(before, ":"); ok {
		for _, noun := range failureNouns {
			if head, ok := strings.CutSuffix(before, noun); ok {
				head = strings.TrimRight(head, " ")
				return head == "" || strings.IndexByte(",;|-(", head[len(head)-1]) >= 0
			}
		}
	}
	return false
}

// summaryLead reports whether the words before a count may stand in the summary
// of a check.
func summaryLead(before string) bool {
	before = strings.Trim(before, " \t=-[]()✖✕✗×❌*•│|:,;.⎯")
	if before == "" || len(before) > 80 {
		return before == ""
	}
	switch last := before[strings.LastIndexByte(before, ' ')+1:]; last {
	case "found", "with", "tests", "files", "suites", "passed", "examples", "assertions", "runs", "summary", "total", "pass", "skipped", "and",
		"error", "issues", "todo", "passing", "offenses", "detected", "got", "failed", "checks", "test", "pending", "tasks", "encountered", "problems", "completed", "inspected", "scenarios":
		return true
	}
	return false
}
