package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"

	"github.com/kmemd/kmemd/store/fact"
	"github.com/kmemd/kmemd/store/merge"
)

// Limits of saved entries, in bytes.
const (
	maxKey   = 200
	maxValue = 64 << 10
	maxPast  = 3
	maxRefs  = 200
)

// savedKey is the key of a saved entry in its bucket.
func savedKey(namespace, key string) []byte { return []byte(savedID(namespace, key)) }

// Save stores an entry in the store of cwd. Its times are the present, raised
// past that of what the key holds now, so that no save is lost; e.Origin says
// who saves. It returns the entry as stored, and whether the key is a new one
// in the project. An entry that is not acceptable gives an *InvalidError.
func (p *Pool) Save(ctx context.Context, cwd string, e fact.Entry) (fact.Entry, bool, error) {
	if err := p.enter(); err != nil {
		return fact.Entry{}, false, err
	}
	defer p.leave()
	dir, err := p.writable(cwd)
	if err == nil {
		err = check(&e)
	}
	if err != nil {
		return fact.Entry{}, false, err
	}
	p.touch(ctx, cwd)
	id := p.project(ctx, cwd)
	pr := p.projectState(id)
	pr.calls.Lock()
	defer pr.calls.Unlock()
	view, err := p.viewOf(ctx, id)
	if err != nil {
		return fact.Entry{}, false, err
	}
	e.UpdatedAt = p.o.Now()
	e.CreatedAt = 0
	present, there := view.GetIn(e.Namespace, e.Key)
	if there {
		e.UpdatedAt = max(e.UpdatedAt, present.UpdatedAt+1)
		e.CreatedAt = present.CreatedAt
	}
	e.UpdatedAt = p.pastDeletes(id, &e, e.UpdatedAt)
	if e.CreatedAt == 0 {
		e.CreatedAt = e.UpdatedAt
	}
	e.Origin = originOf(e.Origin, fact.ViaTool)
	_, err = p.put(ctx, id, dir, []fact.Entry{e})
	return e, !there, err
}

// originOf returns a copy of an origin, with via where it says nothing.
func originOf(o *fact.Origin, via string) *fact.Origin {
	out := fact.Origin{Via: via}
	if o != nil {
		out = *o
	}
	if out.Via == "" || out.Via == fact.ViaTranscript {
		out.Via = via
	}
	return &out
}

// writable returns the directory whose store takes what is saved for cwd.
func (p *Pool) writable(cwd string) (string, error) {
	if !absolute(normal(cwd)) {
		return "", &InvalidError{"cwd", "not an absolute path"}
	}
	dir := p.place(cwd).dir
	if p.IsExcluded(cwd) || p.IsExcluded(dir) {
		return "", fmt.Errorf("directory %s is excluded: %w", dir, ErrRefused)
	}
	return dir, nil
}

// check makes an entry that a caller gave acceptable, or says why it is not.
func check(e *fact.Entry) error {
	switch {
	case e.Key == "" || len(e.Key) > maxKey:
		return &InvalidError{"key", fmt.Sprintf("must have 1 to %d bytes", maxKey)}
	case !clean(e.Key):
		return &InvalidError{"key", "must be UTF-8 without control characters"}
	case len(e.Namespace) > maxKey || !clean(e.Namespace):
		return &InvalidError{"namespace", fmt.Sprintf("must be UTF-8 without control characters, at most %d bytes", maxKey)}
	case len(e.Value) > maxValue:
		return &InvalidError{"value", fmt.Sprintf("must have at most %d bytes", maxValue)}
	case !utf8.ValidString(e.Value):
		return &InvalidError{"value", "must be UTF-8"}
	case len(e.References) > maxRefs:
		return &InvalidError{"references", fmt.Sprintf("must be at most %d", maxRefs)}
	}
	for _, ref := range e.References {
		if ref == "" || len(ref) > maxKey || !clean(ref) {
			return &InvalidError{"references", fmt.Sprintf("%q is no key", ref)}
		}
	}
	if e.Type == "" {
		e.Type = fact.TypeOf(e.Key)
	}
	if !knownType(e.Type) {
		return &InvalidError{"type", fmt.Sprintf("%q is no type", e.Type)}
	}
	e.References = references(e.Key, e.References)
	return nil
}

