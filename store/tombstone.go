package store

import (
	"crypto/sha256"
	"strconv"

	"github.com/kmemd/kmemd/store/merge"
)

func (c *codec) tombstone(t *merge.Tombstone) {
	c.text(&t.Namespace)
	c.text(&t.Key)
	c.text(&t.Content)
	c.text(&t.Session)
	c.num(&t.Time)
	c.flag(&t.Before)
}

// tombstoneID tells what a tombstone is about, apart from its time.
func tombstoneID(t merge.Tombstone) string {
	sum := sha256.Sum256([]byte(t.Namespace + "\x00" + t.Key + "\x00" + t.Content + "\x00" + t.Session + "\x00" + strconv.FormatBool(t.Before)))
	return string(sum[:16])
}

// addTombstone adds a tombstone to a list that readers may hold. Of several
// about the same thing the latest holds.
func addTombstone(list []merge.Tombstone, t merge.Tombstone) ([]merge.Tombstone, bool) {
	for i, have := range list {
		if have.Time = t.Time; have != t {
			continue
		}
		if list[i].Time >= t.Time {
			return list, false
		}
		next := append([]merge.Tombstone(nil), list...)
		next[i] = t
		return next, true
	}
	return append(list[:len(list):len(list)], t), true
}
