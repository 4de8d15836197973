package store

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func fill(tx *bolt.Tx) error {
	b, err := tx.CreateBucketIfNotExists([]byte("b"))
	if err != nil {
		return err
	}
	for i := range 200 {
		if err := b.Put(binary.BigEndian.AppendUint32(nil, uint32(i)), make([]byte, 300)); err != nil {
			return err
		}
	}
	return nil
}

func newFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.bolt")
	if err := createFile(path, fill); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCreateFile(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	if err := createFile(path, fill); !errors.Is(err, os.ErrExist) {
		t.Errorf("second creation: %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	refused := errors.New("no")
	other := filepath.Join(filepath.Dir(path), "y.bolt")
	if err := createFile(other, func(*bolt.Tx) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("failed creation: %v", err)
	}
	if _, err := os.Stat(other); !missing(err) {
		t.Error("half a file was put in place")
	}
}

func TestOpenDamagedFile(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(newFile(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 16, 64, 1000, 4096, 4097, 8191, 8192, 8193, 12288, 16384, 20000, len(whole) / 2} {
		path := filepath.Join(t.TempDir(), "x.bolt")
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := openFile(path); !damaged(err) {
			t.Errorf("cut off at %d: %v", size, err)
			if err == nil {
				f.close()
			}
		}
	}
	path := filepath.Join(t.TempDir(), "x.bolt")
	if err := os.WriteFile(path, []byte("dear diary, this is no database at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openFile(path); !damaged(err) {
		t.Errorf("a letter: %v", err)
	}
}

func TestOpenWithOneMetaLost(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	clear(b[:64])
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
}

func TestOpenNewerEngine(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, os.Getpagesize()} {
		meta := b[at+metaStart:]
		binary.NativeEndian.PutUint32(meta[4:], boltVersion+1)
		sum := fnv.New64a()
		sum.Write(meta[:metaSummed])
		binary.NativeEndian.PutUint64(meta[metaSummed:], sum.Sum64())
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openFile(path); !errors.Is(err, ErrNewer) {
		t.Errorf("error %v, want ErrNewer", err)
	}
}

func TestCutOffWhileOpen(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	f, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 8192); err != nil {
		t.Fatal(err)
	}
	err = f.read(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("b")).ForEach(func(_, v []byte) error {
			if len(v) > 0 && v[0] == 1 {
				return errors.New("never")
			}
			return nil
		})
	})
	if !damaged(err) {
		t.Errorf("error %v, want damage", err)
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
}

func TestCompactSwapsUnderReaders(t *testing.T) {
	t.Parallel()
	f, err := openFile(newFile(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	before, _ := f.size()
	err = f.update(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("b"))
		for i := range 199 {
			if err := b.Delete(binary.BigEndian.AppendUint32(nil, uint32(i))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		var err error
		for range 50 {
			err = errors.Join(err, f.read(func(tx *bolt.Tx) error {
				if tx.Bucket([]byte("b")).Stats().KeyN != 1 {
					return errors.New("row lost")
				}
				return nil
			}))
		}
		done <- err
	}()
	if err := f.compact(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	after, _ := f.size()
	if after >= before {
		t.Errorf("size %d, was %d", after, before)
	}
	if !f.current() {
		t.Error("the open file is not the one of that name")
	}
	if _, err := openFile(f.path); !errors.Is(err, ErrUnavailable) {
		t.Errorf("second opening: %v, want it locked", err)
	}
}
