package daemon

import (
	"context"
	"time"

	"github.com/kmemd/kmemd/store"
)

// retentionEvery is how often what is too old is looked for.
const retentionEvery = time.Hour

// housekeep does what nobody asks for: it forgets what the configuration says
// is too old, and has the transcripts of a lost store read again.
func (d *Daemon) housekeep(ctx context.Context) error {
	tick := time.NewTicker(retentionEvery)
	defer tick.Stop()
	d.retain(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-d.lost:
			d.log.Warn("a store was lost; its transcripts are read again")
			d.ingest.Rescan(true)
		case <-tick.C:
			d.retain(ctx)
		}
	}
}

// storeLost is called by the pool, which must not be called back from here.
func (d *Daemon) storeLost([]store.SourceID) {
	select {
	case d.lost <- struct{}{}:
	default:
	}
}

// retain forgets what is older than the configuration allows.
func (d *Daemon) retain(ctx context.Context) {
	age := d.config().Retention.MaxAge.Duration
	if age <= 0 {
		return
	}
	horizon := d.now() - age.Milliseconds()
	projects, err := d.pool.Projects(ctx)
	if err != nil {
		d.log.Warn("retention put off", "err", err)
		return
	}
	for _, p := range projects {
		v, err := d.pool.View(ctx, p.Cwd)
		if err != nil {
			continue // it stands in status
		}
		old := false
		for i := range v.Facts {
			old = old || v.Facts[i].UpdatedAt < horizon
		}
		if !old {
			continue
		}
		err = d.pipe.alone(ctx, func() error {
			_, err := d.pool.Forget(ctx, p.Cwd, store.Forget{Before: horizon})
			return err
		})
		if err != nil && ctx.Err() == nil {
			d.log.Warn("retention failed", "cwd", p.Cwd, "err", err)
		}
	}
}
