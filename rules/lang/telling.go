package lang

import "strings"

const (
	maxTold  = 98 // bytes of a line that is told
	toldJoin = " / "
	maxLook  = 400 // bytes of a line that are looked at
)

// How much a line tells of a failure.
type telling uint8

const (
	silent   telling = iota
	weakly           // that it failed, not why: "exit code 1"
	somewhat         // holds a word of failure
	clearly          // an error's or an exception's own words
	exactly          // a place in a file, a test's name
)

// TellFailure returns the first and the last line of an output that tell why
// something failed, joined with " / ": lines of compilers, tests and exceptions
// rather than headers and exit codes. Where no line tells it is the last one;
// "" for an output without text.
func TellFailure(output string) string {
	var first, last, fallback toldLine
	var before toldLine // the one that first took the place of
	eachLine(output, func(line string) {
		rank := failureRank(line)
		if rank > first.rank {
			before, first, last = first, toldLine{line, rank}, toldLine{}
		} else if rank >= somewhat && rank >= last.rank && line != first.text {
			last = toldLine{line, rank}
		}
		if rank != silent || !isNoise(line) {
			fallback = toldLine{line, rank}
		}
	})
	if last.text == "" && before.rank >= somewhat {
		first, last = before, first
	}
	switch {
	case first.rank == silent:
		return told(fallback.text)
	case first.rank == weakly || last.text == "" || told(first.text) == told(last.text):
		return told(first.text)
	}
	return told(first.text) + toldJoin + told(last.text)
}

// toldLine is a line with its rank.
type toldLine struct {
	text string
	rank telling
}

// eachLine calls fn with the lines of an output that hold something: cleaned,
// without blanks and frames around them.
func eachLine(output string, fn func(line string)) {
	output = Clean(output)
	for output != "" {
		line, rest, _ := strings.Cut(output, "\n")
		output = rest
		if line = bareLine(line); line != "" {
			fn(line)
		}
	}
}

// eachLineBack is eachLine from the last line on, until fn returns false.
func eachLineBack(output string, fn func(line string) bool) {
	output = Clean(output)
	for output != "" {
		at := strings.LastIndexByte(output, '\n')
		line := bareLine(output[at+1:])
		output = output[:max(at, 0)]
		if line != "" && !fn(line) {
			return
		}
	}
}

// bareLine is what eachLine makes of a line, "" where it holds nothing.
func bareLine(line string) string {
	if line = strings.TrimSpace(line); line == "" {
		return ""
	}
	return unframe(line[:boundaryBefore(line, maxLook)])
}

// unframe removes frames that tools draw around a line: "=== 1 failed ===",
// "<error>…</error>", "│ … │". Lines that are nothing else vanish.
func unframe(line string) string {
	if isRule(line) {
		return ""
	}
	if strings.HasPrefix(line, "==") || strings.HasPrefix(line, "--- ") && strings.HasSuffix(line, " ---") {
		return strings.Trim(line, "=- ")
	}
	if strings.HasPrefix(line, "<") && strings.HasSuffix(line, ">") {
		if end := strings.IndexByte(line, '>'); end < len(line)-1 {
			if inner, ok := strings.CutSuffix(line[end+1:], "</"+line[1:end+1]); ok {
				return strings.TrimSpace(inner)
			}
		}
	}
	return strings.TrimSpace(strings.Trim(strings.TrimPrefix(line, "[INFO] "), "│┃║|╭╮╰╯┌┐└┘━─═"))
}

// told shortens a line that is told.
func told(line string) string {
	line = OneLine(line)
	if len(line) <= maxTold {
		return line
	}
	return Clip(line, maxTold-len(ellipsis))
}

// failureRank says how much a line tells of a failure.
func failureRank(line string) telling {
	if isNoise(line) {
		return silent
	}
	if onlyExit(line) {
		return weakly
	}
	if at := place(line); at > 0 && strings.HasSuffix(line, ":") {
		return somewhat // a place alone, what is wrong there follows
	} else if at > 0 && !isAside(line) || exactStarts.start(line) {
		return exactly
	}
	if clearStarts.start(line) {
		return clearly
	}
	words := failureWords(line)
	if words&exceptionWord != 0 {
		return clearly
	}
	if words&failWord != 0 && !zeroFailures(line) {
		return somewhat
	}
	return silent
}

