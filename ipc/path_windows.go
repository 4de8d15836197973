package ipc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

const pipePrefix = `\\.\pipe\`

// SocketPath returns the name of the pipe: the explicit one, else one named
// for the data directory, so that each user, and each set of memories, has its
// own.
func SocketPath(p Place) (string, error) {
	if p.Explicit != "" {
		if !strings.HasPrefix(p.Explicit, pipePrefix) {
			return "", fmt.Errorf(`%q: on Windows the socket is a named pipe, such as %skmemd`, p.Explicit, pipePrefix)
		}
		return p.Explicit, nil
	}
	sum := sha256.Sum256([]byte(strings.ToLower(p.Data)))
	return pipePrefix + "kmemd-" + hex.EncodeToString(sum[:8]), nil
}
