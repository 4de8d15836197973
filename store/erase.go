package store

import (
	"errors"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// A file is compacted when it is closed with this much of it free.
const compactFree = 16 << 20

// bury adds tombstones to the store and erases what they hide, in one
// transaction. It returns the texts that are gone. Their bytes stay in free
// pages of the file until finish.
func (s *store) bury(tombs []merge.Tombstone) ([]string, error) {
	s.write.Lock()
	defer s.write.Unlock()
	all := s.tombstones
	var added []merge.Tombstone
	for _, t := range tombs {
		var changed bool
		if all, changed = addTombstone(all, t); changed {
			added = append(added, t)
		}
	}
	if len(added) == 0 {
		return nil, nil
	}
	graves := merge.Compile(all)
	changes, texts := s.erase(graves)
	hidden, said := s.hiddenSaved(added)
	texts = append(texts, said...)
	err := s.file.update(func(tx *bolt.Tx) error {
		for _, e := range hidden {
			if err := tx.Bucket(bucketSaved).Delete(savedKey(e.Namespace, e.Key)); err != nil {
				return err
			}
		}
		return errors.Join(
			putTombstones(tx.Bucket(bucketTombstones), added),
			putChanges(tx, changes),
			putNumber(tx.Bucket(bucketMeta), metaCompact, 1),
		)
	})
	if err != nil {
		return nil, errors.Join(err, s.reload())
	}
	s.tombstones, s.graves, s.compactDue = all, graves, true
	for _, e := range hidden {
		delete(s.saved, savedID(e.Namespace, e.Key))
	}
	return texts, nil
}

// erase takes what tombstones hide out of memory. The caller holds write.
func (s *store) erase(graves *merge.Graves) ([]change, []string) {
	var (
		changes []change
		texts   []string
	)
	for _, id := range sortedKeys(s.sources) {
		src := s.sources[id]
		before := map[merge.Ref]any{}
		for row := range src.Rows() {
			before[row.Ref] = row.Value
		}
		ch := src.Erase(graves)
		if ch.Empty() {
			continue
		}
		changes = append(changes, change{src, ch})
		for _, ref := range ch.Deleted {
			texts = appendTexts(texts, before[ref])
		}
		for _, row := range ch.Put {
			if old, ok := before[row.Ref]; ok {
				texts = append(texts, without(appendTexts(nil, old), appendTexts(nil, row.Value))...)
			}
		}
	}
	return changes, texts
}

// hiddenSaved returns the saved entries that tombstones hide, and their texts.
func (s *store) hiddenSaved(tombs []merge.Tombstone) (hidden []*merge.Saved, texts []string) {
	for _, id := range sortedKeys(s.saved) {
		e := s.saved[id]
		hash := merge.KeyHash(e.Namespace, e.Key)
		for _, t := range tombs {
			if !hides(t, e, hash) {
				continue
			}
			hidden = append(hidden, e)
			texts = append(texts, e.Value)
			for _, past := range e.Past {
				texts = append(texts, past.Value)
			}
			break
		}
	}
	return hidden, texts
}

// hides reports whether a tombstone hides a saved entry; hash is that of its key.
func hides(t merge.Tombstone, e *merge.Saved, hash string) bool {
	switch {
	case e.UpdatedAt > t.Time:
		return false
	case t.Session != "":
		return e.Origin != nil && e.Origin.Session == t.Session
	}
	return t.Key == "" || t.Key == hash
}

// appendTexts appends the texts that a row holds.
func appendTexts(texts []string, row any) []string {
	switch r := row.(type) {
	case *fact.Write:
		texts = append(texts, r.Value)
	case *fact.Turn:
		texts = append(texts, r.Open, r.Result.Value, r.Action.Value, r.Files.Value)
	case *fact.Run:
		texts = append(texts, r.Value, r.Label)
	case *fact.TaskItem:
		texts = append(texts, r.Text, r.Note)
	case *fact.Compaction:
		texts = append(texts, r.Checkpoint)
		for _, s := range r.Sections {
			texts = append(texts, s.Value)
		}
	case *fact.Call:
		texts = append(texts, r.Args, r.Result)
	case *fact.Session:
		texts = append(texts, r.Title)
	}
	return texts
}

// without returns the texts of a that do not stand in b.
func without(a, b []string) []string {
	stay := map[string]bool{}
	for _, t := range b {
		stay[t] = true
	}
	var out []string
	for _, t := range a {
		if !stay[t] {
			out = append(out, t)
		}
	}
	return out
}

// finish compacts the file after an erasure, so that no byte of what was
// deleted stays in it.
func (s *store) finish() error {
	s.write.Lock()
	defer s.write.Unlock()
	if !s.compactDue {
		return nil
	}
	if err := s.file.compact(); err != nil {
		return err
	}
	err := s.file.update(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketMeta).Delete(metaCompact)
	})
	s.compactDue = err != nil
	return err
}

// tidy compacts a file most of which is free.
func (s *store) tidy() error {
	s.write.Lock()
	defer s.write.Unlock()
	if total, free := s.file.size(); free < compactFree || free < total/2 {
		return nil
	}
	return s.file.compact()
}
