package merge

import (
	"fmt"
	"testing"

	"github.com/kmemd/kmemd/store/fact"
)

// bigProject returns contributions that give a view of about n entries, as
// many sessions of one project do.
func bigProject(n int) []*Contribution {
	const perSession = 500
	var list []*Contribution
	for s := 0; s*perSession < n; s++ {
		session := fmt.Sprintf("session-%04d", s)
		c := &Contribution{Source: "ana\x00/home/ana/" + session, Agent: "ana", Path: "/home/ana/" + session, Dir: "/home/ana/shop"}
		Accumulate(c, bigDelta(session, s, perSession), DefaultCaps(), nil)
		list = append(list, c)
	}
	return list
}

func bigDelta(session string, s, n int) *fact.Delta {
	d := &fact.Delta{}
	stamp := func(i, place int) fact.Stamp {
		return fact.Stamp{Time: int64(s*1_000_000 + i*10), Session: session, File: session, Pos: int64(i * 100), Place: place}
	}
	for i := range n / 2 {
		prompt, turn := fmt.Sprintf("prompt:%s_%d", session, i), fmt.Sprintf("%s@%d", session, i)
		d.Writes = append(d.Writes, fact.Write{Stamp: stamp(i, 0), Record: turn, Row: fact.RowPrompt, Key: prompt, Value: "please do the next thing", Type: fact.Prompt, Turn: turn})
		tool := fmt.Sprintf("tool:bash:%s_%d", session, i)
		d.Writes = append(d.Writes, fact.Write{Stamp: stamp(i, 1), Record: turn + "t", Row: fact.RowTool, Key: tool, Value: "go test => ok", Type: fact.ToolResult, Turn: turn, Parents: []string{prompt}})
		d.Calls = append(d.Calls, fact.Call{Stamp: stamp(i, 2), Record: turn + "t", Name: "bash", Args: "go test", Result: "ok"})
		d.Files = append(d.Files, fact.File{Stamp: stamp(i, 3), Path: fmt.Sprintf("f%d.go", i%50), Action: "edit"})
		d.Turns = append(d.Turns, fact.Turn{Stamp: stamp(i, 0), ID: turn, Ordinal: i + 1, End: int64(s*1_000_000 + i*10 + 5), Closed: true, Prompt: prompt, Parents: []string{tool, prompt},
			Result: fact.Part{Stamp: stamp(i, 4), Record: turn + "r", Key: fmt.Sprintf("result:%s_%d", session, i), Value: "done and tested", Type: fact.Result}})
		if i%10 == 0 {
			d.Runs = append(d.Runs, fact.Run{Stamp: stamp(i, 5), Record: turn + "t", Failed: i%20 == 0, Key: fmt.Sprintf("error:bash:%d", i), Value: "go test => FAIL", Subject: fmt.Sprint(i / 20), Turn: turn})
		}
	}
	d.Sessions = append(d.Sessions, fact.Session{ID: session, Agent: "ana", UpdatedAt: int64(s*1_000_000 + n*10)})
	return d
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		list := bigProject(n)
		rows := 0
		for _, c := range list {
			rows += c.Len()
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v := Build(Input{Contributions: list, Caps: DefaultCaps()})
				b.ReportMetric(float64(len(v.Facts)), "facts")
				b.ReportMetric(float64(rows), "rows")
			}
		})
	}
}

func BenchmarkAccumulate(b *testing.B) {
	d := bigDelta("s", 1, 20_000)
	b.ReportAllocs()
	for b.Loop() {
		Accumulate(&Contribution{}, d, DefaultCaps(), nil)
	}
}

// One live turn at a time, in a project of that many entries.
func BenchmarkStateLiveTurn(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		s := NewState("/home/ana/shop", DefaultCaps())
		for _, c := range bigProject(n) {
			s.Put(c, Changes{})
		}
		s.View()
		live := &Contribution{Source: "live", Agent: "ana", Path: "/home/ana/live", Dir: "/home/ana/shop"}
		whole := bigDelta("session-live", n, 2000)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i = (i + 1) % 1000
				d := &fact.Delta{Writes: whole.Writes[2*i : 2*i+2], Turns: whole.Turns[i : i+1], Calls: whole.Calls[i : i+1], Files: whole.Files[i : i+1]}
				s.Put(live, Accumulate(live, d, DefaultCaps(), nil))
				s.View()
			}
		})
	}
}

func BenchmarkStateLoad(b *testing.B) {
	list := bigProject(100_000)
	b.ReportAllocs()
	for b.Loop() {
		s := NewState("/home/ana/shop", DefaultCaps())
		for _, c := range list {
			s.Put(c, Changes{})
		}
		s.View()
	}
}
