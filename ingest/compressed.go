package ingest

import (
	"context"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	zstdMemory = 64 << 20
	zstdMax    = 8 << 30 // bytes of content: more is a bomb
)

// readCompressed reads a compressed file, which never grows: whole when it has
// changed, else not at all. Its positions are those of the content.
func (r *reader) readCompressed(ctx context.Context, p *pass, st *file, progress func(int64)) error {
	if !p.restart {
		return nil
	}
	z, err := zstd.NewReader(p.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(zstdMemory), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer z.Close()
	return r.readLines(ctx, p, st, io.LimitReader(z, zstdMax), progress)
}
