package store

import (
	"errors"
	"fmt"
	"maps"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/merge"
)

// setDirectory remembers where a directory belongs. The caller holds c.mu.
func (c *catalog) setDirectory(dir string, row directoryRow) {
	c.directories[dir] = row
	c.later(bucketDirectories, dir, func(d *codec) { d.directoryRow(&row) })
}

// setProject remembers a project. The caller holds c.mu.
func (c *catalog) setProject(id string, row projectRow) {
	c.projects[id] = row
	c.later(bucketProjects, id, func(d *codec) { d.projectRow(&row) })
}

// setAlias remembers what a directory led to. The caller holds c.mu.
func (c *catalog) setAlias(from, to string) {
	if c.aliases[from] == to {
		return
	}
	c.aliases[from] = to
	c.later(bucketAliases, from, func(d *codec) { d.text(&to) })
}

// setKdeps remembers the state of an imported memory.
func (c *catalog) setKdeps(path string, row kdepsRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kdeps[path] = row
	c.later(bucketKdeps, path, func(d *codec) { d.kdepsRow(&row) })
}

// later queues a row for the next flush; the newest of a key is written.
func (c *catalog) later(bucket []byte, key string, fn func(*codec)) {
	d := new(codec)
	k := []byte(key)
	value := seal(k, d.encode(fn))
	c.dirty[string(bucket)+"\x00"+key] = func(tx *bolt.Tx) error {
		return tx.Bucket(bucket).Put(k, value)
	}
}

// setSources takes new positions, whose facts stand in their stores already.
func (c *catalog) setSources(rows map[string]*sourceRow) (waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(c.sources, rows)
	return len(c.sources)
}

// waiting reports whether a flush has anything to write.
func (c *catalog) waiting() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sources)+len(c.dirty) > 0
}

// flush writes what has gathered, in one transaction. What could not be
// written is kept for the next one.
func (c *catalog) flush() error {
	c.flushing.Lock()
	defer c.flushing.Unlock()
	c.mu.Lock()
	sources, dirty := c.sources, c.dirty
	c.sources, c.dirty = map[string]*sourceRow{}, map[string]func(*bolt.Tx) error{}
	c.mu.Unlock()
	if len(sources)+len(dirty) == 0 {
		return nil
	}
	err := c.file.update(func(tx *bolt.Tx) error {
		for _, put := range dirty {
			if err := put(tx); err != nil {
				return err
			}
		}
		return putSources(tx.Bucket(bucketSources), sources)
	})
	if err == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(sources, c.sources)
	maps.Copy(dirty, c.dirty)
	c.sources, c.dirty = sources, dirty
	return fmt.Errorf("write catalog: %w", err)
}

func putSources(b *bolt.Bucket, rows map[string]*sourceRow) error {
	var d codec
	for id, row := range rows {
		key := []byte(id)
		if row == nil {
			if err := b.Delete(key); err != nil {
				return err
			}
			continue
		}
		if err := b.Put(key, seal(key, d.encode(func(d *codec) { d.sourceRow(row) }))); err != nil {
			return err
		}
	}
	return nil
}

// forgetSources drops the positions of the sources that feed a store, so that
// they are read again from their beginning. It returns their identities.
func (c *catalog) forgetSources(dir string) ([]string, error) {
	rows := map[string]*sourceRow{}
	var ids []string
	err := c.eachSource(func(id string, row *sourceRow) {
		for _, d := range row.directories {
			if d == dir {
				rows[id] = nil
				ids = append(ids, id)
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	c.setSources(rows)
	return ids, c.flush()
}

// bury writes tombstones of a project, at once.
func (c *catalog) bury(project string, tombs []merge.Tombstone) error {
	c.mu.Lock()
	list := c.tombstones[project]
	for _, t := range tombs {
		var changed bool
		if list, changed = addTombstone(list, t); changed {
			key := project + "\x00" + tombstoneID(t)
			c.later(bucketTombstones, key, func(d *codec) { d.text(&project); d.tombstone(&t) })
		}
	}
	c.tombstones[project] = list
	c.mu.Unlock()
	return c.flush()
}

// scrub rewrites the saved states of all sources with clean, and then the file,
// so that nothing of what was deleted stays in it.
func (c *catalog) scrub(clean func(id string, row *sourceRow) *sourceRow) error {
	rows := map[string]*sourceRow{}
	err := c.eachSource(func(id string, row *sourceRow) {
		if next := clean(id, row); next != nil {
			rows[id] = next
		}
	})
	if err != nil {
		return err
	}
	c.setSources(rows)
	if err := c.flush(); err != nil {
		return err
	}
	c.flushing.Lock()
	defer c.flushing.Unlock()
	return c.file.compact()
}

// setSettings writes what the user told the daemon, at once and twice: in the
// catalog and in a small file beside it, so that losing one loses nothing.
func (c *catalog) setSettings(change func(*settings)) error {
	c.mu.Lock()
	change(&c.settings)
	s := c.settings
	c.later(bucketMeta, string(metaSettings), func(d *codec) { d.settings(&s) })
	c.mu.Unlock()
	return errors.Join(c.flush(), writeSettings(c.settingsFile(), s))
}
