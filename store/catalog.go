package store

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/merge"
)

// catalogVersion is the form of the catalog; a newer one is refused.
const catalogVersion = 1

// The catalog's buckets. FORMAT.md describes their keys and values.
var (
	bucketMeta        = []byte("meta")
	bucketSources     = []byte("sources")
	bucketDirectories = []byte("directories")
	bucketProjects    = []byte("projects")
	bucketAliases     = []byte("aliases")
	bucketTombstones  = []byte("tombstones")
	bucketKdeps       = []byte("kdeps")
)

// Keys of the catalog's meta bucket.
var (
	metaVersion  = []byte("version")
	metaRunning  = []byte("running")  // set while a process uses the data directory
	metaSettings = []byte("settings") // pause and excluded directories
)

// A catalog is the registry of the data directory: what was read how far, which
// directory belongs to which project, what was deleted. Everything but the
// positions is kept in memory. Positions and the registry are written behind:
// the file may lag, never lead.
type catalog struct {
	file    *file
	unclean bool // the last process did not close it
	fresh   bool // it was not there: the stores must tell

	flushing sync.Mutex // one flush at a time; also held while the file is swapped

	mu sync.Mutex
	// mu guards the fields below.
	directories map[string]directoryRow
	projects    map[string]projectRow
	aliases     map[string]string // directory as written -> as resolved
	tombstones  map[string][]merge.Tombstone
	kdeps       map[string]kdepsRow
	settings    settings
	sources     map[string]*sourceRow // read since the last flush; nil: to be forgotten
	dirty       map[string]func(*bolt.Tx) error
	badRows     int
}

// A sourceRow is how far one transcript has been read.
type sourceRow struct {
	cursor, extractor []byte
	generation        string
	pos, modTime      int64
	directories       []string // whose stores it feeds
}

// A directoryRow says where a directory belongs.
type directoryRow struct {
	project string // identity of its project
	store   bool   // it has a store; else it is known as a worktree's root only
}

// A projectRow is a repository, or a directory outside Git.
type projectRow struct {
	git    bool
	root   string // the directory by which it is known
	commit string // first commit, "" until known
	moved  string // identity of the project that it has become
}

// A kdepsRow is the state of a kdeps memory when it was last imported.
type kdepsRow struct{ size, modTime int64 }

// settings are what the user told the daemon to do, not the configuration.
type settings struct {
	paused   bool
	excluded []string
	pauses   []Pause // oldest first; the last one is open while paused
}

// openCatalog opens or creates the catalog below a data directory and takes its
// lock, which makes this process the only one. A damaged catalog is put aside.
func openCatalog(data string) (*catalog, error) {
	dir := filepath.Join(data, ".state")
	if err := errors.Join(makeDir(data), makeDir(dir)); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "catalog.bolt")
	c := new(catalog)
	// A file that is swapped or put aside while it is opened is opened again.
	for range 5 {
		err := createFile(path, fillCatalog)
		if missing(err) {
			continue // the one who was faster has swept ours away
		}
		if err != nil && !errors.Is(err, os.ErrExist) {
			return nil, err
		}
		c.fresh = c.fresh || err == nil
		err = c.open(path)
		switch {
		case damaged(err):
			quarantineIfSame(path)
			continue
		case err != nil:
			return nil, err
		case c.file.current():
			if err := c.load(); !damaged(err) {
				return c, err
			}
			if _, err := quarantine(path); err != nil {
				return nil, err
			}
			continue
		}
		c.file.close()
	}
	return nil, fmt.Errorf("database file %s keeps changing: %w", path, ErrUnavailable)
}

// open takes the lock, and names the holder where it is taken.
func (c *catalog) open(path string) error {
	var err error
	c.file, err = openFile(path)
	var locked *LockedError
	if errors.As(err, &locked) {
		locked.PID = holder(path)
	}
	return err
}

func fillCatalog(tx *bolt.Tx) error {
	for _, name := range [][]byte{bucketMeta, bucketSources, bucketDirectories, bucketProjects, bucketAliases, bucketTombstones, bucketKdeps} {
		if _, err := tx.CreateBucketIfNotExists(name); err != nil {
			return err
		}
	}
	return putNumber(tx.Bucket(bucketMeta), metaVersion, catalogVersion)
}

// load reads everything but the positions, and marks the catalog as in use.
func (c *catalog) load() error {
	sweep(c.file.path)
	c.empty()
	err := c.file.update(func(tx *bolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			// A file emptied by somebody: the engine has made it a fresh one.
			c.fresh = true
			if err := fillCatalog(tx); err != nil {
				return err
			}
			meta = tx.Bucket(bucketMeta)
		}
		if v := getNumber(meta, metaVersion); v > catalogVersion {
			return fmt.Errorf("database file %s: version %d: %w", c.file.path, v, ErrNewer)
		}
		c.unclean = getNumber(meta, metaRunning) != 0
		return errors.Join(c.loadRows(tx), putNumber(meta, metaRunning, 1))
	})
	if err != nil {
		return errors.Join(err, c.file.close())
	}
	return c.loadSettings()
}

