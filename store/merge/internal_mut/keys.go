package merge

import "github.com/kmemd/kmemd/store/fact"

// The keys that registers give.
const (
	keyOpenTurn   = "progress:turn"
	keyCheckpoint = "checkpoint:summary"
	keyAction     = "last_action"
	keyFiles      = "last_files"
)

// The statuses of tasks.
const (
	taskDone      = "completed"
	taskCancelled = "cancelled"
)

// taskOpen reports whether a task is still to be done.
func taskOpen(t *fact.TaskItem) bool { return t.Status != taskDone && t.Status != taskCancelled }

// taskKey is the key of the entry that a task gives.
func taskKey(t *fact.TaskItem) string {
	if taskOpen(t) {
		return "progress:" + t.Slug
	}
	return "result:" + t.Slug
}
