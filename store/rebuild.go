package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/merge"
)

// survey compares the data directory with the registry: stores that the
// registry does not know are taken into it, with their projects and
// tombstones, and stores that are gone are to be filled again. After a bad end
// every store is suspect.
func (p *Pool) survey() error {
	entries, err := os.ReadDir(p.data)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !isKdeps(e.Name()) {
			there[e.Name()] = true
		}
	}
	c := p.catalog
	for _, dir := range sortedKeys(c.directories) {
		if !c.directories[dir].store {
			continue
		}
		name := Encode(dir)
		if c.unclean {
			p.suspects[dir] = true
		}
		if _, err := os.Lstat(filepath.Join(p.data, name, storeFile)); missing(err) {
			if err := p.lost(dir, ""); err != nil {
				return err
			}
			c.mu.Lock()
			row := c.directories[dir]
			row.store = false
			c.setDirectory(dir, row)
			c.mu.Unlock()
			continue
		}
		p.stored(dir, true)
		delete(there, name)
	}
	for _, name := range sortedKeys(there) {
		p.found(filepath.Join(p.data, name, storeFile))
	}
	p.rejoinAll()
	for _, id := range sortedKeys(c.projects) {
		if row := c.projects[id]; row.git && row.commit == "" && row.moved == "" && onDisk(id) {
			p.ask(id)
		}
	}
	return p.settleMoves()
}

// rejoinAll looks again at the directories that were outside Git when last
// seen, or were registered while every directory was a project of its own.
func (p *Pool) rejoinAll() {
	if p.o.Scope == ScopeDirectory {
		return
	}
	c := p.catalog
	for _, dir := range sortedKeys(c.directories) {
		if row := c.directories[dir]; !row.store || row.project != dir {
			continue
		}
		pl := p.look(dir)
		if !pl.git {
			continue
		}
		c.mu.Lock()
		c.setDirectory(dir, directoryRow{project: pl.project, store: true})
		if _, known := c.projects[pl.project]; !known {
			c.setProject(pl.project, projectRow{git: true, root: pl.repo.root})
		}
		c.mu.Unlock()
	}
}

// found takes a store into the registry that the registry does not know.
func (p *Pool) found(path string) {
	if _, err := os.Lstat(path); err != nil {
		return
	}
	s, err := openStore(path, "")
	if err != nil {
		p.trouble(path, err)
		return
	}
	defer s.close()
	if Encode(s.dir) != filepath.Base(filepath.Dir(path)) {
		return // a copy that somebody made
	}
	c := p.catalog
	c.mu.Lock()
	id := s.project.id
	if id == "" {
		id = s.dir
	}
	c.setDirectory(s.dir, directoryRow{project: id, store: true})
	if _, known := c.projects[id]; !known {
		c.setProject(id, s.project.projectRow)
	}
	c.mu.Unlock()
	p.stored(s.dir, true)
	if err := c.bury(id, s.tombstones); err != nil {
		p.trouble(path, err)
	}
}

