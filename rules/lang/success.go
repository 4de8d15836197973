package lang

import "strings"

// successLines is how many of an output's last lines are looked at, and
// successWindow how many bytes.
const (
	successLines  = 40
	successWindow = 16384
)

// TellSuccess returns the last one or two lines of an output that hold a
// verdict, a count, a hash or an address, joined with " / ", else its last
// line; "ok" where there is none. Acknowledgements are left out.
func TellSuccess(output string) string {
	if len(output) > successWindow {
		output = output[boundaryAfter(output, len(output)-successWindow):]
		if at := strings.IndexByte(output, '\n'); at >= 0 {
			output = output[at+1:]
		}
	}
	var best, second rankedLine // the two that tell most, the later of equal ones
	last, looked := "", 0
	eachLineBack(output, func(line string) bool {
		if isNoise(line) {
			return true
		}
		folded := strings.ToLower(line)
		if acknowledges(line, folded) {
			return true
		}
		if looked++; looked == 1 {
			last = line
		}
		switch rank := successRank(line, folded, second.rank); {
		case rank > best.rank:
			best, second = rankedLine{line, rank, looked}, best
		case rank > second.rank:
			second = rankedLine{line, rank, looked}
		}
		return looked < successLines && second.rank < maxSuccessRank
	})
	switch {
	case looked == 0:
		return "ok"
	case best.rank == 0:
		return told(last)
	case second.rank == 0 || second.rank == 1 && best.rank > 2 || told(second.text) == told(best.text):
		return told(best.text)
	case best.back > second.back:
		return told(best.text) + toldJoin + told(second.text)
	}
	return told(second.text) + toldJoin + told(best.text)
}

// rankedLine is a line with its rank and its number from the end.
type rankedLine struct {
	text       string
	rank, back int
}

// acknowledged begin or are lines that only say that a call was carried out.
var acknowledged = prefixList("shell cwd was reset", "(bash completed", "(no output)", "command completed successfully", "command executed successfully",
	"success. updated the following", "todos have been modified", "process exited with code 0", "exit code: 0", "exit code 0", "wall time",
	"chunk id", "original token count", "output:", "(no content)", "command ran successfully")

// acknowledges reports whether a line, also given folded, only says that a call
// was carried out.
func acknowledges(line, s string) bool {
	if len(line) > 240 {
		return false
	}
	if echoes(line) {
		return true
	}
	if acknowledged.start(s) {
		return true
	}
	if strings.Contains(s, "successfully") {
		return holdsAny(s, []string{"has been updated", "has been created", "has been written", "file created", "file written", "have been modified",
			"updated successfully", "written successfully", "wrote to", "has been edited", "applied successfully", "file updated"})
	}
	return false
}

// echoes reports whether a line only repeats the command that is run, as
// package scripts and task runners do: "$ tsc", "> tsc --noEmit", "[fmt] $ gofmt".
func echoes(line string) bool {
	if strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "> ") {
		return true
	}
	if line[0] != '[' {
		return false
	}
	end := strings.IndexByte(line, ']')
	return end > 0 && end < 40 && strings.HasPrefix(line[end+1:], " $ ")
}

// maxSuccessRank is the highest that successRank gives.
const maxSuccessRank = 4

// successRank says how much a line, also given folded, tells of a success. Of
// one that tells no more than the rank enough it may say that it tells nothing.
func successRank(line, s string, enough int) int {
	if line[0] == '[' && isCommit(line) {
		return maxSuccessRank
	}
	switch {
	case clearStarts.start(line), remotes.start(line):
		return 0
	case line == "PASS", strings.HasSuffix(line, "[no tests to run]"), strings.HasSuffix(line, "[no test files]"):
		return 1
	case verdictStarts.start(line):
		if line[0] >= 0x80 && !verdicts.in(s) {
			return 2 // one test or step of many
		}
		return 3
	}
	switch {
	case strings.Contains(line, "https://") || strings.Contains(line, "http://"):
		if holdsAny(s, []string{"/pull/", "/merge_requests/", "/releases/", "/commit/", "/actions/runs/", "deploy"}) {
			return maxSuccessRank
		}
		return 2
	case enough < 3 && strings.Contains(s, " -> ") && strings.Contains(s, ".."):
		return 3
	case enough < 3 && verdicts.in(s):
		return 3
	case enough < 2 && counts(s):
		return 2
	case enough < 1 && holdsHash(line):
		return 1
	}
	return 0
}

