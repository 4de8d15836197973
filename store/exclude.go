package store

import "slices"

// Exclude has a directory, and all below it, never be read or stored. What is
// stored of it already stays until it is forgotten.
func (p *Pool) Exclude(dir string) error {
	if !absolute(normal(dir)) {
		return &InvalidError{"directory", "not an absolute path"}
	}
	return p.setExcluded(func(list []string) []string {
		for _, d := range []string{normal(dir), p.place(dir).dir} {
			if !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
		slices.Sort(list)
		return list
	})
}

// Unexclude takes an exclusion back; false means that there was none.
func (p *Pool) Unexclude(dir string) (bool, error) {
	found := false
	err := p.setExcluded(func(list []string) []string {
		gone := func(d string) bool { return d == normal(dir) || d == p.place(dir).dir }
		found = slices.ContainsFunc(list, gone)
		return slices.DeleteFunc(list, gone)
	})
	return found, err
}

func (p *Pool) setExcluded(change func([]string) []string) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	p.catalog.mu.Lock()
	list := slices.Clone(p.catalog.settings.excluded)
	p.catalog.mu.Unlock()
	list = change(list)
	return p.catalog.setSettings(func(s *settings) { s.excluded = list })
}

// Excluded returns the excluded directories, sorted.
func (p *Pool) Excluded() []string {
	p.catalog.mu.Lock()
	defer p.catalog.mu.Unlock()
	return slices.Clone(p.catalog.settings.excluded)
}

// IsExcluded reports whether a path is an excluded directory or lies below one.
func (p *Pool) IsExcluded(path string) bool {
	p.catalog.mu.Lock()
	list := p.catalog.settings.excluded
	p.catalog.mu.Unlock()
	if len(list) == 0 {
		return false
	}
	dir := normal(path)
	return slices.ContainsFunc(list, func(d string) bool { return within(d, dir) }) ||
		slices.ContainsFunc(list, func(d string) bool { return within(d, p.place(path).dir) })
}
