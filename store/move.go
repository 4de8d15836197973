package store

import "context"

// Move has a directory outside Git that has moved be one project with what it
// was: the store of the old one comes along. Git repositories need no telling.
func (p *Pool) Move(ctx context.Context, from, to string) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	for _, dir := range []string{from, to} {
		if !absolute(normal(dir)) {
			return &InvalidError{"directory", "not an absolute path"}
		}
	}
	old := p.place(from).dir
	if len(p.stores(p.catalog.follow(old))) == 0 {
		return ErrNotFound
	}
	target := p.project(ctx, to)
	c := p.catalog
	c.mu.Lock()
	if c.followLocked(old) != target {
		row := c.projects[old]
		row.moved = target
		c.setProject(old, row)
		there := c.projects[target]
		there.moved = ""
		if there.root == "" {
			there.root = p.place(to).dir
		}
		c.setProject(target, there)
	}
	c.mu.Unlock()
	p.registryChanged()
	return c.flush()
}
