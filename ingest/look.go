package ingest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxDepth bounds how deep below a root is looked, and with it every loop of links.
const maxDepth = 16

// makeRoots lists the directories that are followed: the agents' own places
// and the configured ones, each once.
func makeRoots(o Options) []*root {
	var roots []*root
	for i := range o.Agents {
		a := &o.Agents[i]
		if o.Disabled[a.Name] {
			continue
		}
		var dirs []string
		if a.Roots != nil {
			dirs = a.Roots(o.Env)
		}
		for _, dir := range append(dirs, o.Roots[a.Name]...) {
			if dir == "" {
				continue
			}
			dir = filepath.Clean(dir)
			if !slices.ContainsFunc(roots, func(r *root) bool { return r.agent == a && r.dir == dir }) {
				roots = append(roots, &root{agent: a, dir: dir})
			}
		}
	}
	return roots
}

// found is a file that a look met and that has changed since it was last read.
type found struct {
	st    *file
	mtime int64
}

// looker walks one tree once.
type looker struct {
	in    *Ingester
	root  *root
	look  int64
	watch bool
	force bool // every file counts as changed
	dirs  map[[2]uint64]bool
	found []found
}

// look walks a directory of a root and returns the files that have changed
// since they were last read, the newest last.
func (in *Ingester) look(r *root, dir string, watch, force bool) []found {
	l := &looker{in: in, root: r, watch: watch, force: force, dirs: make(map[[2]uint64]bool), look: in.files.nextLook()}
	if watch && dir == r.dir {
		in.watch.ancestor(dir)
	}
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	l.dir(dir, info, 0)
	if dir == r.dir {
		in.files.forget(r, l.look)
	}
	slices.SortFunc(l.found, func(a, b found) int { return compareTimes(a.mtime, b.mtime, a.st.src.Path, b.st.src.Path) })
	return l.found
}

func compareTimes(a, b int64, pathA, pathB string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return strings.Compare(pathA, pathB)
}

// dir looks into one directory. It is watched before it is read, so that
// nothing can be made in between unseen.
func (l *looker) dir(dir string, info fs.FileInfo, depth int) {
	if depth > maxDepth || l.in.opt.Excluded(dir) {
		return
	}
	if id, ok := identity(info); ok {
		if l.dirs[id] {
			return
		}
		l.dirs[id] = true
	}
	if l.watch {
		l.in.watch.add(dir, l.root)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		l.in.log.Debug("directory not readable", "path", dir, "err", err)
	}
	for _, e := range entries {
		l.entry(filepath.Join(dir, e.Name()), e, depth)
	}
}

func (l *looker) entry(path string, e fs.DirEntry, depth int) {
	mode := e.Type()
	if mode.IsRegular() && !l.matches(path) {
		return // the many other files need no stat
	}
	if !mode.IsRegular() && !mode.IsDir() && mode&fs.ModeSymlink == 0 {
		return
	}
	info, err := e.Info()
	if mode&fs.ModeSymlink != 0 {
		if info, err = os.Stat(path); err == nil && !trusted(info) {
			return
		}
	}
	switch {
	case err != nil:
	case info.IsDir():
		l.dir(path, info, depth+1)
	case info.Mode().IsRegular() && l.matches(path) && !l.in.opt.Excluded(path):
		l.file(path, info)
	}
}

func (l *looker) matches(path string) bool {
	rel, err := filepath.Rel(l.root.dir, path)
	return err == nil && l.root.agent.Match(l.root.dir, filepath.ToSlash(rel))
}

func (l *looker) file(path string, info fs.FileInfo) {
	if st := l.in.files.seen(l.root, path, info, l.look, l.force); st != nil {
		l.found = append(l.found, found{st, info.ModTime().UnixNano()})
	}
}

// seen notes what a look met; it returns the file if that is news.
func (t *table) seen(r *root, path string, info fs.FileInfo, look int64, force bool) *file {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, known := t.files[path]
	st := t.get(r, path)
	if st.root != r {
		return nil // reached from two roots: one of them has it
	}
	st.look = max(st.look, look)
	size, mtime := info.Size(), info.ModTime().UnixNano()
	if known && !force && st.size == size && st.mtime == mtime && st.err == nil && !st.racy {
		return nil
	}
	st.size, st.mtime, st.racy = size, mtime, racy(mtime, time.Now())
	return st
}

func (t *table) nextLook() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.looks++
	return t.looks
}

// forget drops the files of a root that a look over all of it did not meet.
func (t *table) forget(r *root, look int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for path, st := range t.files {
		if st.root == r && st.look < look && !st.busy && st.queued == notQueued {
			delete(t.files, path)
		}
	}
}

// rootOf finds the root that a path lies below, the nearest one, and whether
// the path is a transcript there.
func (in *Ingester) rootOf(path string) (best *root, transcript bool) {
	for _, r := range in.roots {
		if path != r.dir && !strings.HasPrefix(path, r.dir+string(filepath.Separator)) {
			continue
		}
		if best == nil || len(r.dir) > len(best.dir) {
			best = r
		}
	}
	if best == nil {
		return nil, false
	}
	rel, err := filepath.Rel(best.dir, path)
	return best, err == nil && best.agent.Match(best.dir, filepath.ToSlash(rel))
}
