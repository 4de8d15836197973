package daemon

import (
	"context"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

// watch sends what is captured from now on until the connection closes. A
// reader that is too slow is told how many it missed.
func (d *Daemon) watch(_ context.Context, p api.WatchParams, conn *ipc.Conn) (api.WatchResult, error) {
	project := ""
	if p.Cwd != "" {
		if err := needCwd(p.Cwd); err != nil {
			return api.WatchResult{}, err
		}
		project = d.pool.ProjectOf(p.Cwd)
	}
	conn.Subscribe(d.pool.Subscribe(func(of string, entries []fact.Entry) {
		if project != "" && of != project {
			return
		}
		for _, e := range entries {
			conn.Notify(api.NotifyCaptured, api.Captured{Project: of, Entry: e})
		}
	}))
	return api.WatchResult{Watching: true}, nil
}
