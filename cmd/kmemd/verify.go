package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/store"
)

// verifyTime is how long a suspect store may take to be checked. A damaged one
// can hold up its reader for ever.
const verifyTime = 10 * time.Second

// verifyElsewhere checks a store file in a process of its own, because damage
// can end the one that finds it.
func verifyElsewhere(ctx context.Context, path string) error {
	self, err := os.Executable()
	if err != nil {
		return nil // without a program to run the file is opened unchecked
	}
	ctx, cancel := context.WithTimeout(ctx, verifyTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, self, "verify", path).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("checking took longer than %s", verifyTime)
	case errors.As(err, &exit):
		return errors.New(strings.TrimSpace(string(out)))
	}
	return nil
}

// verifyFile is what the other process does.
func verifyFile(c *cli.Context) error {
	if c.NArg() != 1 {
		return usageError{errors.New("verify takes one store file")}
	}
	return store.Verify(c.Args().First())
}
