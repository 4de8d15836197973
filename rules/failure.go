package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// outcomeOf keeps the newest failure and the newest success of a subject. The
// subject and its directory are compared as hashes, so that a success in any
// session, by any agent, finds the failure that it ends.
func (x *Extractor) outcomeOf(s *session, ev *event.Event, r *result) {
	dir := x.runDir(s, ev, r)
	run := fact.Run{
		Record: ev.Record, Agent: x.src.Agent, Failed: r.failed, Class: r.class, Whole: r.cmd.Whole,
		Subject: hashOf(r.target(), dir),
	}
	if r.class != fact.ClassOther && r.cmd.Group != "" {
		run.Group = hashOf(r.cmd.Group, dir)
	}
	if t := s.Turn; t != nil {
		run.Turn = t.Row.ID
	}
	if !r.failed {
		run.Stamp, run.Label = x.stamp(s), lang.Clip(r.subject, subjectLimit)
		x.putRun(s, run)
		return
	}
	run.Times = s.failedAgain(run.Subject)
	for _, c := range x.run.run(OnFailure, &x.env) {
		if c.rule.Row != fact.RowFailure {
			x.write(s, ev, c, "tool", r.class, s.parents(c.typ))
			continue
		}
		run.Stamp = x.stamp(s)
		run.Key, run.Value, run.Parents = c.key, c.value, s.parents(fact.Error)
		x.putRun(s, run)
		s.remember(fact.Error, c.key)
	}
}

// printing are the words of a check's command that change what it prints and
// not what it checks.
var printing = map[string]bool{
	"-v": true, "-vv": true, "-vvv": true, "-q": true, "-s": true, "-json": true, "--verbose": true, "--quiet": true, "--silent": true,
	"-count=1": true, "--nocapture": true, "--no-header": true, "--color": true, "--no-color": true,
}

// target gives what a command is compared by: of a check, the command without
// the words that only change what it prints.
func (r *result) target() string {
	if r.class != fact.ClassCheck {
		return r.whole
	}
	words := strings.Fields(r.whole)
	kept := words[:0]
	for _, w := range words {
		if !printing[w] && !strings.HasPrefix(w, "--tb=") && !strings.HasPrefix(w, "--color=") && !strings.HasPrefix(w, "--reporter=") {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// failedAgain counts the failures of a subject in this session. Beyond a bound
// the subjects that failed least are forgotten first.
func (s *session) failedAgain(subject string) int {
	if s.Failed == nil {
		s.Failed = map[string]int{}
	}
	if s.Failed[subject] == 0 && len(s.Failed) >= maxFailing {
		least := ""
		for _, k := range sortedKeys(s.Failed) {
			if least == "" || s.Failed[k] < s.Failed[least] {
				least = k
			}
		}
		delete(s.Failed, least)
	}
	s.Failed[subject]++
	return s.Failed[subject]
}

func (x *Extractor) putRun(s *session, run fact.Run) {
	d := x.delta(s.Dir)
	for i := range d.Runs {
		if d.Runs[i].Subject == run.Subject && d.Runs[i].Failed == run.Failed {
			d.Runs[i] = run
			return
		}
	}
	d.Runs = append(d.Runs, run)
}

// runDir gives the directory that a command ran in, relative to the one it
// belongs to, so that the same command in another worktree compares equal.
func (x *Extractor) runDir(s *session, ev *event.Event, r *result) string {
	dir := ev.Dir
	if dir == "" {
		dir = s.Cwd
	}
	if to := r.cmd.Dir; to != "" {
		if filepath.IsAbs(to) || windowsAbs(to) {
			dir = to
		} else {
			dir = filepath.Join(dir, to)
		}
	}
	if windowsAbs(s.Dir) {
		return lang.Relative(drivePath(dir), s.Dir)
	}
	if rel, err := filepath.Rel(s.Dir, dir); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return dir
}

// drivePath turns the form in which a Unix shell on Windows writes a path,
// "/c/work", into the usual one.
func drivePath(p string) string {
	if len(p) >= 2 && p[0] == '/' && (p[1]|0x20 >= 'a' && p[1]|0x20 <= 'z') && (len(p) == 2 || p[2] == '/') {
		return p[1:2] + ":" + p[2:]
	}
	return p
}

func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
