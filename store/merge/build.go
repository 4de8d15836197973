package merge

import (
	"slices"

	"github.com/kmemd/kmemd/store/fact"
)

// Input is all that a view of a project is computed from.
type Input struct {
	Project       string
	Contributions []*Contribution
	Saved         []Saved
	Tombstones    []Tombstone
	Caps          Caps
}

// Build computes what a reader sees. It depends on the set of rows only: the
// order of contributions, of rows and of calls does not show in the result.
// It reads the contributions and changes nothing, and the view shares their
// strings. The Sequence of the view is left to the caller.
func Build(in Input) *fact.View {
	b := build{in: in, g: Compile(in.Tombstones), keys: map[string]*keyRows{}}
	b.collect()
	b.captured()
	b.registers()
	v := &fact.View{Project: in.Project}
	b.view(v)
	b.facts(v)
	return v
}

// build is one computation of a view.
type build struct {
	in   Input
	g    *Graves
	said *statements
	rows collected
	keys map[string]*keyRows // by key, or by hash where only ghosts know the key

	turns    []*turn
	sessions map[string]*fact.Session
	cands    map[string][]*candidate // of the default namespace, by key
	winners  map[string]*candidate
	prompts  map[turnID]string // of the turns
	tasks    tasks
}

// collected are the rows of all contributions that are resolved together.
type collected struct {
	turns       map[turnID]*turnRows
	runs        []runRow
	tasks       []taskRow
	lists       []listRow
	compactions []compactionRow
	sessions    map[string][]sessionRow
	runGhosts   []ghostRow
	taskGhosts  []ghostRow
	compGhosts  []ghostRow
	writeGhosts []ghostRow
}

// turnID is the identity of a turn: record ids are an agent's own.
type turnID struct{ agent, id string }

func (b *build) collect() {
	b.said = newStatements(b.g)
	r := &b.rows
	r.turns, r.sessions = map[turnID]*turnRows{}, map[string][]sessionRow{}
	for _, c := range b.in.Contributions {
		for _, w := range c.writes {
			k := b.keys[w.Key]
			if k == nil {
				k = &keyRows{key: w.Key}
				b.keys[w.Key] = k
			}
			k.writes = append(k.writes, writeRow{w, c})
			b.said.add(w, 1)
		}
		for _, t := range c.turns {
			k := r.turn(c, t.ID)
			k.rows = append(k.rows, turnRow{t, c})
		}
		for _, v := range c.runs {
			r.runs = append(r.runs, runRow{v, c})
		}
		for _, v := range c.tasks {
			r.tasks = append(r.tasks, taskRow{v, c})
		}
		for _, v := range c.lists {
			r.lists = append(r.lists, listRow{v, c})
		}
		for _, v := range c.compactions {
			r.compactions = append(r.compactions, compactionRow{v, c})
			b.said.add(v, 1)
		}
		for _, v := range c.sessions {
			r.sessions[v.ID] = append(r.sessions[v.ID], sessionRow{v, c})
		}
		for _, v := range c.ghosts {
			r.ghost(ghostRow{v, c})
			b.said.add(v, 1)
		}
	}
	b.adoptGhosts()
}

func (r *collected) turn(c *Contribution, id string) *turnRows {
	name := turnID{c.Agent, id}
	k := r.turns[name]
	if k == nil {
		k = &turnRows{}
		r.turns[name] = k
	}
	return k
}

func (r *collected) ghost(gh ghostRow) {
	switch gh.Kind {
	case KindWrite:
		r.writeGhosts = append(r.writeGhosts, gh)
	case KindTurn:
		k := r.turn(gh.from, gh.Record)
		k.ghosts = append(k.ghosts, gh)
	case KindRun:
		r.runGhosts = append(r.runGhosts, gh)
	case KindTask:
		r.taskGhosts = append(r.taskGhosts, gh)
	case KindCompaction:
		r.compGhosts = append(r.compGhosts, gh)
	}
}

// adoptGhosts brings ghosts of writes together with the writes of their keys.
func (b *build) adoptGhosts() {
	if len(b.rows.writeGhosts) == 0 {
		return
	}
	byHash := make(map[string]*keyRows, len(b.keys))
	for key, k := range b.keys {
		byHash[KeyHash("", key)] = k
	}
	for _, gh := range b.rows.writeGhosts {
		k := byHash[gh.Key]
		if k == nil {
			k = &keyRows{}
			byHash[gh.Key] = k
			b.keys["\x00"+gh.Key] = k // no key holds a control character
		}
		k.ghosts = append(k.ghosts, gh)
	}
}

// captured resolves the writes and applies the caps.
func (b *build) captured() {
	all := make([]*candidate, 0, len(b.keys))
	b.cands = make(map[string][]*candidate, len(b.keys)+len(b.rows.turns))
	places := map[string][]place{}
	for _, k := range b.keys {
		s := k.settle(b.g, b.said)
		for _, r := range s.places {
			places[r.group] = append(places[r.group], r.place)
		}
		all = append(all, s.alive...)
	}
	edges := make(map[string]edge, len(places))
	for group, list := range places {
		edges[group] = edgeOf(list, b.in.Caps.limit(group))
	}
	for _, c := range all {
		if edges[c.group].fits(c) {
			b.offer(c)
		}
	}
}

