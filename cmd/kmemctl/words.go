package main

import (
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kmemd/kmemd/store/fact"
)

// preview is how much of a value is shown in a list, in bytes, where no
// terminal's width cuts it.
const preview = 300

// age says how long ago a time was, in the words of the memory block.
func age(ms int64) string {
	if ms <= 0 {
		return "never"
	}
	d := time.Since(time.UnixMilli(ms))
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd ago", int(d.Hours()/24))
	}
}

// when is a time in full, with its age.
func when(ms int64) string {
	if ms <= 0 {
		return "never"
	}
	return time.UnixMilli(ms).Format("2006-01-02 15:04:05") + ", " + age(ms)
}

// span is a duration in two units at most.
func span(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm %ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh %dm", int(d.Hours()), int(d.Minutes())%60)
	default:
		return fmt.Sprintf("%dd %dh", int(d.Hours())/24, int(d.Hours())%24)
	}
}

// size is a number of bytes.
func size(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n), 0
	for f >= 1024 && unit < 4 {
		f, unit = f/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", f, " KMGT"[unit])
}

// count is a number with its noun: "1 entry", "2 entries".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// home writes a path with ~ where it lies in the home directory.
func home(path string) string {
	dir, err := os.UserHomeDir()
	if err != nil || len(dir) < 2 {
		return path
	}
	if rest, ok := strings.CutPrefix(path, dir); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return "~" + rest
	}
	return path
}

// cut shortens a text to a number of bytes, at a character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "..."
}

// typeStyle is the look of an entry's type.
func typeStyle(t fact.Type) style {
	switch t {
	case fact.Error:
		return red
	case fact.Prompt, fact.Purpose:
		return cyan
	case fact.Result, fact.Status:
		return green
	case fact.Decision, fact.Preference:
		return yellow
	default:
		return plain
	}
}

// origin says in words where an entry comes from.
func origin(e *fact.Entry) string {
	o := e.Origin
	if o == nil {
		return "its origin is not known"
	}
	var b strings.Builder
	switch o.Via {
	case fact.ViaTranscript:
		b.WriteString("captured")
	case fact.ViaTool:
		b.WriteString("saved by a tool call")
	case fact.ViaCLI:
		b.WriteString("saved on the command line")
	case fact.ViaImport:
		b.WriteString("imported")
	default:
		b.WriteString("came by " + o.Via)
	}
	if o.Agent != "" {
		b.WriteString(" from " + o.Agent)
	}
	if o.Session != "" {
		b.WriteString(", session " + o.Session)
	}
	if o.Role != "" {
		b.WriteString(", " + o.Role)
	}
	return b.String()
}

// place is the record that an entry comes from, empty without one.
func place(e *fact.Entry) string {
	if e.Origin == nil || e.Origin.File == "" {
		return ""
	}
	return fmt.Sprintf("%s at byte %d", home(e.Origin.File), e.Origin.Offset)
}
