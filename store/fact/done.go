package fact

import "strings"

// Each list below holds lower-case words or phrases. A blank in a phrase
// stands for a run of blanks, hyphens and underscores.
var (
	doneWords = []string{
		"done", "complete", "finished", "success", "shipped", "merged",
		"cancelled", "canceled", "abandoned", "wontfix", "won't fix",
	}
	openWords = []string{
		"not done", "not complete", "not finished", "incomplete", "unfinished",
		"in progress", "pending", "todo", "to do", "wip", "blocked", "failed",
	}
	handledWords = []string{
		"resolved", "fixed", "closed", "no longer", "not an issue", "works now",
		"wontfix", "won't fix", "cancelled", "canceled", "abandoned",
	}
	unhandledWords = []string{
		"reopened", "re opened", "not fixed", "not resolved",
		"still failing", "still broken", "regressed",
	}
)

// taskStatuses are the statuses that a value may begin with, before a colon,
// and whether they mean the end of the task.
var taskStatuses = []struct {
	status string
	done   bool
}{
	{"done", true},
	{"completed", true},
	{"cancelled", true},
	{"in progress", false},
	{"in_progress", false},
	{"pending", false},
	{"interrupted", false},
}

// Done reports whether a value reads as work that has ended.
func Done(value string) bool {
	text := fold(value)
	head, _, ok := strings.Cut(strings.TrimSpace(text), ":")
	if ok {
		for _, s := range taskStatuses {
			if head == s.status {
				return s.done
			}
		}
	}
	return hasAny(text, doneWords) && !hasAny(text, openWords)
}

// Handled reports whether the value of an error reads as dealt with.
func Handled(value string) bool {
	text := fold(value)
	return hasAny(text, handledWords) && !hasAny(text, unhandledWords)
}
