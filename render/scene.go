package render

import (
	"github.com/kmemd/kmemd/render/graph"
	"github.com/kmemd/kmemd/store/fact"
)

// checkpointTurns is how many turns may close after a compaction before its
// summary is old news.
const checkpointTurns = 6

// scene is a view as a block sees it: what may be shown, sorted into the
// groups of the order in which it is kept.
type scene struct {
	g       *graph.Graph
	recent  *graph.Recent
	resumer *graph.Resumer
	resume  int // where to go on, -1 for nowhere
	failure int // the error to name, -1 for none
	agent   int // the newest answer of a sub-agent, -1 for none
	visible int // facts that may be shown
	newest  int // the newest of them, -1 for none

	turns      [recentTurns][turnParts]queue // of the newest turns, by part
	written    queue
	decisions  queue
	preference queue
	context    queue
	tasks      queue
	checks     queue
	vcs        queue
	files      queue
	outcomes   queue
	all        queue
	checkpoint int // -1 for none
	actions    []int
}

// recentTurns is how many turns count as the present work.
const recentTurns = 4

// The parts of a turn, in the order in which they are kept.
const (
	partPrompt = iota
	partOutcome
	partCheck
	partVCS
	partFiles
	turnParts
)

// look makes the scene in one pass over the facts.
func look(v *fact.View, a graph.Asking) *scene {
	s := &scene{
		g: graph.New(v), recent: graph.NewRecent(v),
		resume: -1, failure: -1, agent: -1, newest: -1, checkpoint: -1,
	}
	s.resumer = graph.NewResumer(s.recent, a)
	errors := graph.NewFailure(s.recent)
	s.all.items = make([]queued, 0, len(s.g.Facts))
	agent := -1
	for i := range s.g.Facts {
		f := &s.g.Facts[i]
		s.resumer.Consider(i, f)
		errors.Consider(i, f)
		if f.Class == fact.ClassAgent && hiddenTool(f) {
			if agent < 0 || s.g.Newer(i, agent) < 0 {
				agent = i
			}
			continue
		}
		if s.shows(i) {
			s.sort(i, f)
		}
	}
	if agent >= 0 {
		s.agent = agent
		s.sort(agent, &s.g.Facts[agent])
	}
	if n, ok := s.resumer.Choice(); ok && s.plain(n) {
		s.resume = n
	}
	if n, ok := errors.Choice(); ok && s.plain(n) {
		s.failure = n
	}
	return s
}

// shows reports whether a fact may stand in a block.
func (s *scene) shows(node int) bool {
	f := &s.g.Facts[node]
	switch {
	case f.Type == fact.Thinking || graph.SessionRecord(f):
		return false
	case f.Type == fact.Error:
		return graph.Written(f) || !graph.ErrorHandled(f)
	case f.Type == fact.ToolResult:
		return !hiddenTool(f) || node == s.agent || f.Class == fact.ClassWrite && s.turn(f) == 0
	case f.Captured() && f.Key == graph.Checkpoint:
		return !s.recent.ClosedAfter(f.UpdatedAt, checkpointTurns)
	}
	return true
}

// isAction reports whether a fact is a captured last action, which is shown
// only where the outcome of its turn is not.
func isAction(f *fact.Fact) bool { return f.Captured() && f.Row == fact.RowAction }

// plain reports whether a fact may stand in a block whatever else does.
func (s *scene) plain(node int) bool { return s.shows(node) && !isAction(&s.g.Facts[node]) }

// hiddenTool reports whether a fact is a captured tool result of a kind that
// tells little by itself.
func hiddenTool(f *fact.Fact) bool {
	return f.Type == fact.ToolResult && f.Class != fact.ClassCheck && f.Class != fact.ClassVCS && !graph.Written(f)
}

// turn returns which of the newest turns a captured fact belongs to, 0 for the
// newest, -1 for none of them.
func (s *scene) turn(f *fact.Fact) int {
	if f.Turn == "" {
		return -1
	}
	for i, t := range s.recent.Turns {
		if t.ID == f.Turn {
			return i
		}
	}
	return -1
}

// sort puts a visible fact into the groups it belongs to.
func (s *scene) sort(node int, f *fact.Fact) {
	if isAction(f) {
		s.actions = append(s.actions, node)
		return
	}
	s.visible++
	if s.newest < 0 || s.g.Newer(node, s.newest) < 0 {
		s.newest = node
	}
	s.all.push(node, f.UpdatedAt)
	if graph.Written(f) {
		s.written.push(node, f.UpdatedAt)
		return
	}
	if t, part := s.turn(f), partOf(f); t >= 0 && part < turnParts {
		s.turns[t][part].push(node, f.UpdatedAt)
	}
	if q := s.group(node, f); q != nil {
		q.push(node, f.UpdatedAt)
	}
}

// group returns the group of a captured fact, nil where it is kept with the
// rest.
func (s *scene) group(node int, f *fact.Fact) *queue {
	switch {
	case f.Key == graph.Checkpoint:
		s.checkpoint = node
	case f.Row == fact.RowOutcome:
		return &s.outcomes
	case f.Task:
		return &s.tasks
	case f.Type == fact.Decision:
		return &s.decisions
	case f.Type == fact.Preference:
		return &s.preference
	case f.Type == fact.Context:
		return &s.context
	case f.Type == fact.FileType:
		return &s.files
	case f.Type == fact.ToolResult && f.Class == fact.ClassCheck:
		return &s.checks
	case f.Type == fact.ToolResult && f.Class == fact.ClassVCS:
		return &s.vcs
	}
	return nil
}

// partOf returns the part of its turn that a captured fact is, turnParts for
// none.
func partOf(f *fact.Fact) int {
	switch {
	case f.Row == fact.RowPrompt:
		return partPrompt
	case f.Row == fact.RowOutcome || f.Row == fact.RowOpenTurn:
		return partOutcome
	case f.Class == fact.ClassCheck:
		return partCheck
	case f.Class == fact.ClassVCS:
		return partVCS
	case f.Row == fact.RowFiles:
		return partFiles
	}
	return turnParts
}
