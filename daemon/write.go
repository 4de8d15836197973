package daemon

import (
	"context"
	"slices"
	"time"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store"
	"github.com/kmemd/kmemd/store/fact"
)

func (d *Daemon) forget(ctx context.Context, p api.ForgetParams) (api.ForgetResult, error) {
	if err := needCwd(p.Cwd); err != nil {
		return api.ForgetResult{}, err
	}
	ways := 0
	for _, set := range []bool{len(p.Keys) > 0, p.Session != "", p.Before > 0, p.All} {
		if set {
			ways++
		}
	}
	if ways != 1 {
		return api.ForgetResult{}, invalid("", "say what to forget: exactly one of keys, session, before and all")
	}
	if len(p.Keys) > 0 {
		deleted, err := d.delete(ctx, p.Cwd, p.Namespace, p.Keys)
		return api.ForgetResult{Forgotten: len(deleted)}, err
	}
	n := 0
	err := d.pipe.alone(ctx, func() (err error) {
		n, err = d.pool.Forget(ctx, p.Cwd, store.Forget{Session: p.Session, Before: p.Before, All: p.All})
		return err
	})
	return api.ForgetResult{Forgotten: n}, err
}

// delete removes entries so that no state of a reading brings them back.
func (d *Daemon) delete(ctx context.Context, cwd, namespace string, keys []string) (deleted []string, err error) {
	err = d.pipe.alone(ctx, func() (err error) {
		deleted, err = d.pool.Delete(ctx, cwd, namespace, keys)
		return err
	})
	return deleted, err
}

// export gives one page of the project's entries, in the order of their keys.
func (d *Daemon) export(ctx context.Context, p api.ExportParams) (api.ExportResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.ExportResult{}, err
	}
	all := make([]*fact.Fact, len(v.Facts))
	for i := range v.Facts {
		all[i] = &v.Facts[i]
	}
	page, next, err := paginate(all, p.Cursor, api.MaxLimit)
	if err != nil {
		return api.ExportResult{}, err
	}
	return api.ExportResult{Entries: entries(page), Next: next}, nil
}

func (d *Daemon) importPage(ctx context.Context, p api.ImportParams) (api.ImportResult, error) {
	if err := needCwd(p.Cwd); err != nil {
		return api.ImportResult{}, err
	}
	for i := range p.Entries {
		value, _ := d.redact.Text(p.Entries[i].Value)
		p.Entries[i].Value = lang.Clean(value)
	}
	n, err := d.pool.Import(ctx, p.Cwd, p.Entries)
	return api.ImportResult{Imported: n}, err
}

func (d *Daemon) exclude(_ context.Context, p api.ExcludeParams) (api.ExcludeResult, error) {
	var err error
	switch {
	case p.Directory == "":
	case needCwd(p.Directory) != nil:
		return api.ExcludeResult{}, invalid("directory", "%q is not an absolute directory", p.Directory)
	case p.Remove:
		var there bool
		if there, err = d.pool.Unexclude(p.Directory); err == nil && !there {
			err = notFound("%s is not excluded", p.Directory)
		}
	default:
		err = d.pool.Exclude(p.Directory)
	}
	all := append(d.pool.Excluded(), d.config().Exclude...)
	slices.Sort(all)
	return api.ExcludeResult{Excluded: slices.Compact(all)}, err
}

func (d *Daemon) pause(context.Context, api.None) (api.PauseResult, error) { return d.setPaused(true) }

func (d *Daemon) unpause(context.Context, api.None) (api.PauseResult, error) {
	return d.setPaused(false)
}

func (d *Daemon) setPaused(on bool) (api.PauseResult, error) {
	if err := d.pool.Pause(on); err != nil {
		return api.PauseResult{Paused: d.pool.Paused()}, err
	}
	d.ingest.Pause(on)
	return api.PauseResult{Paused: on}, nil
}

// rescan looks at every source again; full reads each from its beginning. The
// reading goes on after the answer.
func (d *Daemon) rescan(_ context.Context, p api.RescanParams) (api.RescanResult, error) {
	d.ingest.Rescan(p.Full)
	n := 0
	for _, r := range d.ingest.Status() {
		n += r.Files
	}
	return api.RescanResult{Sources: n}, nil
}

// sync answers when all that was in the transcripts at the call is stored.
func (d *Daemon) sync(ctx context.Context, _ api.CwdParams) (api.SyncResult, error) {
	start := time.Now()
	if err := d.ingest.Sync(ctx); err != nil {
		return api.SyncResult{}, err
	}
	if err := d.pipe.flush(ctx); err != nil {
		return api.SyncResult{}, err
	}
	n := 0
	for _, r := range d.ingest.Status() {
		n += r.Files
	}
	return api.SyncResult{Sources: n, Took: time.Since(start).Milliseconds()}, nil
}
