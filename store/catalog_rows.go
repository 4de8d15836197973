package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// finish runs a decoding and reports whether the payload held out.
func (c *codec) finish(fn func()) bool {
	fn()
	return !c.broken
}

func (c *codec) bytes(b *[]byte) {
	s := ""
	if !c.reading {
		n := uint64(len(*b))
		c.out = binary.AppendUvarint(c.out, n*forms+formPlain)
		c.out = append(c.out, *b...)
		return
	}
	c.text(&s)
	*b = []byte(s)
}

func (c *codec) sourceRow(r *sourceRow) {
	c.bytes(&r.cursor)
	c.bytes(&r.extractor)
	c.text(&r.generation)
	c.num(&r.pos)
	c.num(&r.modTime)
	c.texts(&r.directories)
}

func (c *codec) directoryRow(r *directoryRow) {
	c.text(&r.project)
	c.flag(&r.store)
}

func (c *codec) projectRow(r *projectRow) {
	c.flag(&r.git)
	c.text(&r.root)
	c.text(&r.commit)
	c.text(&r.moved)
}

func (c *codec) kdepsRow(r *kdepsRow) {
	c.num(&r.size)
	c.num(&r.modTime)
}

func (c *codec) settings(s *settings) {
	c.flag(&s.paused)
	c.texts(&s.excluded)
	n := len(s.pauses)
	c.count(&n)
	if s.pauses == nil && n > 0 {
		s.pauses = make([]Pause, min(n, maxPauses))
	}
	for i := range s.pauses {
		c.num(&s.pauses[i].From)
		c.num(&s.pauses[i].To)
	}
}

// putNumber stores a number under a key of a meta bucket.
func putNumber(b *bolt.Bucket, key []byte, n int64) error {
	var c codec
	return b.Put(key, seal(key, c.encode(func(c *codec) { c.num(&n) })))
}

// getNumber returns a number of a meta bucket, 0 where there is none.
func getNumber(b *bolt.Bucket, key []byte) (n int64) {
	if payload, ok := unseal(key, b.Get(key)); ok {
		var c codec
		c.decode(payload, func(c *codec) { c.num(&n) })
	}
	return n
}

// savedSettings is the form of the settings' second copy.
type savedSettings struct {
	Paused   bool     `json:"paused"`
	Excluded []string `json:"excluded"`
	Pauses   []Pause  `json:"pauses,omitempty"`
}

func (c *catalog) settingsFile() string {
	return filepath.Join(filepath.Dir(c.file.path), "settings.json")
}

// loadSettings reads the settings, from the second copy where the catalog is
// new, and writes the copy where it is missing.
func (c *catalog) loadSettings() error {
	known := false
	err := c.file.read(func(tx *bolt.Tx) error {
		payload, ok := unseal(metaSettings, tx.Bucket(bucketMeta).Get(metaSettings))
		if ok {
			d := new(codec)
			known = d.decode(payload, func(d *codec) { d.settings(&c.settings) })
		}
		return nil
	})
	if err != nil {
		return errors.Join(err, c.file.close())
	}
	if known {
		if _, err := os.Stat(c.settingsFile()); missing(err) {
			return writeSettings(c.settingsFile(), c.settings)
		}
		return nil
	}
	b, err := os.ReadFile(c.settingsFile())
	if err != nil {
		return nil // never told anything
	}
	var s savedSettings
	if json.Unmarshal(b, &s) != nil {
		return nil
	}
	return c.setSettings(func(to *settings) { *to = settings{paused: s.Paused, excluded: s.Excluded, pauses: s.Pauses} })
}

func writeSettings(path string, s settings) error {
	b, err := json.Marshal(savedSettings{Paused: s.paused, Excluded: s.excluded, Pauses: s.pauses})
	if err != nil {
		return err
	}
	return writeWhole(path, append(b, '\n'))
}

// writeWhole replaces a small file so that it is whole at every moment.
func writeWhole(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+newSuffix)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err := errors.Join(err, f.Chmod(fileMode), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}
