package agents

import (
	"slices"
	"strings"

	"github.com/kmemd/kmemd/ingest/event"
	"github.com/kmemd/kmemd/ingest/scan"
)

const (
	maxLanes    = 64
	maxHeld     = 256
	maxHeldText = 512 << 10
)

// sub reports whether the record belongs to a sub-agent or a team-mate. A
// team's leader carries the team's name too, but is the user's own session.
func (d *claudeDecoder) sub() bool {
	r := &d.rec
	return d.state.Sub || r.sidechain || r.team.Exists() && r.teammate.Kind() == scan.String &&
		!r.teammate.TextIs("") && !r.teammate.TextIs("team-lead")
}

// session names the session that the record belongs to, and its parent's.
func (d *claudeDecoder) session() (id, parent string) {
	r := &d.rec
	main := r.session.Text(128)
	if main == "" {
		main = d.state.Name
	}
	if !d.state.Sub && !r.sidechain {
		return main, ""
	}
	switch agent := r.agent.Text(128); {
	case agent != "":
		return "agent-" + agent, main
	case d.state.Sub:
		return d.state.Name, main
	}
	return main + "/sidechain", main
}

// event begins an event of the present record. Suffix tells the events of one
// record apart; it depends on the record alone, so that copies agree.
func (d *claudeDecoder) event(kind event.Kind, suffix string) event.Event {
	r := &d.rec
	id, _ := d.session()
	return event.Event{
		Kind: kind, Record: r.uuid + suffix, Time: r.time, Offset: r.offset, End: r.end,
		Session: id, Cwd: d.dir(), Sub: d.sub(),
	}
}

// dir is the record's directory. Most records repeat the one before.
func (d *claudeDecoder) dir() string {
	if !d.rec.cwd.TextIs(d.cwd) {
		d.cwd = strings.TrimSpace(d.rec.cwd.Text(4096))
	}
	return d.cwd
}

// emit reports an event, after what must be known of its session; while no
// directory is known it is held back instead.
func (d *claudeDecoder) emit(e event.Event) {
	d.open("", false)
	d.put(e)
}

func (d *claudeDecoder) put(e event.Event) {
	if d.state.Placed {
		d.out = append(d.out, e)
		return
	}
	if e.Cwd == "" {
		d.hold(e)
		return
	}
	d.place(e.Cwd)
	d.out = append(d.out, e)
}

// place lets go of the events that were held: they belong to the first
// directory of the file.
func (d *claudeDecoder) place(cwd string) {
	d.state.Placed = true
	for _, held := range d.state.Held {
		held.Cwd = cwd
		d.out = append(d.out, held)
	}
	d.state.Held = nil
}

// hold keeps an event until a directory is known. A file that says so much
// and never where it ran is let go without.
func (d *claudeDecoder) hold(e event.Event) {
	d.state.Held = append(d.state.Held, e)
	size := 0
	for i := range d.state.Held {
		size += len(d.state.Held[i].Text)
	}
	if len(d.state.Held) > maxHeld || size > maxHeldText {
		d.place("")
	}
}

// open reports a session when its first event comes, and again when its model
// or its program's version changes. A new version in an old session means
// that it was resumed.
func (d *claudeDecoder) open(model string, resumed bool) {
	r := &d.rec
	if r.typ.Kind() != scan.String || r.uuid == "" {
		return
	}
	id, parent := d.session()
	lane, fresh := d.lane(id)
	version := r.version.Text(64)
	if version == "" {
		version = lane.Version
	}
	if model == "" {
		model = lane.Model
	}
	again := resumed || !fresh && lane.Version != "" && version != lane.Version
	if !fresh && !again && model == lane.Model {
		return
	}
	lane.Model, lane.Version = model, version
	e := d.event(event.SessionStarted, "#session:"+id)
	e.Agent, e.Model, e.Version, e.Parent = claudeName, model, version, parent
	e.Branch = r.branch.Text(256)
	e.Resumed = again
	d.put(e)
}

// lane finds or makes the lane of a session; of too many the oldest goes.
func (d *claudeDecoder) lane(id string) (lane *claudeLane, fresh bool) {
	for i := range d.state.Lanes {
		if d.state.Lanes[i].Session == id {
			return &d.state.Lanes[i], false
		}
	}
	if len(d.state.Lanes) == maxLanes {
		d.state.Lanes = slices.Delete(d.state.Lanes, 0, 1)
	}
	d.state.Lanes = append(d.state.Lanes, claudeLane{Session: id})
	return &d.state.Lanes[len(d.state.Lanes)-1], true
}

// title reports a title that was given to the session.
func (d *claudeDecoder) title() {
	r := &d.rec
	title := strings.TrimSpace(r.body.Get("customTitle").Text(300))
	if title == "" {
		title = strings.TrimSpace(r.body.Get("aiTitle").Text(300))
	}
	if title == "" || title == d.state.Title {
		return
	}
	d.state.Title = title
	id, _ := d.session()
	r.uuid = id + "/title/" + contentID([]byte(title))
	e := d.event(event.SessionStarted, "")
	e.Agent, e.Title = claudeName, title
	d.put(e)
}

// system reads the records by which the program itself says that a turn has ended.
func (d *claudeDecoder) system() {
	r := &d.rec
	switch {
	case r.subtype.TextIs("turn_duration"):
		d.emit(d.event(event.TurnClosed, ""))
	case r.subtype.TextIs("stop_hook_summary"):
		errors := 0
		r.body.Get("hookErrors").Elements(func(int, scan.Value) bool { errors++; return false })
		if errors == 0 && !r.body.Get("preventedContinuation").True() {
			d.emit(d.event(event.TurnClosed, ""))
		}
	}
}

// attachment reads the few attachments that are not injected context.
func (d *claudeDecoder) attachment() {
	a := d.rec.attachment
	switch kind := a.Get("type"); {
	case kind.TextIs("queued_command"):
		d.queuedCommand(a)
	case kind.TextIs("hook_success"), kind.TextIs("hook_additional_context"):
		if a.Get("hookName").TextIs("SessionStart:resume") {
			d.open("", true)
		}
	}
}