// empty makes the catalog one that knows nothing.
func (c *catalog) empty() {
	c.directories, c.projects, c.aliases = map[string]directoryRow{}, map[string]projectRow{}, map[string]string{}
	c.tombstones, c.kdeps = map[string][]merge.Tombstone{}, map[string]kdepsRow{}
	c.sources, c.dirty = map[string]*sourceRow{}, map[string]func(*bolt.Tx) error{}
	c.badRows = 0
}

func (c *catalog) loadRows(tx *bolt.Tx) error {
	return errors.Join(
		c.loadDirectories(tx), c.loadProjects(tx), c.loadAliases(tx), c.loadKdeps(tx), c.loadTombstones(tx),
	)
}

func (c *catalog) loadDirectories(tx *bolt.Tx) error {
	return c.each(tx, bucketDirectories, func(d *codec, key string) bool {
		var row directoryRow
		ok := d.finish(func() { d.directoryRow(&row) })
		c.directories[key] = row
		return ok
	})
}

func (c *catalog) loadProjects(tx *bolt.Tx) error {
	return c.each(tx, bucketProjects, func(d *codec, key string) bool {
		var row projectRow
		ok := d.finish(func() { d.projectRow(&row) })
		c.projects[key] = row
		return ok
	})
}

func (c *catalog) loadAliases(tx *bolt.Tx) error {
	return c.each(tx, bucketAliases, func(d *codec, key string) bool {
		var to string
		ok := d.finish(func() { d.text(&to) })
		c.aliases[key] = to
		return ok
	})
}

func (c *catalog) loadKdeps(tx *bolt.Tx) error {
	return c.each(tx, bucketKdeps, func(d *codec, key string) bool {
		var row kdepsRow
		ok := d.finish(func() { d.kdepsRow(&row) })
		c.kdeps[key] = row
		return ok
	})
}

func (c *catalog) loadTombstones(tx *bolt.Tx) error {
	return c.each(tx, bucketTombstones, func(d *codec, _ string) bool {
		var t merge.Tombstone
		var project string
		if !d.finish(func() { d.text(&project); d.tombstone(&t) }) {
			return false
		}
		c.tombstones[project], _ = addTombstone(c.tombstones[project], t)
		return true
	})
}

// each decodes the rows of a bucket; bad ones are counted.
func (c *catalog) each(tx *bolt.Tx, bucket []byte, fn func(d *codec, key string) bool) error {
	b := tx.Bucket(bucket)
	if b == nil {
		return &damageError{c.file.path, "buckets missing"}
	}
	return eachRow(b, c.file.path, func(k, v []byte) {
		payload, ok := unseal(k, v)
		if ok {
			d := &codec{in: string(payload), reading: true}
			ok = fn(d, string(k))
		}
		if !ok {
			c.badRows++
		}
	})
}

// position returns how far a source has been read.
func (c *catalog) position(id string) (*sourceRow, bool) {
	c.mu.Lock()
	row, pending := c.sources[id]
	c.mu.Unlock()
	if pending {
		return row, row != nil
	}
	_ = c.file.read(func(tx *bolt.Tx) error {
		row = readSource(tx.Bucket(bucketSources), id)
		return nil
	})
	return row, row != nil
}

func readSource(b *bolt.Bucket, id string) *sourceRow {
	payload, ok := unseal([]byte(id), b.Get([]byte(id)))
	if !ok {
		return nil
	}
	row := new(sourceRow)
	d := new(codec)
	if !d.decode(payload, func(d *codec) { d.sourceRow(row) }) {
		return nil
	}
	return row
}

// eachSource calls fn with every source's position, the newest.
func (c *catalog) eachSource(fn func(id string, row *sourceRow)) error {
	c.mu.Lock()
	pending := maps.Clone(c.sources)
	c.mu.Unlock()
	for id, row := range pending {
		if row != nil {
			fn(id, row)
		}
	}
	return c.file.read(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketSources)
		return b.ForEach(func(k, _ []byte) error {
			if _, newer := pending[string(k)]; newer {
				return nil
			}
			if row := readSource(b, string(k)); row != nil {
				fn(string(k), row)
			}
			return nil
		})
	})
}

// close writes what is left, marks the catalog as cleanly left and gives its
// lock back.
func (c *catalog) close() error {
	err := c.flush()
	if err == nil {
		err = c.file.update(func(tx *bolt.Tx) error {
			return tx.Bucket(bucketMeta).Delete(metaRunning)
		})
	}
	return errors.Join(err, c.file.close())
}
