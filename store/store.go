package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/merge"
)

// storeVersion is the form of a store; a newer one is refused.
const storeVersion = 1

// storeFile is the name of the database file in a store's directory.
const storeFile = "memory.bolt"

// A store's buckets, beside meta, sources and tombstones, which bear the
// catalog's names. FORMAT.md describes their keys and values.
var (
	bucketRows  = []byte("rows")
	bucketSaved = []byte("saved")
)

// Keys of a store's meta bucket, beside the version.
var (
	metaDirectory = []byte("directory")
	metaProject   = []byte("project")
	metaCompact   = []byte("compact") // something was erased and the file is not compacted yet
)

// fillPercent suits rows that mostly come in the order of their keys.
const fillPercent = 0.9

// A store is the open store of one directory: its file, and in memory all that
// stands in it.
type store struct {
	dir  string // the directory whose memory it is
	path string // of its file

	write sync.Mutex // one transaction at a time
	// write guards the fields below.
	file       *file
	project    projectNote
	tombstones []merge.Tombstone
	graves     *merge.Graves // of tombstones
	last       uint32        // greatest number of a source
	compactDue bool
	bad        []badRow // found damaged when it was opened
	sources    map[string]*source
	saved      map[string]*merge.Saved // by namespace, NUL and key
}

// A source is what one transcript has said in a store, and how far its reading
// had come when it said the last of it.
type source struct {
	number uint32
	mark   mark
	merge.Contribution
}

// A mark is a position in one generation of a source.
type mark struct {
	generation string
	pos        int64
	modTime    int64
}

// A projectNote is what a store itself knows of its project, so that the
// registry can be rebuilt from the stores.
type projectNote struct {
	id string
	projectRow
}

func (c *codec) projectNote(n *projectNote) {
	c.text(&n.id)
	c.projectRow(&n.projectRow)
}

func (c *codec) source(s *source) {
	number := int64(s.number)
	c.num(&number)
	c.text(&s.mark.generation)
	c.num(&s.mark.pos)
	c.num(&s.mark.modTime)
	if c.reading {
		s.number = uint32(number)
	}
}

// sourceID names a source in a store and in the catalog.
func sourceID(agent, path string) string { return agent + "\x00" + path }

// storePath returns the file of a directory's store.
func storePath(data, dir string) string { return filepath.Join(data, Encode(dir), storeFile) }

// createStore makes the store of a directory where there is none.
func createStore(path, dir string, note projectNote, tombs []merge.Tombstone) error {
	if err := makeDir(filepath.Dir(path)); err != nil {
		return err
	}
	err := createFile(path, func(tx *bolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketSources, bucketRows, bucketSaved, bucketTombstones} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		meta := tx.Bucket(bucketMeta)
		return errors.Join(
			putNumber(meta, metaVersion, storeVersion),
			put(meta, metaDirectory, func(c *codec) { c.text(&dir) }),
			put(meta, metaProject, func(c *codec) { c.projectNote(&note) }),
			putTombstones(tx.Bucket(bucketTombstones), tombs),
		)
	})
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

// put seals a payload and puts it.
func put(b *bolt.Bucket, key []byte, fn func(*codec)) error {
	var c codec
	return b.Put(key, seal(key, c.encode(fn)))
}

// get decodes the value of a key, false where there is none or it is damaged.
func get(b *bolt.Bucket, key []byte, fn func(*codec)) bool {
	payload, ok := unseal(key, b.Get(key))
	var c codec
	return ok && c.decode(payload, fn)
}

func putTombstones(b *bolt.Bucket, tombs []merge.Tombstone) error {
	for _, t := range tombs {
		if err := put(b, []byte(tombstoneID(t)), func(c *codec) { c.tombstone(&t) }); err != nil {
			return err
		}
	}
	return nil
}

// openStore opens the store of a directory and reads it into memory.
func openStore(path, dir string) (*store, error) {
	sweep(path)
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	s := &store{dir: dir, path: path, file: f}
	if err := f.read(s.load); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return s, nil
}

