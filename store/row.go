package store

import (
	"encoding/binary"
	"hash/crc32"

	bolt "go.etcd.io/bbolt"
)

// Every value of every bucket has this form:
//
//	version (1 byte) | CRC-32C of key and payload (4 bytes, big endian) | payload
//
// The engine checks none of its data; a row whose sum does not fit is counted
// and skipped, never read wrong.
const (
	rowVersion = 1
	rowHead    = 5
)

// castagnoli is the table of CRC-32C, which processors compute themselves.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns the value to put under a key.
func seal(key, payload []byte) []byte {
	out := make([]byte, rowHead, rowHead+len(payload))
	out[0] = rowVersion
	binary.BigEndian.PutUint32(out[1:], sum(key, payload))
	return append(out, payload...)
}

// unseal returns the payload of a value, still pointing into it, and false for
// a damaged row or one of a version that is not known.
func unseal(key, value []byte) ([]byte, bool) {
	if len(value) < rowHead || value[0] != rowVersion {
		return nil, false
	}
	payload := value[rowHead:]
	return payload, binary.BigEndian.Uint32(value[1:rowHead]) == sum(key, payload)
}

func sum(key, payload []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, payload)
}

// leastRow is what a row takes of a file at least, in bytes.
const leastRow = 16

// eachRow calls fn with all rows of a bucket. Damage can lead round in a
// circle: more rows than the file has room for are a damageError.
func eachRow(b *bolt.Bucket, path string, fn func(key, value []byte)) error {
	room := b.Tx().Size() / leastRow
	return b.ForEach(func(k, v []byte) error {
		if room--; room < 0 {
			return &damageError{path, "endless"}
		}
		fn(k, v)
		return nil
	})
}