// remotes begin the lines in which git says where it pushed to or fetched from.
var remotes = prefixList("To http", "To git@", "To ssh", "From http", "From git@", "From ssh")

// verdictStarts begin lines with a verdict.
var verdictStarts = prefixList("ok  ", "ok\t", "PASS", "✓ ", "✔ ", "✅ ", "OK (", "OK", "BUILD SUCCESS", "test result: ok", "Tests:", "Tests run:", "Test Files",
	"Test Suites", "Ran ", "Success", "Successfully", "Done in ", "Finished ", "added ", "up to date", "Everything up-to-date",
	"Already up to date", "Merge made by", "Fast-forward", "No fixes applied", "0 issues", "Deployed", "Published")

// verdicts stand anywhere in lines with a verdict.
var verdicts = phraseList(" passed", " passing", " pass ", " pass,", "all checks", "all tests", "no issues", "0 issues", "no errors", "0 errors", " succeeded",
	"successful", "built in", "compiled", "no fixes applied", "up-to-date", "up to date", "0 failed", "0 failures", "no offenses",
	"all matched files use", "nothing to commit", "working tree clean", "completed in", "deployed", "published", "no problems")

// counted are things that are counted in a result, in lower case.
var counted = set("file", "files", "test", "tests", "insertion", "insertions", "deletion", "deletions", "line", "lines", "error", "errors",
	"warning", "warnings", "package", "packages", "module", "modules", "row", "rows", "commit", "commits", "issue", "issues", "example",
	"examples", "assertion", "assertions", "pass", "passed", "ms", "s", "kb", "mb", "bytes", "changes", "records", "items", "entries", "suites",
	"specs", "checks", "results", "matches", "objects", "migrations", "images", "tokens", "requests", "vulnerabilities", "problems", "skipped")

// counts reports whether a folded line holds a number of something.
func counts(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' || i > 0 && wordByte(s[i-1]) {
			continue
		}
		for i < len(s) && ('0' <= s[i] && s[i] <= '9' || s[i] == '.' || s[i] == ',') {
			i++
		}
		word := strings.TrimLeft(s[i:], " ")
		end := 0
		for end < len(word) && 'a' <= word[end] && word[end] <= 'z' {
			end++
		}
		if counted[word[:end]] {
			return true
		}
	}
	return false
}

// isCommit reports whether a line is what git says of a commit: "[main
// abc1234] message".
func isCommit(line string) bool {
	end := strings.IndexByte(line, ']')
	return end > 8 && end < 120 && strings.Contains(line[:end], " ") && holdsHash(line[strings.LastIndexByte(line[:end], ' ')+1:end])
}

// holdsHash reports whether a line holds a word of 7 to 40 hex digits, letters
// and numbers among them.
func holdsHash(line string) bool {
	for i := 0; i < len(line); {
		if !wordByte(line[i]) {
			i++
			continue
		}
		start := i
		letters, digits, other := 0, 0, 0
		for ; i < len(line) && wordByte(line[i]); i++ {
			switch c := line[i]; {
			case '0' <= c && c <= '9':
				digits++
			case 'a' <= c && c <= 'f':
				letters++
			default:
				other++
			}
		}
		if n := i - start; n >= 7 && n <= 40 && other == 0 && letters > 0 && digits > 0 {
			return true
		}
	}
	return false
}
