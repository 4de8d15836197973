package store

import (
	"context"
	"slices"
)

// maxMoves bounds a chain of moved projects.
const maxMoves = 16

// follow returns what a project has become.
func (c *catalog) follow(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.followLocked(id)
}

func (c *catalog) followLocked(id string) string {
	for range maxMoves {
		row, ok := c.projects[id]
		if !ok || row.moved == "" {
			return id
		}
		id = row.moved
	}
	return id
}

// alias returns what a directory that is gone led to.
func (c *catalog) alias(dir string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	to, ok := c.aliases[dir]
	return to, ok
}

// maxAliases bounds what is remembered of symbolic links.
const maxAliases = 4096

// learnAlias remembers to what a directory leads, for when it is gone.
func (c *catalog) learnAlias(from, to string) {
	if from == to {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.aliases) < maxAliases {
		c.setAlias(from, to)
	}
}

// repositoryOf returns the repository in which a directory was when last seen.
func (c *catalog) repositoryOf(dir string) (repository, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	row, ok := c.directories[dir]
	if !ok || row.project == dir {
		return repository{}, false
	}
	project := c.projects[row.project]
	return repository{common: row.project, root: project.root, tree: dir}, project.git
}

// stores returns the directories with stores that belong to a project, sorted.
func (p *Pool) stores(id string) []string {
	c := p.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []string
	for dir, row := range c.directories {
		if row.store && c.followLocked(p.ownProject(dir, row)) == id {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return out
}

// ownProject returns the identity of the project of a registered directory,
// moves not followed.
func (p *Pool) ownProject(dir string, row directoryRow) string {
	if p.o.Scope == ScopeDirectory {
		return dir
	}
	return row.project
}

// projectOfStore returns the project of a directory with a store, after all moves.
func (p *Pool) projectOfStore(dir string) string {
	c := p.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	row, ok := c.directories[dir]
	if !ok {
		return c.followLocked(dir)
	}
	return c.followLocked(p.ownProject(dir, row))
}

// register remembers where a directory belongs that gets a store.
func (p *Pool) register(ctx context.Context, dir string) {
	pl := p.place(dir)
	if pl.dir != dir {
		pl.dir = dir // named before its symbolic link was made: its store has that name
	}
	if pl.git {
		p.adopt(ctx, pl)
	}
	c := p.catalog
	c.mu.Lock()
	row := directoryRow{project: pl.project, store: true}
	old, known := c.directories[dir]
	if known && old.store && p.o.Scope == ScopeDirectory {
		row.project = old.project
	}
	if !known || old != row {
		c.setDirectory(dir, row)
	}
	if _, ok := c.projects[pl.project]; !ok {
		c.setProject(pl.project, projectRow{root: pl.dir})
	}
	c.mu.Unlock()
	if known && old != row {
		p.registryChanged()
	}
}

// adopt remembers a repository, and the root of the worktree in which it was
// seen. One that was not known before may be a known one in a new place.
func (p *Pool) adopt(ctx context.Context, pl place) {
	c := p.catalog
	c.mu.Lock()
	row, known := c.projects[pl.project]
	tree, treeKnown := c.directories[pl.repo.tree]
	back := known && row.moved != "" && pl.exists && !onDisk(c.followLocked(pl.project))
	if !treeKnown || tree.project != pl.project && !tree.store {
		c.setDirectory(pl.repo.tree, directoryRow{project: pl.project})
	}
	if known && row.git && !back {
		c.mu.Unlock()
		return
	}
	if back {
		// It has been moved away and back again.
		to := c.followLocked(pl.project)
		other := c.projects[to]
		other.moved = pl.project
		row.moved = ""
		c.setProject(to, other)
	}
	row.git, row.root = true, pl.repo.root
	c.setProject(pl.project, row)
	gone := c.goneRepositories(pl.project)
	c.mu.Unlock()
	claimed := p.claim(ctx, pl, gone)
	joined := p.rejoin(pl.repo.tree)
	p.ask(pl.project)
	if back || claimed || joined {
		p.registryChanged()
	}
}

// goneRepositories returns the known repositories whose place is empty, with
// their first commits. The caller holds c.mu.
func (c *catalog) goneRepositories(but string) map[string]string {
	gone := map[string]string{}
	for id, row := range c.projects {
		if id != but && row.git && row.moved == "" && row.commit != "" && !onDisk(id) {
			gone[id] = row.commit
		}
	}
	return gone
}

// claim lets a repository take over the stores of one that has gone and had
// the same first commit. Git is asked only where there is such a one at all.
func (p *Pool) claim(ctx context.Context, pl place, gone map[string]string) (claimed bool) {
	if len(gone) == 0 || !pl.exists {
		return false
	}
	commit := rootCommit(ctx, pl.project)
	if commit == "" {
		return false
	}
	c := p.catalog
	c.mu.Lock()
	defer c.mu.Unlock()
	row := c.projects[pl.project]
	row.commit = commit
	c.setProject(pl.project, row)
	for id, first := range gone {
		if first == commit {
			old := c.projects[id]
			old.moved = pl.project
			c.setProject(id, old)
			claimed = true
		}
	}
	return claimed
}

// rejoin looks again at the registered directories below a worktree's root:
// they may have become part of a repository that is new.
func (p *Pool) rejoin(tree string) (joined bool) {
	c := p.catalog
	c.mu.Lock()
	var below []string
	for dir, row := range c.directories {
		if row.store && within(tree, dir) {
			below = append(below, dir)
		}
	}
	c.mu.Unlock()
	for _, dir := range below {
		pl := p.look(dir)
		c.mu.Lock()
		if row := c.directories[dir]; pl.git && row.project != pl.project && p.o.Scope != ScopeDirectory {
			c.setDirectory(dir, directoryRow{project: pl.project, store: true})
			joined = true
		}
		c.mu.Unlock()
	}
	return joined
}

// ask has the first commit of a repository found out in the background.
func (p *Pool) ask(id string) {
	p.mu.Lock()
	p.questions = append(p.questions, id)
	p.mu.Unlock()
	p.wake()
}

// answer finds out the first commits that were asked for.
func (p *Pool) answer(ctx context.Context) {
	p.mu.Lock()
	ids := p.questions
	p.questions = nil
	p.mu.Unlock()
	c := p.catalog
	for _, id := range ids {
		c.mu.Lock()
		row, ok := c.projects[id]
		c.mu.Unlock()
		if !ok || row.commit != "" || ctx.Err() != nil {
			continue
		}
		commit := rootCommit(ctx, id)
		if commit == "" {
			continue
		}
		c.mu.Lock()
		row = c.projects[id]
		row.commit = commit
		c.setProject(id, row)
		c.mu.Unlock()
	}
}
