package daemon

import (
	"context"

	"github.com/kmemd/kmemd/ipc"
	"github.com/kmemd/kmemd/ipc/api"
)

// handlers is the table of everything the daemon answers.
func (d *Daemon) handlers() map[string]ipc.Handler {
	return map[string]ipc.Handler{
		api.MethodToolsList:     method(d.toolsList),
		api.MethodToolsCall:     method(d.toolsCall),
		api.MethodRender:        method(d.render),
		api.MethodGet:           method(d.get),
		api.MethodWhy:           method(d.why),
		api.MethodList:          method(d.list),
		api.MethodSearch:        method(d.search),
		api.MethodSessions:      method(d.sessions),
		api.MethodProjects:      method(d.projects),
		api.MethodSessionConfig: method(d.sessionConfig),
		api.MethodCapture:       method(d.capture),
		api.MethodForget:        method(d.forget),
		api.MethodExclude:       method(d.exclude),
		api.MethodPause:         method(d.pause),
		api.MethodUnpause:       method(d.unpause),
		api.MethodRescan:        method(d.rescan),
		api.MethodErrors:        method(d.errors),
		api.MethodHandoff:       method(d.handoff),
		api.MethodAgents:        method(d.agents),
		api.MethodMetrics:       method(d.metricsText),
		api.MethodSync:          method(d.sync),
		api.MethodExport:        method(d.export),
		api.MethodImport:        method(d.importPage),
		api.MethodGraph:         method(d.graph),
		api.MethodStatus:        method(d.status),
		api.MethodWatch:         ipc.MethodConn(d.watch),
	}
}

// method adapts a function of the daemon: its errors get the codes of the
// interface.
func method[P, R any](fn func(context.Context, P) (R, error)) ipc.Handler {
	return ipc.Method(func(ctx context.Context, p P) (R, error) {
		r, err := fn(ctx, p)
		return r, asRPC(err)
	})
}
