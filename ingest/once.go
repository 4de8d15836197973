package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Progress says how far Once has come.
type Progress struct {
	Files, FilesDone int
	Bytes, BytesDone int64
	Elapsed          time.Duration
}

// Once reads everything that is new below the roots, or in the given files
// and directories, and returns. It may be called while Run runs. Progress, if
// given, is called from one goroutine at a time. The errors of single files
// are joined; the others have been read.
func (in *Ingester) Once(ctx context.Context, paths []string, progress func(Progress)) error {
	files, err := in.find(paths)
	if err != nil {
		return err
	}
	m := newMeter(files, progress)
	next := make(chan *file)
	var wg sync.WaitGroup
	for range in.opt.Workers {
		wg.Go(func() {
			r := &reader{in: in}
			for st := range next {
				m.file(in.claim(ctx, r, st, m.add))
			}
		})
	}
	for i := len(files) - 1; i >= 0 && ctx.Err() == nil; i-- {
		select {
		case next <- files[i].st:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(m.errs...)
}

// claim reads a file that may be another goroutine's at the moment.
func (in *Ingester) claim(ctx context.Context, r *reader, st *file, progress func(int64)) error {
	t := in.files
	t.mu.Lock()
	for st.busy {
		t.cond.Wait()
	}
	st.busy, st.done = true, st.wanted
	generation := t.generation
	if st.queued != notQueued {
		st.queued = notQueued // what waits in the queue is done herewith
	}
	t.mu.Unlock()
	return in.readFile(ctx, r, st, generation, progress)
}

// find lists the files of all roots, or of the given paths, the newest last.
func (in *Ingester) find(paths []string) ([]found, error) {
	var all []found
	if len(paths) == 0 {
		for _, r := range in.distinct() {
			all = append(all, in.look(r, r.dir, false, true)...)
		}
		return all, nil
	}
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		all = append(all, in.findAt(path, info)...)
	}
	return all, nil
}

// findAt lists the transcripts at or below one path. Outside of the roots the
// path itself serves as one for every agent, the most particular first.
func (in *Ingester) findAt(path string, info os.FileInfo) []found {
	if r, _ := in.rootOf(path); r != nil {
		return in.findIn(r, path, info)
	}
	for i := range in.roots {
		if r := in.roots[i]; strings.HasPrefix(r.dir, path+string(filepath.Separator)) {
			return in.findBelow(path)
		}
	}
	base := path
	if !info.IsDir() {
		base = filepath.Dir(path)
	}
	var all []found
	for i := len(in.opt.Agents) - 1; i >= 0; i-- {
		if a := &in.opt.Agents[i]; !in.opt.Disabled[a.Name] {
			all = append(all, in.findIn(&root{agent: a, dir: base}, path, info)...)
		}
	}
	return all
}

// findBelow lists what the roots below a directory hold.
func (in *Ingester) findBelow(dir string) []found {
	var all []found
	for _, r := range in.distinct() {
		if strings.HasPrefix(r.dir, dir+string(filepath.Separator)) {
			all = append(all, in.look(r, r.dir, false, true)...)
		}
	}
	return all
}

func (in *Ingester) findIn(r *root, path string, info os.FileInfo) []found {
	if info.IsDir() {
		return in.look(r, path, false, true)
	}
	l := &looker{in: in, root: r, force: true, look: in.files.nextLook()}
	if l.matches(path) && info.Mode().IsRegular() {
		l.file(path, info)
	}
	return l.found
}

// meter counts progress.
type meter struct {
	mu    sync.Mutex
	p     Progress
	start time.Time
	tell  func(Progress)
	errs  []error
}

func newMeter(files []found, tell func(Progress)) *meter {
	m := &meter{start: time.Now(), tell: tell}
	m.p.Files = len(files)
	for _, f := range files {
		m.p.Bytes += f.st.size
	}
	return m
}

// add counts bytes read.
func (m *meter) add(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.p.BytesDone = min(m.p.BytesDone+n, m.p.Bytes)
	m.report()
}

// file counts a file that is done.
func (m *meter) file(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.p.FilesDone++
	if m.p.FilesDone == m.p.Files {
		m.p.BytesDone = m.p.Bytes
	}
	if err != nil && len(m.errs) < 20 {
		m.errs = append(m.errs, err)
	}
	m.report()
}

func (m *meter) report() {
	if m.tell != nil {
		m.p.Elapsed = time.Since(m.start)
		m.tell(m.p)
	}
}
