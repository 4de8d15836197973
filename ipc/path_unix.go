//go:build unix

package ipc

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// SocketPath returns the path of the socket and creates nothing: the explicit
// path, else kmem/kmemd.sock in the runtime directory, else .run/kmemd.sock in
// the data directory. A path that the system would not take is replaced by one
// in kmem-<uid> below the temporary directory, named for the path it stands
// for; that directory, where it exists, must be the user's own.
func SocketPath(p Place) (string, error) {
	path, err := wantedPath(p)
	if err != nil {
		return "", err
	}
	if len(path) <= maxSocketPath {
		return path, nil
	}
	sum := sha256.Sum256([]byte(path))
	name := filepath.Join("kmem-"+strconv.Itoa(os.Getuid()), hex.EncodeToString(sum[:6])+".sock")
	temp := p.TempDir
	if temp == "" {
		temp = os.TempDir()
	}
	short := filepath.Join(temp, name)
	if len(short) > maxSocketPath {
		short = filepath.Join("/tmp", name)
	}
	dir := filepath.Dir(short)
	if info, err := os.Lstat(dir); err == nil {
		if err := private(dir, info); err != nil {
			return "", err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return short, nil
}

func wantedPath(p Place) (string, error) {
	switch {
	case p.Explicit != "":
		return filepath.Abs(p.Explicit)
	case filepath.IsAbs(p.RuntimeDir): // a relative one counts as none, says its specification
		return filepath.Join(p.RuntimeDir, "kmem", "kmemd.sock"), nil
	case filepath.IsAbs(p.Data):
		return filepath.Join(p.Data, ".run", "kmemd.sock"), nil
	default:
		return "", fmt.Errorf("no place for the socket: there is no runtime directory, and the data directory %q is not absolute", p.Data)
	}
}

// private checks that a directory is one that only its owner, this user, can
// use. A symbolic link is none.
func private(dir string, info fs.FileInfo) error {
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !ours(info):
		return fmt.Errorf("directory %s belongs to another user", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("directory %s is open to others (mode %04o, must be 0700)", dir, info.Mode().Perm())
	default:
		return nil
	}
}
