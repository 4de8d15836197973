package store

import "github.com/kmemd/kmemd/store/fact"

func (c *codec) write(w *fact.Write) {
	c.stamp(&w.Stamp)
	c.text(&w.Record)
	c.text(&w.Agent)
	c.text(&w.Role)
	tag(c, &w.Row)
	c.text(&w.Key)
	c.text(&w.Value)
	tag(c, &w.Type)
	c.texts(&w.Parents)
	tag(c, &w.Class)
	c.text(&w.Turn)
}

func (c *codec) part(p *fact.Part) {
	there := *p != (fact.Part{})
	c.flag(&there)
	if !there {
		return
	}
	c.stamp(&p.Stamp)
	c.text(&p.Record)
	c.text(&p.Key)
	c.text(&p.Value)
	tag(c, &p.Type)
}

func (c *codec) turn(t *fact.Turn) {
	c.stamp(&t.Stamp)
	c.text(&t.ID)
	c.text(&t.Agent)
	c.flag(&t.Sub)
	c.count(&t.Ordinal)
	c.num(&t.End)
	c.flag(&t.Closed)
	c.flag(&t.Void)
	c.text(&t.Prompt)
	c.text(&t.Open)
	c.part(&t.Result)
	c.part(&t.Action)
	c.part(&t.Files)
	c.texts(&t.Parents)
}

func (c *codec) run(r *fact.Run) {
	c.stamp(&r.Stamp)
	c.text(&r.Record)
	c.text(&r.Agent)
	c.flag(&r.Failed)
	c.text(&r.Key)
	c.text(&r.Value)
	c.text(&r.Subject)
	c.text(&r.Group)
	c.text(&r.Label)
	c.count(&r.Times)
	c.flag(&r.Whole)
	tag(c, &r.Class)
	c.texts(&r.Parents)
	c.text(&r.Turn)
}

func (c *codec) task(t *fact.TaskItem) {
	c.stamp(&t.Stamp)
	c.text(&t.Record)
	c.text(&t.Agent)
	c.text(&t.Slug)
	c.text(&t.ID)
	c.text(&t.Text)
	c.text(&t.Status)
	c.text(&t.Note)
	c.count(&t.Rounds)
	c.texts(&t.Parents)
	c.text(&t.Turn)
}

func (c *codec) list(l *fact.TaskList) {
	c.stamp(&l.Stamp)
	c.text(&l.Record)
	c.texts(&l.Slugs)
}

func (c *codec) compaction(p *fact.Compaction) {
	c.stamp(&p.Stamp)
	c.text(&p.Record)
	c.text(&p.Agent)
	c.text(&p.Checkpoint)
	n := len(p.Sections)
	c.count(&n)
	if c.reading {
		p.Sections = nil
		// Every section takes four bytes at least: more than that is damage.
		if n < 0 || n > len(c.in) {
			c.broken = true
			return
		}
		if n > 0 {
			p.Sections = make([]fact.Section, n)
		}
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		c.text(&s.Key)
		c.text(&s.Value)
		tag(c, &s.Type)
		c.flag(&s.Progress)
	}
	c.texts(&p.Parents)
}

func (c *codec) call(l *fact.Call) {
	c.stamp(&l.Stamp)
	c.text(&l.Record)
	c.text(&l.Agent)
	c.text(&l.Name)
	c.text(&l.Args)
	c.text(&l.Result)
	c.flag(&l.Failed)
	c.text(&l.Key)
}

func (c *codec) file(f *fact.File) {
	c.stamp(&f.Stamp)
	c.text(&f.Path)
	c.text(&f.Action)
}

func (c *codec) session(s *fact.Session) {
	c.text(&s.ID)
	c.text(&s.Agent)
	c.text(&s.Model)
	c.text(&s.Provider)
	c.text(&s.BaseURL)
	c.text(&s.Version)
	c.text(&s.Branch)
	c.text(&s.Title)
	c.text(&s.Cwd)
	c.num(&s.StartedAt)
	c.num(&s.UpdatedAt)
	c.count(&s.Turns)
	c.text(&s.File)
	c.text(&s.Parent)
	c.flag(&s.Sub)
}

func (c *codec) entry(e *fact.Entry) {
	c.text(&e.Key)
	c.text(&e.Value)
	c.text(&e.Namespace)
	tag(c, &e.Type)
	c.texts(&e.References)
	c.num(&e.CreatedAt)
	c.num(&e.UpdatedAt)
	there := e.Origin != nil
	c.flag(&there)
	if !there {
		return
	}
	if c.reading {
		e.Origin = new(fact.Origin)
	}
	o := e.Origin
	c.text(&o.Agent)
	c.text(&o.Session)
	c.text(&o.Record)
	c.text(&o.File)
	c.num(&o.Offset)
	c.text(&o.Role)
	c.text(&o.Via)
}

func (c *codec) past(list *[]fact.Past) {
	n := len(*list)
	c.count(&n)
	if c.reading {
		*list = nil
		if n < 0 || n > len(c.in) {
			c.broken = true
			return
		}
		if n > 0 {
			*list = make([]fact.Past, n)
		}
	}
	for i := range *list {
		c.text(&(*list)[i].Value)
		c.num(&(*list)[i].At)
	}
}