// exactStarts begin lines that name what failed: a test, an assertion, a
// compiler's error.
var exactStarts = prefixList("--- FAIL", "FAILED ", "FAIL: ", "(fail) ", "error TS", "error[E", "E   ", "not ok ", "✗ ", "✕ ", "AssertionError", "CONFLICT")

// clearStarts begin lines in a tool's own words on a failure.
var clearStarts = prefixList("panic: ", "fatal: ", "fatal error: ", "error: ", "Error: ", "ERROR: ", "error[", "✖ ", "× ", "❌ ", "npm ERR! Error",
	"npm error Error", "Expected", "expected", "Received", "undefined reference", "BUILD FAILED", "[ERROR] ", "● ", "1) ")

// exits begin lines, folded, that say no more than that something failed.
var exits = prefixList("exit code", "exit status", "exited with", "process exited", "process completed with exit code", "command failed",
	"elifecycle", "make: ***", "make[", "npm err! code", "npm err! errno", "npm err! path", "npm err! syscall", "npm err! command",
	"npm err! a complete log", "npm error code", "npm error errno", "npm error path", "npm error syscall", "npm error command",
	"npm error a complete log", "error: process completed", "error command failed", "exitcode", "fail\t", "ok failed")

// exiting begin such lines where they go on to say that something exited.
var exiting = prefixList("error: script", "error: recipe", "husky")

// onlyExit reports whether a line says that something failed and not why.
func onlyExit(line string) bool {
	if len(line) > 160 {
		return false
	}
	s := strings.Trim(line, " \t[]!.*>")
	if s == "" || !exitStart[s[0]] && !strings.HasSuffix(s, "failed") && !strings.HasSuffix(s, "ailure") {
		return false
	}
	s = strings.ToLower(s)
	switch s {
	case "fail", "failed", "failure", "error":
		return true
	}
	if exits.start(s) {
		return true
	}
	if rest, ok := exiting.cut(s); ok && (strings.Contains(rest, "exited with") || strings.Contains(rest, "failed")) {
		return true
	}
	return strings.HasSuffix(s, "error task failed") || strings.HasSuffix(s, "]: failure")
}

// exitStart holds the bytes that the lines of onlyExit begin with.
var exitStart = [256]bool{'e': true, 'E': true, 'p': true, 'P': true, 'c': true, 'C': true, 'm': true, 'n': true, 'f': true, 'F': true, 'h': true, 'o': true}

// noise begins lines that tell nothing.
var noise = prefixList("at ", "... ", "Wall time", "Chunk ID", "Original token count", "Total output lines", "Output:", "hint:", "note:",
	"Traceback (most recent", "Require stack", "Node.js v", "Bun v", "Shell cwd was reset", "throw ", "throw err", "npm warn", "npm WARN",
	"npm notice", "For more information", "Run with", "note: run with", "stack backtrace", "goroutine ", "created by ", "exit status 0",
	"Caused by:", "code: ", "requireStack", "Usage:", "usage:", "Did you mean", "Run '", "warning: ", "Warning: ", "WARN", "[WARNING]",
	"[INFO]", "DEBUG", "(Bash completed", "Use `", "rerun with", "[warn] Code style", "(use \"git", "If you believe", "=== RUN", "=== PAUSE", "=== CONT", "--- PASS", "--- SKIP")

// isNoise reports whether a line tells nothing of an outcome.
func isNoise(line string) bool {
	return noise.start(line) || onlyMarks(line) || strings.Contains(line, " +0x") // a frame of a stack
}

// onlyMarks reports whether a line holds no word.
func onlyMarks(line string) bool {
	for i := 0; i < len(line); i++ {
		if c := line[i]; wordByte(c) && c < 0x80 {
			return false
		}
	}
	return strings.IndexFunc(line, func(r rune) bool { return r >= 0x80 && isWordRune(r) }) < 0
}

// isAside reports whether a line with a place in a file only remarks on it.
func isAside(line string) bool {
	for _, aside := range []string{": warning", ": note:", ": info:", ": help:", " warning TS", ": remark:"} {
		if strings.Contains(line, aside) {
			return true
		}
	}
	return false
}