func (b *build) offer(list ...*candidate) {
	for _, c := range list {
		list := b.cands[c.key]
		if list == nil {
			list = make([]*candidate, 0, 1)
		}
		b.cands[c.key] = append(list, c)
	}
}

// registers resolves the registers and collects what they say of keys.
func (b *build) registers() {
	b.sessions = map[string]*fact.Session{}
	active := activity{}
	for id, rows := range b.rows.sessions {
		if s := mergeSession(rows, b.g); s != nil {
			b.sessions[id] = s
			if !s.Sub {
				active.note(id, s.UpdatedAt)
			}
		}
	}
	closed, last := b.settleTurns(active)
	front := active.lead()
	overtaken := func(st fact.Stamp) bool { return active.overtaken(front, st.Session, st.Time) }
	if c := openTurn(last); c != nil {
		c.withdrawn = overtaken(c.Stamp)
		b.offer(c)
	}
	b.offer(errorsOf(b.rows.runs, b.rows.runGhosts, b.g)...)
	b.tasks = tasksOf(b.rows.tasks, b.rows.taskGhosts, b.g)
	newest := listsOf(b.rows.lists, b.g)
	for _, w := range b.tasks.wins {
		b.offer(w.candidate(newest, overtaken))
	}
	for session, s := range summariesOf(b.rows.compactions, b.rows.compGhosts, b.g) {
		b.offer(s.candidates(closed[session], b.said)...)
	}
}

// settleTurns resolves the turns and returns the newest closed one and the
// last one of each session.
func (b *build) settleTurns(active activity) (closed map[string]*fact.Stamp, last map[string]*turn) {
	closed, last = map[string]*fact.Stamp{}, map[string]*turn{}
	b.prompts = make(map[turnID]string, len(b.rows.turns))
	b.turns = make([]*turn, 0, len(b.rows.turns))
	for id, rows := range b.rows.turns {
		t := rows.settle(b.g)
		if t == nil {
			continue
		}
		b.offer(t.candidates()...)
		b.prompts[id] = t.Prompt
		if t.Sub {
			continue
		}
		active.note(t.Session, t.End)
		if t.Void {
			continue
		}
		b.turns = append(b.turns, t)
		if at := closed[t.Session]; t.Closed && (at == nil || t.end.Compare(*at) > 0) {
			closed[t.Session] = &t.end
		}
		if l := last[t.Session]; l == nil || compareTurns(&t.Turn, &l.Turn) > 0 {
			last[t.Session] = t
		}
	}
	return closed, last
}

// openTurn returns the newest open turn among the sessions' last turns.
func openTurn(last map[string]*turn) *candidate {
	var best *candidate
	for _, t := range last {
		if c := t.openTurn(); c != nil && (best == nil || c.compare(best) > 0) {
			best = c
		}
	}
	return best
}

// facts decides every key and draws the edges.
func (b *build) facts(v *fact.View) {
	named := map[string][]*candidate{} // of other namespaces, by namespace and key
	for i := range b.in.Saved {
		s := &b.in.Saved[i]
		if b.g.hidesSaved(s) {
			continue
		}
		if s.Namespace == "" {
			b.offer(ofSaved(s))
			continue
		}
		name := s.Namespace + "\x00" + s.Key
		named[name] = append(named[name], ofSaved(s))
	}
	b.winners = make(map[string]*candidate, len(b.cands))
	made := make([]won, 0, len(b.cands)+len(named))
	for key, list := range b.cands {
		if winner, counted := pick(list); winner != nil {
			b.winners[key] = winner
			made = append(made, won{winner, counted})
		}
	}
	for _, list := range named {
		if winner, counted := pick(list); winner != nil {
			made = append(made, won{winner, counted})
		}
	}
	slices.SortFunc(made, func(a, b won) int { return compareKeys(a.by, b.by) })
	v.Facts = room[fact.Fact](len(made))
	for _, w := range made {
		v.Facts = append(v.Facts, entry(w.by, w.counted, b.g.buriedIn(w.by.namespace(), w.by.key)))
	}
	b.draw(v.Facts, made)
}

// won is a winner with the candidates that counted.
type won struct {
	by      *candidate
	counted []*candidate
}

// draw sets the references of the entries.
func (b *build) draw(facts []fact.Fact, made []won) {
	up := chain{}
	for i := range facts {
		up.add(&facts[i])
	}
	up.sort()
	winner := func(key string) *candidate { return b.winners[key] }
	for i := range facts {
		switch f, by := &facts[i], made[i].by; {
		case by.saved == nil:
			f.References = parent(by, b.prompts[by.turnID()], winner)
		case len(f.References) == 0:
			f.References = up.parent(f)
		}
	}
}
