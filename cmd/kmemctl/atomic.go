package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// createBeside makes a temporary file, mode 0600, in the directory of another.
func createBeside(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), ".kmem-*.tmp")
}

// resolve follows symbolic links.
func resolve(path string) (string, error) { return filepath.EvalSymlinks(path) }

// syncDirectory makes a rename in the directory of a file last.
func syncDirectory(path string) error {
	if runtime.GOOS == "windows" { // cannot be done there, and need not
		return nil
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