// place returns how many numbers the place in a file has that a line begins
// with, as compilers and tests write it: two for "a.go:12:3: …" and
// "a.ts(3,5): …", one for "a.go:12: …", none without a place.
func place(line string) int {
	end := strings.IndexAny(line, ":(")
	if end == 1 && hasDrive(line) {
		next := strings.IndexAny(line[2:], ":(")
		if next < 0 {
			return 0
		}
		end = 2 + next
	}
	if end <= 0 || end > 200 {
		return 0
	}
	name := line[:end]
	if at := strings.LastIndexAny(name, " \t"); at >= 0 {
		if at > 40 || strings.Contains(name[:at], ".") {
			return 0
		}
		name = name[at+1:]
	}
	if !hasEnding(name[strings.LastIndexAny(name, `/\`)+1:]) {
		return 0
	}
	numbers, n := 0, end
	for n < len(line) && (line[n] == ':' || line[n] == ',' || n == end) {
		digits := len(line[n+1:]) - len(strings.TrimLeft(line[n+1:], "0123456789"))
		if digits == 0 {
			break
		}
		numbers++
		n += 1 + digits
	}
	if numbers == 0 || n >= len(line) {
		return 0
	}
	switch c := line[n]; {
	case c == ' ', c == '\t', c == ':', c == ')' && line[end] == '(':
		return numbers
	}
	return 0
}

// The words that failureWords looks for.
const (
	failWord = 1 << iota
	exceptionWord
)

// failing are words of failure, in lower case.
var failing = set("error", "errors", "fail", "fails", "failed", "failing", "failure", "failures", "fatal", "panic", "panicked", "cannot",
	"can't", "couldn't", "could", "undefined", "unable", "invalid", "missing", "denied", "refused", "rejected", "conflict", "conflicts",
	"unknown", "unexpected", "expected", "exception", "abort", "aborted", "aborting", "exceeded", "unresolved", "unmatched", "unsupported",
	"unauthorized", "forbidden", "timeout", "killed", "segfault", "diverged", "unrecognized", "undeclared", "uncaught", "unhandled",
	"unwrapped", "required", "violation", "violations", "mismatch", "err", "issues", "problems", "unused", "non-zero", "broken", "corrupt",
	"overflow", "deadlock", "race", "leak", "incompatible", "ambiguous", "unterminated", "unclosed", "malformed", "disallowed", "blocked")

// failureWords looks for words of failure in a line.
func failureWords(line string) int {
	found := 0
	var buf [20]byte
	for i := 0; i < len(line); {
		if !wordByte(line[i]) {
			i++
			continue
		}
		start, n := i, 0
		upper := 0
		for ; i < len(line) && (wordByte(line[i]) || line[i] == '\''); i++ {
			c := line[i]
			if 'A' <= c && c <= 'Z' {
				upper++
				c += 'a' - 'A'
			}
			if n < len(buf) {
				buf[n] = c
				n++
			}
		}
		word := line[start:i]
		switch {
		case i-start <= len(buf) && failing[string(buf[:n])]:
			if string(buf[:n]) != "could" || strings.HasPrefix(line[i:], " not") {
				found |= failWord
			}
		case upper > 0 && i-start > 6 && isException(word) && (i == len(line) || line[i] == ':' || line[i] == ' '):
			if start == 0 || strings.HasPrefix(line[i:], ":") {
				found |= exceptionWord
			}
		case string(buf[:n]) == "not" && notStates.start(line[i:]):
			found |= failWord
		case string(buf[:n]) == "no" && strings.HasPrefix(line[i:], " such"), string(buf[:n]) == "no" && strings.HasPrefix(line[i:], " matches found"):
			found |= failWord
		}
	}
	return found
}

// notStates follow "not" in words of failure.
var notStates = prefixList(" found", " a ", " enough", " allowed", " assignable", " defined", " exist", " recognized", " supported",
	" match", " equal", " exported", " installed", " valid", " permitted", " declared", " in scope", " be ", " ok", " checked")

// isException reports whether a word is the name of an exception.
func isException(word string) bool {
	return strings.HasSuffix(word, "Error") || strings.HasSuffix(word, "Exception") || strings.HasSuffix(word, "Failure")
}

// zeroFailures reports whether a line says that nothing failed.
func zeroFailures(line string) bool {
	s := strings.ToLower(line)
	at := indexAny(s, []string{"0 error", "0 fail", "no error", "no fail", "0 problem", "no problem", "0 issue", "no issue", "without error",
		"errors: 0", "failures: 0", "failed: 0", "failed:0", "error: null", "errors=0", "failures=0", "fail 0", "\"error\":null", "0 violation"})
	if at < 0 {
		return false
	}
	if at > 0 && '0' <= s[at-1] && s[at-1] <= '9' {
		return false // "10 errors"
	}
	return !countedFailure(s)
}
