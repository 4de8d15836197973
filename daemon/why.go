package daemon

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"

	"github.com/kmemd/kmemd/ingest/agents"
	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/rules/lang"
	"github.com/kmemd/kmemd/store/fact"
)

// Bounds of the passage that why shows: how much of a record is read, and how
// much of its text is shown, in bytes.
const (
	passageRead  = 4 << 20
	passageShown = 4 << 10
)

// why says where an entry, or the present state of a file, comes from.
func (d *Daemon) why(ctx context.Context, p api.GetParams) (api.WhyResult, error) {
	v, err := d.view(ctx, p.Cwd)
	if err != nil {
		return api.WhyResult{}, err
	}
	out := api.WhyResult{Parents: []fact.Entry{}, Children: []fact.Entry{}}
	f, ok := v.GetIn(p.Namespace, p.Key)
	if !ok {
		if out.Path = lang.Relative(p.Key, v.Project); d.touches(v, &out) {
			return out, nil
		}
		return api.WhyResult{}, notFound("neither an entry nor a file %q is known in %s", p.Key, v.Project)
	}
	out.Entry, out.Past = f.Entry, f.Past
	for _, key := range f.References {
		if parent, ok := v.GetIn(f.Namespace, key); ok {
			out.Parents = append(out.Parents, parent.Entry)
		}
	}
	for i := range v.Facts {
		if child := &v.Facts[i]; child.Namespace == f.Namespace && contains(child.References, f.Key) {
			out.Children = append(out.Children, child.Entry)
		}
	}
	out.Text = d.passage(f.Origin)
	return out, nil
}

// touches lists what agents did to a file, newest first.
func (d *Daemon) touches(v *fact.View, out *api.WhyResult) bool {
	files := map[string]string{}
	agent := map[string]string{}
	for _, s := range v.Sessions {
		files[s.ID], agent[s.ID] = s.File, s.Agent
	}
	for _, t := range v.Files {
		if t.Path == out.Path {
			out.Touches = append(out.Touches, api.Touch{Action: t.Action, Agent: agent[t.Session], Session: t.Session, At: t.Time, File: files[t.Session], Offset: t.Pos})
		}
	}
	return len(out.Touches) > 0
}

// passage reads the words of the record that gave an entry from its
// transcript; empty where that is gone. Secrets are taken out.
func (d *Daemon) passage(o *fact.Origin) string {
	if o == nil || o.File == "" || o.Via != fact.ViaTranscript {
		return ""
	}
	agent, ok := agents.ByName(o.Agent)
	if !ok {
		return ""
	}
	line := readLine(o.File, o.Offset)
	if len(line) == 0 {
		return ""
	}
	dec, err := agent.Open(agents.File{Path: o.File}, nil)
	if err != nil {
		return ""
	}
	events, err := dec.Decode(nil, line, o.Offset, o.Offset+int64(len(line)))
	if err != nil {
		return ""
	}
	var parts []string
	for _, ev := range events {
		if t := strings.TrimSpace(ev.Text); t != "" {
			parts = append(parts, t)
		}
	}
	text, _ := d.redact.Text(strings.Join(parts, "\n"))
	return lang.Clip(lang.Clean(text), passageShown)
}

func readLine(path string, offset int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil
	}
	line, err := bufio.NewReaderSize(io.LimitReader(f, passageRead), 64<<10).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil
	}
	return []byte(strings.TrimRight(string(line), "\r\n"))
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
