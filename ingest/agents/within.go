package agents

import (
	"os"
	"path/filepath"
)

// Within gives the directories with transcripts of a directory that somebody
// names: the folders of the agent's own directory (~/work/.claude), or the
// directory itself where it is such a folder or has none.
func (a Agent) Within(dir string) []string {
	var found []string
	for _, name := range a.Inside {
		if filepath.Base(dir) == name {
			return []string{dir}
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() {
			found = append(found, filepath.Join(dir, name))
		}
	}
	if len(found) == 0 {
		found = append(found, dir)
	}
	return found
}
