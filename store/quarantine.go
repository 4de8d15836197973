package store

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// keepCorrupt is how many damaged files of one name are kept for rescue.
const keepCorrupt = 3

// quarantine puts a damaged file aside, to NAME.corrupt-TIME, and returns its
// new path. Nothing of it is deleted but the oldest of many.
func quarantine(path string) (string, error) {
	aside := path + corruptSuffix + strconv.FormatInt(time.Now().UnixMilli(), 10)
	if err := os.Rename(path, aside); err != nil {
		return "", err
	}
	old := corruptFiles(path)
	for len(old) > keepCorrupt {
		os.Remove(old[0])
		old = old[1:]
	}
	return aside, nil
}

// quarantineIfSame puts a damaged catalog aside unless another process has
// replaced it since: then that process's good one is put back.
func quarantineIfSame(path string) {
	before, err := os.Stat(path)
	if err != nil || !damaged(inspectOrOpen(path)) {
		return
	}
	aside, err := quarantine(path)
	if err != nil {
		return
	}
	if after, err := os.Stat(aside); err == nil && !os.SameFile(before, after) {
		_ = os.Link(aside, path)
		os.Remove(aside)
	}
}

// inspectOrOpen says what is wrong with a file.
func inspectOrOpen(path string) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	return f.close()
}

// corruptFiles returns what was put aside of a file, the oldest first.
func corruptFiles(path string) []string {
	var out []string
	for _, name := range siblings(path) {
		if strings.HasPrefix(name, path+corruptSuffix) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
