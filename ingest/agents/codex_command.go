package agents

import (
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

// codexCommand gives a command as shell text. An array that runs a shell on a
// script gives the script; any other is quoted where it must be.
func codexCommand(v scan.Value) string {
	if v.Kind() == scan.String {
		return strings.TrimSpace(v.Text(codexArgsRead))
	}
	var words []string
	v.Elements(func(i int, word scan.Value) bool {
		words = append(words, word.Text(codexArgsRead))
		return i < 1000
	})
	if len(words) >= 3 && codexShell(words[0]) && codexScriptFlag(words[len(words)-2]) {
		return strings.TrimSpace(words[len(words)-1])
	}
	for i, word := range words {
		words[i] = codexQuote(word)
	}
	return strings.Join(words, " ")
}

func codexShell(word string) bool {
	if at := strings.LastIndexAny(word, `/\`); at >= 0 {
		word = word[at+1:]
	}
	word = strings.TrimSuffix(strings.ToLower(word), ".exe")
	switch word {
	case "bash", "sh", "zsh", "dash", "ksh", "fish", "powershell", "pwsh", "cmd":
		return true
	}
	return false
}

func codexScriptFlag(word string) bool {
	switch strings.ToLower(word) {
	case "-c", "-lc", "-ic", "-lic", "-cl", "-command", "/c":
		return true
	}
	return false
}

func codexQuote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?[]{}#~!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// takeHeredoc looks for a patch that a command applies from a here-document.
// A command that does nothing else counts as a write.
func (c *codexCall) takeHeredoc() {
	if !strings.Contains(c.Subject, codexPatchBegin) {
		return
	}
	at := strings.Index(c.Subject, "apply_patch")
	if at < 0 {
		at = strings.Index(c.Subject, "applypatch")
	}
	begin := strings.Index(c.Subject, codexPatchBegin)
	if at < 0 || at > begin {
		return
	}
	patch := c.Subject[begin:]
	alone := at == 0 || strings.HasPrefix(c.Subject, "cd ") && strings.Count(c.Subject[:at], "&&") == 1
	if end := strings.Index(patch, codexPatchEnd); end >= 0 {
		rest := strings.TrimSpace(patch[end+len(codexPatchEnd):])
		alone = alone && len(strings.Fields(strings.Trim(rest, `"'`))) <= 1
		patch = patch[:end]
	}
	if alone {
		c.takePatch(patch)
		c.Action = event.Write
		return
	}
	c.Paths, c.Added, c.Removed = codexPatch(patch)
}
