package store

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// placeLife is how long a directory's place on the disk is taken as known.
const placeLife = 5 * time.Second

// maxPlaces bounds the memory of places; hostile transcripts name many.
const maxPlaces = 8192

// maxBases bounds how many stores one session can feed.
const maxBases = 500

// A place is what a directory that somebody named turns out to be.
type place struct {
	dir     string // resolved where it exists, else as written
	project string // identity of its project, moves not followed
	repo    repository
	git     bool
	exists  bool
}

// places remembers where directories lie, for a short time.
type places struct {
	mu   sync.Mutex
	seen map[string]placed
}

type placed struct {
	place
	until time.Time
}

// place finds out what a directory is.
func (p *Pool) place(cwd string) place {
	now := time.Now()
	p.places.mu.Lock()
	got, ok := p.places.seen[cwd]
	p.places.mu.Unlock()
	if ok && now.Before(got.until) {
		return got.place
	}
	pl := p.look(normal(cwd))
	p.places.mu.Lock()
	defer p.places.mu.Unlock()
	if len(p.places.seen) >= maxPlaces {
		clear(p.places.seen)
	}
	p.places.seen[cwd] = placed{pl, now.Add(placeLife)}
	return pl
}

// forgetPlaces makes the next question about any directory a fresh one.
func (p *Pool) forgetPlaces() {
	p.places.mu.Lock()
	defer p.places.mu.Unlock()
	clear(p.places.seen)
}

// look asks the disk, and the registry for what is no longer there.
func (p *Pool) look(dir string) place {
	pl := place{dir: dir}
	if onDisk(dir) {
		pl.dir, pl.exists = resolved(dir), true
		p.catalog.learnAlias(dir, pl.dir)
	} else if to, ok := p.catalog.alias(dir); ok {
		pl.dir = to
	}
	pl.project = pl.dir
	if p.o.Scope == ScopeDirectory {
		return pl
	}
	if repo, ok := p.repositoryOf(pl.dir); ok {
		pl.repo, pl.git, pl.project = repo, true, repo.common
	}
	return pl
}

// repositoryOf finds the repository of a directory: the one that holds it now,
// else the one that held it, or the nearest directory above it, when last seen.
func (p *Pool) repositoryOf(dir string) (repository, bool) {
	for at, ok := dir, true; ok; at, ok = parent(at) {
		remembered, known := p.catalog.repositoryOf(at)
		if !onDisk(at) {
			if known && (at == dir || !p.ordinary(at)) {
				return remembered, true
			}
			continue
		}
		if repo, found := findRepository(at, dir, p.ordinary); found {
			return repo, true
		}
		// The directory is there but its repository is not: has that gone as well?
		if known && at == dir {
			if !onDisk(remembered.common) {
				return remembered, true
			}
		}
		return repository{}, false
	}
	return repository{}, false
}

// onDisk reports whether a directory is there. Another system's paths are not,
// whatever their names mean on this one.
func onDisk(dir string) bool {
	path := filepath.FromSlash(dir)
	if !filepath.IsAbs(path) {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}

// ordinary reports whether a directory is one that never takes in what lies
// below it: a root, the home directory, a temporary directory.
func (p *Pool) ordinary(dir string) bool {
	if _, above := parent(dir); !above {
		return true
	}
	_, ok := p.plain[dir]
	return ok
}

// plainDirectories collects the home and temporary directories, as written and
// as resolved.
func plainDirectories(dirs ...string) map[string]struct{} {
	out := map[string]struct{}{}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		dir = normal(filepath.ToSlash(dir))
		out[dir], out[resolved(dir)] = struct{}{}, struct{}{}
	}
	return out
}

// ProjectOf returns the root directory of the project that a directory belongs
// to: its repository's, else the directory itself.
func (p *Pool) ProjectOf(cwd string) string {
	return p.rootOf(p.project(context.Background(), cwd))
}

// project returns the identity of a directory's project, after all moves.
func (p *Pool) project(ctx context.Context, cwd string) string {
	pl := p.place(cwd)
	if pl.git {
		p.adopt(ctx, pl)
	}
	return p.catalog.follow(pl.project)
}

// rootOf returns the directory by which a project is known.
func (p *Pool) rootOf(id string) string {
	p.catalog.mu.Lock()
	defer p.catalog.mu.Unlock()
	if row, ok := p.catalog.projects[id]; ok && row.root != "" {
		return row.root
	}
	return id
}

// Belongs returns the directory whose store a record belongs to. The session
// has been found to belong to bases so far, bases[0] being where it started;
// cwd is the directory that the record names, "" where it names none. The
// answer is one of bases, or a further one. Without a usable directory at all
// it is "".
//
// Inside one repository it is the directory that the session named first;
// outside Git, the nearest base at or above cwd. A session that names very many
// directories gets no further ones.
func (p *Pool) Belongs(bases []string, cwd string) string {
	start := ""
	if len(bases) > 0 {
		start = bases[0]
	}
	if cwd == "" || !absolute(normal(cwd)) {
		return start
	}
	pl := p.place(cwd)
	id := p.catalog.follow(pl.project)
	best := ""
	for _, base := range bases {
		if base == pl.dir {
			return base
		}
		at := p.place(base)
		if pl.git {
			if at.git && p.catalog.follow(at.project) == id {
				return base
			}
			continue
		}
		if !at.git && within(base, pl.dir) && !p.ordinary(base) && len(base) > len(best) {
			best = base
		}
	}
	switch {
	case best != "":
		return best
	case len(bases) >= maxBases:
		return start
	}
	return pl.dir
}