// references drops repeated references, and that of an entry to itself.
func references(key string, refs []string) []string {
	var out []string
	for _, ref := range refs {
		if ref != key && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

func clean(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

func knownType(t fact.Type) bool {
	switch t {
	case fact.ToolResult, fact.Thinking, fact.Action, fact.FileType, fact.Prompt, fact.Purpose, fact.Progress, fact.Status,
		fact.Decision, fact.Preference, fact.Error, fact.Context, fact.Result, fact.Note, fact.FactType:
		return true
	}
	return false
}

// pastDeletes raises a time past every delete that would hide the entry.
func (p *Pool) pastDeletes(id string, e *fact.Entry, at int64) int64 {
	s := &merge.Saved{Entry: *e}
	hash := merge.KeyHash(e.Namespace, e.Key)
	for _, t := range p.tombstones(id) {
		s.UpdatedAt = at
		if hides(t, s, hash) {
			at = t.Time + 1
		}
	}
	return at
}

// put stores entries in the store of dir, which belongs to project id, in one
// transaction. It returns how many of them said anything new there.
func (p *Pool) put(ctx context.Context, id, dir string, entries []fact.Entry) (int, error) {
	p.register(ctx, dir)
	h, err := p.acquire(ctx, dir, true)
	if err != nil {
		return 0, err
	}
	defer p.release(h)
	p.expect(ctx, id)
	n, err := h.store.save(entries, p.note(dir), p.publisher(id))
	if err != nil {
		p.failed(h, err)
		return 0, fmt.Errorf("store of %s: %w", dir, err)
	}
	p.worked(h)
	return n, nil
}

// save puts entries that are newer than what stands under their keys.
func (s *store) save(entries []fact.Entry, note projectNote, publish publisher) (int, error) {
	s.write.Lock()
	defer s.write.Unlock()
	next := map[string]*merge.Saved{}
	for _, e := range entries {
		id := savedID(e.Namespace, e.Key)
		old := next[id]
		if old == nil {
			old = s.saved[id]
		}
		if old == nil || newer(&e, &old.Entry) {
			next[id] = s.over(old, e)
		}
	}
	if len(next) == 0 {
		return 0, nil
	}
	err := s.file.update(func(tx *bolt.Tx) error {
		for _, id := range sortedKeys(next) {
			if err := putSaved(tx, next[id]); err != nil {
				return err
			}
		}
		return put(tx.Bucket(bucketMeta), metaProject, func(c *codec) { c.projectNote(&note) })
	})
	if err != nil {
		return 0, errors.Join(err, s.reload())
	}
	s.project = note
	maps.Copy(s.saved, next)
	publish(func(state *merge.State) {
		for _, e := range next {
			state.Save(*e)
		}
	})
	return len(next), nil
}

// over puts an entry in the place of an older one, whose values become history.
func (s *store) over(old *merge.Saved, e fact.Entry) *merge.Saved {
	e.References = slices.Clone(e.References)
	out := &merge.Saved{Entry: e, Dir: s.dir}
	if old == nil {
		return out
	}
	past := append([]fact.Past{{Value: old.Value, At: old.UpdatedAt}}, old.Past...)
	for _, v := range past {
		same := func(other fact.Past) bool { return other.Value == v.Value }
		if v.Value != e.Value && !slices.ContainsFunc(out.Past, same) && len(out.Past) < maxPast {
			out.Past = append(out.Past, v)
		}
	}
	return out
}

// newer reports whether an entry takes another's place; of equal times the
// greater value does, so that the order of importing does not show.
func newer(e, old *fact.Entry) bool {
	if e.UpdatedAt != old.UpdatedAt {
		return e.UpdatedAt > old.UpdatedAt
	}
	return e.Value > old.Value
}
