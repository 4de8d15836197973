package store

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// rowHashBytes is how much of the SHA-256 of a row's identity stands in its key.
const rowHashBytes = 12

// A rowWriter turns the rows of one source into keys and values. A key is
//
//	number of the source (4 bytes) | kind (1 byte) | hash of the identity (12 bytes)
//
// so that the rows of a source lie together, and no key grows with a text.
type rowWriter struct {
	number uint32
	codec  codec
	hash   hash.Hash
}

func newRowWriter(number uint32, agent, path string) *rowWriter {
	return &rowWriter{number: number, codec: codec{names: commonNames(agent, path)}, hash: sha256.New()}
}

// key returns the key of a row.
func (w *rowWriter) key(ref merge.Ref) []byte {
	w.hash.Reset()
	w.hash.Write([]byte(ref.ID))
	key := make([]byte, 5, 5+sha256.Size)
	binary.BigEndian.PutUint32(key, w.number)
	key[4] = byte(ref.Kind)
	return w.hash.Sum(key)[:5+rowHashBytes]
}

// value returns the sealed value of a row under its key.
func (w *rowWriter) value(key []byte, row any) []byte {
	return seal(key, w.codec.encode(func(c *codec) { c.row(row) }))
}

// readRow decodes a payload of the given kind, false for damage or an unknown kind.
func readRow(c *codec, kind merge.Kind, payload []byte) (any, bool) {
	row := newRow(kind)
	if row == nil {
		return nil, false
	}
	return row, c.decode(payload, func(c *codec) { c.row(row) })
}

func newRow(kind merge.Kind) any {
	switch kind {
	case merge.KindWrite:
		return new(fact.Write)
	case merge.KindTurn:
		return new(fact.Turn)
	case merge.KindRun:
		return new(fact.Run)
	case merge.KindTask:
		return new(fact.TaskItem)
	case merge.KindList:
		return new(fact.TaskList)
	case merge.KindCompaction:
		return new(fact.Compaction)
	case merge.KindCall:
		return new(fact.Call)
	case merge.KindFile:
		return new(fact.File)
	case merge.KindSession:
		return new(fact.Session)
	case merge.KindGhost:
		return new(merge.Ghost)
	}
	return nil
}

// row writes or reads the row that v points to.
func (c *codec) row(v any) {
	switch v := v.(type) {
	case *fact.Write:
		c.write(v)
	case *fact.Turn:
		c.turn(v)
	case *fact.Run:
		c.run(v)
	case *fact.TaskItem:
		c.task(v)
	case *fact.TaskList:
		c.list(v)
	case *fact.Compaction:
		c.compaction(v)
	case *fact.Call:
		c.call(v)
	case *fact.File:
		c.file(v)
	case *fact.Session:
		c.session(v)
	case *merge.Ghost:
		c.ghost(v)
	}
}

func (c *codec) ghost(g *merge.Ghost) {
	kind := int64(g.Kind)
	c.stamp(&g.Stamp)
	c.num(&kind)
	c.text(&g.Record)
	c.text(&g.Key)
	c.text(&g.Content)
	tag(c, &g.Row)
	tag(c, &g.Type)
	c.text(&g.Group)
	c.text(&g.Slot)
	if c.reading {
		g.Kind = merge.Kind(kind)
	}
}

func (c *codec) saved(s *merge.Saved) {
	c.entry(&s.Entry)
	c.past(&s.Past)
}