// settleMoves finds among the known repositories those that are gone and have
// come back under another name; it is for a registry that was rebuilt.
func (p *Pool) settleMoves() error {
	c := p.catalog
	if !c.fresh {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	gone := c.goneRepositories("")
	for _, id := range sortedKeys(gone) {
		for _, to := range sortedKeys(c.projects) {
			row := c.projects[to]
			if to != id && row.git && row.moved == "" && row.commit == gone[id] && onDisk(to) {
				old := c.projects[id]
				old.moved = to
				c.setProject(id, old)
				break
			}
		}
	}
	return nil
}

// lost has the transcripts that feed a store read again. aside is where its
// damaged file lies, if there is one.
func (p *Pool) lost(dir, aside string) error {
	p.log.Warn("store lost, its transcripts are read again", "cwd", dir, "path", aside)
	p.reset(p.projectOfStore(dir))
	return p.forgetSources(dir)
}

// forgetSources drops the positions of what feeds a store and says so.
func (p *Pool) forgetSources(dir string) error {
	ids, err := p.catalog.forgetSources(dir)
	if err != nil || len(ids) == 0 || p.o.Lost == nil {
		return err
	}
	sources := make([]SourceID, len(ids))
	for i, id := range ids {
		agent, path, _ := strings.Cut(id, "\x00")
		sources[i] = SourceID{agent, path}
	}
	p.o.Lost(sources)
	return nil
}

// rebuild puts a damaged store aside and makes a new one with what can be
// rescued: what callers saved, and what transcripts gave that are gone.
func (p *Pool) rebuild(ctx context.Context, dir, path string, why error) (*store, error) {
	p.log.Error("store damaged, put aside", "path", path, "err", why)
	aside, err := quarantine(path)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	p.mu.Lock()
	p.counts.quarantined++
	p.mu.Unlock()
	if err := p.lost(dir, aside); err != nil {
		return nil, err
	}
	if err := p.createStore(ctx, dir, path); err != nil {
		return nil, err
	}
	s, err := openStore(path, dir)
	if err != nil {
		return nil, err
	}
	if err := s.rescue(aside); err != nil {
		p.trouble(aside, err)
	}
	return s, nil
}

// rescue copies what can be read of a damaged file: each row has its own sum,
// so what fits is right. The buckets are read one by one, each as far as it goes.
func (s *store) rescue(aside string) error {
	old := &store{dir: s.dir, path: aside, sources: map[string]*source{}, saved: map[string]*merge.Saved{}}
	var db *bolt.DB
	var handle *os.File
	err := guard(aside, func() (err error) {
		o := options(&handle)
		o.ReadOnly, o.PreLoadFreelist = true, false
		db, err = bolt.Open(aside, fileMode, o)
		return err
	})
	if err != nil {
		return err
	}
	// The mapping of a damaged file may be unusable: it is only given up.
	defer func() {
		unlock(handle)
		handle.Close()
	}()
	var byNumber map[uint32]*source
	err = errors.Join(
		rescueBucket(aside, db, bucketSaved, old.loadSaved),
		rescueBucket(aside, db, bucketTombstones, old.loadTombstones),
		rescueBucket(aside, db, bucketSources, func(b *bolt.Bucket) (err error) {
			byNumber, err = old.loadSources(b)
			return err
		}),
		rescueBucket(aside, db, bucketRows, func(b *bolt.Bucket) error {
			return old.loadRows(b, byNumber)
		}),
	)
	if len(old.sources)+len(old.saved)+len(old.tombstones) == 0 {
		return err
	}
	return errors.Join(err, s.adopt(old))
}

func rescueBucket(path string, db *bolt.DB, name []byte, load func(*bolt.Bucket) error) error {
	return guard(path, func() error {
		return db.View(func(tx *bolt.Tx) error {
			if b := tx.Bucket(name); b != nil {
				return load(b)
			}
			return nil
		})
	})
}

// adopt writes what another store holds in memory into an empty one.
func (s *store) adopt(old *store) error {
	s.write.Lock()
	defer s.write.Unlock()
	var changes []change
	for _, id := range sortedKeys(old.sources) {
		src := old.sources[id]
		s.last++
		src.number, src.mark = s.last, mark{}
		ch := change{src: src}
		for row := range src.Rows() {
			ch.Put = append(ch.Put, row)
		}
		changes = append(changes, ch)
	}
	err := s.file.update(func(tx *bolt.Tx) error {
		for _, e := range old.saved {
			if err := putSaved(tx, e); err != nil {
				return err
			}
		}
		return errors.Join(putTombstones(tx.Bucket(bucketTombstones), old.tombstones), putChanges(tx, changes))
	})
	return errors.Join(err, s.reload())
}

func putSaved(tx *bolt.Tx, e *merge.Saved) error {
	return put(tx.Bucket(bucketSaved), savedKey(e.Namespace, e.Key), func(c *codec) { c.saved(e) })
}
