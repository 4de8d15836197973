package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/kmemd/kmemd/store/fact"
)

const (
	kdepsLook  = 2 * time.Second        // how often a memory of kdeps is looked at
	kdepsRetry = 30 * time.Second       // after one that could not be read
	kdepsWait  = 100 * time.Millisecond // for kdeps to let go of it
	kdepsMost  = 100_000                // entries that are taken
)

// bucketAgent is the bucket of a kdeps memory: one JSON record a key.
var bucketAgent = []byte("agent_memory")

// A kdepsCheck is when a directory's kdeps memory is to be looked at again.
type kdepsCheck struct{ next time.Time }

// touch imports what kdeps remembers of a directory, when it is named for the
// first time or kdeps' file has changed. What cannot be read now is reported
// by Stats and tried again later; it stops nothing.
func (p *Pool) touch(ctx context.Context, cwd string) {
	now := time.Now()
	p.mu.Lock()
	if now.Before(p.kdeps[cwd].next) {
		p.mu.Unlock()
		return
	}
	if len(p.kdeps) >= maxPlaces {
		clear(p.kdeps)
	}
	p.kdeps[cwd] = kdepsCheck{now.Add(kdepsLook)}
	p.mu.Unlock()
	dir := p.place(cwd).dir
	names := []string{normal(cwd)}
	if dir != names[0] {
		names = append(names, dir) // named through a symbolic link
	}
	for _, name := range names {
		path := filepath.Join(p.o.KdepsData, kdepsName(name), storeFile)
		if err := p.importKdeps(ctx, path, dir); err != nil {
			p.trouble(path, err)
			p.mu.Lock()
			p.kdeps[cwd] = kdepsCheck{now.Add(kdepsRetry)}
			p.mu.Unlock()
		}
	}
}

// kdepsName is the name that kdeps gives a directory's memory. Several
// directories share one.
func kdepsName(dir string) string {
	dir = strings.TrimLeft(dir, `/\`)
	return "--" + strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(dir) + "--"
}

// isKdeps reports whether a name in the data directory is kdeps' own: ours end
// in hex digits.
func isKdeps(name string) bool {
	return strings.HasPrefix(name, "--") && strings.HasSuffix(name, "--")
}

// importKdeps imports a memory of kdeps unless its present state has been.
func (p *Pool) importKdeps(ctx context.Context, path, dir string) error {
	info, err := os.Stat(path)
	if err != nil || p.IsExcluded(dir) {
		return nil // none there
	}
	row := kdepsRow{info.Size(), info.ModTime().UnixNano()}
	c := p.catalog
	// Two directories may share one memory: each has to get it.
	known := path + "\x00" + dir
	c.mu.Lock()
	same := c.kdeps[known] == row
	c.mu.Unlock()
	if same {
		return nil
	}
	entries, err := readKdeps(path, info.ModTime().UnixMilli())
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		if _, err := p.put(ctx, p.project(ctx, dir), dir, entries); err != nil {
			return err
		}
	}
	p.trouble(path, nil)
	c.setKdeps(known, row)
	p.wake()
	return nil
}

// readKdeps reads a memory of kdeps, holding it for milliseconds only. Records
// that are no entries are passed over.
func readKdeps(path string, modTime int64) ([]fact.Entry, error) {
	if err := inspect(path); err != nil {
		return nil, err
	}
	var (
		entries []fact.Entry
		handle  *os.File
	)
	err := guard(path, func() error {
		o := options(&handle)
		o.ReadOnly, o.PreLoadFreelist, o.Timeout = true, false, kdepsWait
		db, err := bolt.Open(path, fileMode, o)
		if err != nil {
			return err
		}
		return errors.Join(db.View(func(tx *bolt.Tx) error {
			entries = kdepsEntries(tx.Bucket(bucketAgent), modTime)
			return nil
		}), db.Close())
	})
	if damaged(err) && handle != nil {
		unlock(handle) // kdeps must be able to go on
		handle.Close()
	}
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, &LockedError{Path: path, PID: flockHolder(path)}
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return entries, nil
}

func kdepsEntries(b *bolt.Bucket, modTime int64) []fact.Entry {
	if b == nil {
		return nil
	}
	var entries []fact.Entry
	for c, k, v := cursor(b); k != nil && len(entries) < kdepsMost; k, v = c.Next() {
		var e fact.Entry
		if v == nil || json.Unmarshal(v, &e) != nil {
			continue
		}
		if e.Key == "" {
			e.Key = string(k)
		}
		if !knownType(e.Type) {
			e.Type = ""
		}
		e.Value = strings.ToValidUTF8(e.Value, "\uFFFD")
		if len(e.Value) > maxValue {
			e.Value = strings.ToValidUTF8(e.Value[:maxValue], "")
		}
		if check(&e) != nil {
			continue
		}
		dated(&e, modTime)
		e.Origin = originOf(e.Origin, fact.ViaImport)
		entries = append(entries, e)
	}
	return entries
}

func cursor(b *bolt.Bucket) (*bolt.Cursor, []byte, []byte) {
	c := b.Cursor()
	k, v := c.First()
	return c, k, v
}
