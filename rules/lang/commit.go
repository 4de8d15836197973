package lang

import "strings"

// TellCommit is TellSuccess for the output of a command that committed: the
// branch and the hash come first, and the message is left out where the
// subject, which may be cut, says it already.
func TellCommit(output, subject string) string {
	line, rest := commitLine(output)
	if line == "" {
		return TellSuccess(output)
	}
	end := strings.IndexByte(line, ']')
	message := strings.TrimSpace(line[end+1:])
	if strings.HasPrefix(message, strings.TrimSuffix(subject, ellipsis)) {
		line = line[:end+1]
	}
	if more := TellSuccess(rest); more != "ok" {
		return told(line) + toldJoin + more
	}
	return told(line)
}

// commitLine returns the last line of an output in which git names a commit,
// and the output after it.
func commitLine(output string) (line, rest string) {
	for at := len(output); at > 0; {
		start := strings.LastIndexByte(output[:at-1], '\n') + 1
		if text := bareLine(Clean(output[start:at])); strings.HasPrefix(text, "[") && isCommit(text) {
			return text, output[at:]
		}
		at = start
	}
	return "", ""
}
