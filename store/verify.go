package store

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Verify checks a database file of this package from end to end: its pages,
// and the sum of every row. It is meant to run in a process of its own, with a
// limit of time: what it looks for can end or stop the process that finds it.
// The file must not be open elsewhere.
func Verify(path string) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	var found []error
	err = f.read(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			found = append(found, err)
		}
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				if _, ok := unseal(k, v); !ok {
					found = append(found, fmt.Errorf("bucket %s: damaged row %x", name, k))
				}
				return nil
			})
		})
	})
	return errors.Join(append(found, err, f.close())...)
}