func (s *store) load(tx *bolt.Tx) error {
	s.sources, s.saved = map[string]*source{}, map[string]*merge.Saved{}
	s.tombstones, s.bad, s.last = nil, nil, 0
	meta := tx.Bucket(bucketMeta)
	if meta == nil || tx.Bucket(bucketSources) == nil || tx.Bucket(bucketRows) == nil ||
		tx.Bucket(bucketSaved) == nil || tx.Bucket(bucketTombstones) == nil {
		return &damageError{s.path, "buckets missing"}
	}
	if v := getNumber(meta, metaVersion); v > storeVersion {
		return fmt.Errorf("database file %s: version %d: %w", s.path, v, ErrNewer)
	}
	var dir string
	if !get(meta, metaDirectory, func(c *codec) { c.text(&dir) }) {
		return &damageError{s.path, "no directory inside"}
	}
	if s.dir == "" {
		s.dir = dir
	}
	if dir != s.dir {
		return fmt.Errorf("database file %s belongs to %q, not to %q: %w", s.path, dir, s.dir, ErrUnavailable)
	}
	s.project = projectNote{}
	get(meta, metaProject, func(c *codec) { c.projectNote(&s.project) })
	s.compactDue = getNumber(meta, metaCompact) != 0
	byNumber, err := s.loadSources(tx.Bucket(bucketSources))
	return errors.Join(
		err,
		s.loadRows(tx.Bucket(bucketRows), byNumber),
		s.loadSaved(tx.Bucket(bucketSaved)),
		s.loadTombstones(tx.Bucket(bucketTombstones)),
	)
}

func (s *store) loadTombstones(b *bolt.Bucket) error {
	err := eachRow(b, s.path, func(k, v []byte) {
		var t merge.Tombstone
		payload, ok := unseal(k, v)
		if !ok || !new(codec).decode(payload, func(c *codec) { c.tombstone(&t) }) {
			s.spoilt(bucketTombstones, k)
			return
		}
		s.tombstones, _ = addTombstone(s.tombstones, t)
	})
	s.graves = merge.Compile(s.tombstones)
	return err
}

func (s *store) loadSources(b *bolt.Bucket) (map[uint32]*source, error) {
	byNumber := map[uint32]*source{}
	err := eachRow(b, s.path, func(k, v []byte) {
		src := new(source)
		payload, ok := unseal(k, v)
		agent, path, named := strings.Cut(string(k), "\x00")
		if !ok || !named || !new(codec).decode(payload, func(c *codec) { c.source(src) }) {
			s.spoilt(bucketSources, k)
			return
		}
		src.name(s.dir, agent, path)
		s.sources[string(k)] = src
		byNumber[src.number] = src
		s.last = max(s.last, src.number)
	})
	return byNumber, err
}

func (src *source) name(dir, agent, path string) {
	src.Source, src.Agent, src.Path, src.Dir = sourceID(agent, path), agent, path, dir
}

// loadRows reads the rows source by source, in the order in which they lie.
func (s *store) loadRows(b *bolt.Bucket, byNumber map[uint32]*source) error {
	var (
		current *source
		number  uint32
		c       codec
	)
	return eachRow(b, s.path, func(k, v []byte) {
		payload, ok := unseal(k, v)
		if !ok || len(k) != 5+rowHashBytes {
			s.spoilt(bucketRows, k)
			return
		}
		if n := binary.BigEndian.Uint32(k); current == nil || n != number {
			number, current = n, byNumber[n]
			s.last = max(s.last, n)
			if current != nil {
				c.names = commonNames(current.Agent, current.Path)
			}
		}
		if current == nil {
			s.spoilt(bucketRows, k) // its source's own row is damaged
			return
		}
		row, ok := readRow(&c, merge.Kind(k[4]), payload)
		if !ok || !current.Load(row) {
			s.spoilt(bucketRows, k)
		}
	})
}

func (s *store) loadSaved(b *bolt.Bucket) error {
	var c codec
	return eachRow(b, s.path, func(k, v []byte) {
		e := &merge.Saved{Dir: s.dir}
		payload, ok := unseal(k, v)
		if !ok || !c.decode(payload, func(c *codec) { c.saved(e) }) {
			s.spoilt(bucketSaved, k)
			return
		}
		s.saved[savedID(e.Namespace, e.Key)] = e
	})
}

// A badRow is a row whose sum or form is wrong.
type badRow struct{ bucket, key []byte }

func (s *store) spoilt(bucket, key []byte) {
	s.bad = append(s.bad, badRow{bucket, slices.Clone(key)})
}

// dropBad deletes the damaged rows, so that they are counted once.
func (s *store) dropBad() error {
	s.write.Lock()
	defer s.write.Unlock()
	err := s.file.update(func(tx *bolt.Tx) error {
		for _, row := range s.bad {
			if err := tx.Bucket(row.bucket).Delete(row.key); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		s.bad = nil
	}
	return err
}

func savedID(namespace, key string) string { return namespace + "\x00" + key }

func (s *store) close() error {
	s.write.Lock()
	defer s.write.Unlock()
	return s.file.close()
}
