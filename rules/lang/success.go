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
	var lines []string
	eachLine(output, func(line string) {
		if !acknowledges(line) && !isNoise(line) {
			lines = append(lines, line)
		}
	})
	lines = lines[max(0, len(lines)-successLines):]
	best, second := -1, -1 // positions of the two that tell most, the later of equal ones
	ranks := make([]int, len(lines))
	for i, line := range lines {
		ranks[i] = successRank(line)
		if ranks[i] == 0 {
			continue
		}
		switch {
		case best < 0 || ranks[i] >= ranks[best]:
			best, second = i, best
		case second < 0 || ranks[i] >= ranks[second]:
			second = i
		}
	}
	switch {
	case len(lines) == 0:
		return "ok"
	case best < 0:
		return told(lines[len(lines)-1])
	case second < 0 || told(lines[second]) == told(lines[best]):
		return told(lines[best])
	}
	return told(lines[min(best, second)]) + toldJoin + told(lines[max(best, second)])
}

// acknowledged begin or are lines that only say that a call was carried out.
var acknowledged = prefixList("shell cwd was reset", "(bash completed", "(no output)", "command completed successfully", "command executed successfully",
	"success. updated the following", "todos have been modified", "process exited with code 0", "exit code: 0", "exit code 0", "wall time",
	"chunk id", "original token count", "output:", "(no content)", "command ran successfully")

// acknowledges reports whether a line only says that a call was carried out.
func acknowledges(line string) bool {
	if len(line) > 240 {
		return false
	}
	s := strings.ToLower(line)
	if acknowledged.start(s) {
		return true
	}
	if strings.Contains(s, "successfully") {
		return holdsAny(s, []string{"has been updated", "has been created", "has been written", "file created", "file written", "have been modified",
			"updated successfully", "written successfully", "wrote to", "has been edited", "applied successfully", "file updated"})
	}
	return false
}

// successRank says how much a line tells of a success.
func successRank(line string) int {
	if line[0] == '[' && isCommit(line) {
		return 4
	}
	if verdictStarts.start(line) {
		return 3
	}
	s := strings.ToLower(line)
	switch {
	case strings.Contains(line, "https://") || strings.Contains(line, "http://"):
		if holdsAny(s, []string{"/pull/", "/merge_requests/", "/releases/", "/commit/", "/actions/runs/", "deploy"}) {
			return 4
		}
		return 2
	case strings.Contains(s, " -> ") && strings.Contains(s, ".."):
		return 3
	case holdsAny(s, verdicts):
		return 3
	case counts(s):
		return 2
	case holdsHash(line):
		return 1
	}
	return 0
}

// verdictStarts begin lines with a verdict.
var verdictStarts = prefixList("ok  ", "ok\t", "PASS", "✓ ", "✔ ", "✅ ", "OK (", "OK", "BUILD SUCCESS", "test result: ok", "Tests:", "Tests run:", "Test Files",
	"Test Suites", "Ran ", "Success", "Successfully", "Done in ", "Finished ", "added ", "up to date", "Everything up-to-date",
	"Already up to date", "Merge made by", "Fast-forward", "No fixes applied", "0 issues", "Deployed", "Published")

// verdicts stand anywhere in lines with a verdict.
var verdicts = []string{" passed", " passing", " pass ", " pass,", "all checks", "all tests", "no issues", "0 issues", "no errors", "0 errors", " succeeded",
	"successful", "built in", "compiled", "no fixes applied", "up-to-date", "up to date", "0 failed", "0 failures", "no offenses",
	"all matched files use", "nothing to commit", "working tree clean", "completed in", "deployed", "published", "no problems"}

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
