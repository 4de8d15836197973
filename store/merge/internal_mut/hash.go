package merge

import (
	"crypto/sha256"
	"encoding/hex"
)

// hashBytes is how much of a SHA-256 a hash keeps.
const hashBytes = 16

// KeyHash returns the hash of a key that ghosts and tombstones hold.
func KeyHash(namespace, key string) string {
	return hash(namespace + "\x00" + key)
}

// ContentHash returns the hash of a value that ghosts and tombstones hold.
func ContentHash(value string) string { return hash(value) }

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:hashBytes])
}
