package merge

import (
	"math"

	"github.com/kmemd/kmemd/store/fact"
)

// never is a time before all events.
const never = math.MinInt64

// Graves are tombstones made ready for use. They are not safe for concurrent
// use. Nil means that nothing was deleted.
type Graves struct {
	before   int64            // everything at or before
	sessions map[string]int64 // everything of a session at or before
	keys     map[string]*grave
	hashes   map[string]string // of keys in the default namespace, as far as they were asked for
}

// grave is what the tombstones of one key say together.
type grave struct {
	time     int64
	contents map[string]bool
}

// Compile makes tombstones ready for use.
func Compile(tombstones []Tombstone) *Graves {
	if len(tombstones) == 0 {
		return nil
	}
	g := &Graves{before: never, sessions: map[string]int64{}, keys: map[string]*grave{}, hashes: map[string]string{}}
	for _, t := range tombstones {
		switch {
		case t.Session != "":
			g.sessions[t.Session] = max(t.Time, floor(g.sessions, t.Session))
		case t.Key == "":
			g.before = max(g.before, t.Time)
		default:
			k := g.keys[t.Key]
			if k == nil {
				k = &grave{time: never}
				g.keys[t.Key] = k
			}
			k.time = max(k.time, t.Time)
			if t.Content != "" {
				if k.contents == nil {
					k.contents = map[string]bool{}
				}
				k.contents[t.Content] = true
			}
		}
	}
	return g
}

func floor(m map[string]int64, key string) int64 {
	if t, ok := m[key]; ok {
		return t
	}
	return never
}

// hash returns the KeyHash of a key in the default namespace.
func (g *Graves) hash(key string) string {
	h, ok := g.hashes[key]
	if !ok {
		h = KeyHash("", key)
		g.hashes[key] = h
	}
	return h
}

// gone reports whether all that a session did at a time is hidden, whatever
// its key.
func (g *Graves) gone(session string, time int64) bool {
	return g != nil && (time <= g.before || session != "" && time <= floor(g.sessions, session))
}

// buried returns the time up to which a key of the default namespace is
// hidden.
func (g *Graves) buried(key string) int64 {
	if g == nil {
		return never
	}
	if len(g.keys) == 0 {
		return g.before
	}
	return max(g.before, g.buriedHash(g.hash(key)))
}

func (g *Graves) buriedHash(keyHash string) int64 {
	if k := g.keys[keyHash]; k != nil {
		return k.time
	}
	return never
}

// hides reports whether what was said of a key at a stamp is hidden.
func (g *Graves) hides(st fact.Stamp, key string) bool {
	return g != nil && (g.gone(st.Session, st.Time) || st.Time <= g.buried(key))
}

// hidesSaved reports whether a saved entry is hidden.
func (g *Graves) hidesSaved(s *Saved) bool {
	if g == nil {
		return false
	}
	session := ""
	if s.Origin != nil {
		session = s.Origin.Session
	}
	return g.gone(session, s.UpdatedAt) || s.UpdatedAt <= g.buriedIn(s.Namespace, s.Key)
}

// buriedIn is buried for any namespace.
func (g *Graves) buriedIn(namespace, key string) int64 {
	if g == nil || namespace == "" {
		return g.buried(key)
	}
	if len(g.keys) == 0 {
		return g.before
	}
	return max(g.before, g.buriedHash(KeyHash(namespace, key)))
}
