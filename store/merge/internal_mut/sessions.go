package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kmemd/kmemd/store/fact"
)

// week is how far a later session may be ahead before open work of an earlier
// one is withdrawn, in milliseconds.
const week = 7 * 24 * 60 * 60 * 1000

// sessionRow is what one source says of a session.
type sessionRow struct {
	*fact.Session
	from *Contribution
}

// mergeSession returns what the sources say of one session together: the
// newest that is known of each field. Sub-agents that share their parent's id
// speak only where it does not. Nil where tombstones leave nothing.
func mergeSession(rows []sessionRow, g *Graves) *fact.Session {
	left := make([]sessionRow, 0, len(rows))
	for _, row := range rows {
		if s := g.stripSession(row.Session); s != nil {
			left = append(left, sessionRow{s, row.from})
		}
	}
	if len(left) == 0 {
		return nil
	}
	slices.SortFunc(left, func(a, b sessionRow) int {
		return cmp.Or(
			rank(a.Sub)-rank(b.Sub),
			cmp.Compare(b.UpdatedAt, a.UpdatedAt),
			compareSources(a.from, b.from),
		)
	})
	s := *left[0].Session
	s.Turns = 0
	for _, row := range left[1:] {
		for _, f := range []struct{ to, from *string }{
			{&s.Agent, &row.Agent}, {&s.Model, &row.Model}, {&s.Provider, &row.Provider}, {&s.BaseURL, &row.BaseURL},
			{&s.Version, &row.Version}, {&s.Branch, &row.Branch}, {&s.Title, &row.Title}, {&s.Cwd, &row.Cwd},
			{&s.File, &row.File}, {&s.Parent, &row.Parent},
		} {
			if *f.to == "" {
				*f.to = *f.from
			}
		}
		s.StartedAt = min(s.StartedAt, row.StartedAt)
		s.UpdatedAt = max(s.UpdatedAt, row.UpdatedAt)
	}
	return &s
}

// compareSessions is the order of the sessions in a view: newest first.
func compareSessions(a, b *fact.Session) int {
	return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), strings.Compare(a.ID, b.ID))
}

// activity is when each session was last active.
type activity map[string]int64

// note says that a session was active.
func (a activity) note(session string, time int64) {
	if t, ok := a[session]; !ok || time > t {
		a[session] = time
	}
}

// lead is the newest activity of all sessions, and of all but the first.
type lead struct {
	session       string
	first, second int64
}

func (a activity) lead() lead {
	l := lead{first: never, second: never}
	for session, t := range a {
		if t > l.first || t == l.first && session < l.session {
			l.first, l.second, l.session = t, l.first, session
		} else {
			l.second = max(l.second, t)
		}
	}
	return l
}

// overtaken reports whether a later session has overtaken by a week one that
// was active at a time, if not later.
func (a activity) overtaken(l lead, session string, time int64) bool {
	if own, ok := a[session]; ok {
		time = max(time, own)
	}
	other := l.first
	if l.session == session {
		other = l.second
	}
	return other != never && other-time > week
}
