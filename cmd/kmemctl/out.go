package main

// Rules of what is printed. This is the only file of the program that prints.
//
//   - Standard output is the answer and nothing else: with --json one document,
//     or a line each where a command streams.
//   - Standard error is everything else: errors with "kmemctl: " before them, one
//     line, no capital at the beginning, no full stop at the end; notes in round
//     brackets; questions.
//   - Whatever is printed comes from transcripts in the end. It passes clean, so
//     that no stored text can steer a terminal; colours are added afterwards, by
//     styled, and only on a terminal.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// out prints.
type out struct {
	stdout *bufio.Writer
	stderr io.Writer
	json   bool
	color  bool
	width  int // columns of the terminal; 0: not one
}

func newOut(stdout, stderr io.Writer, getenv func(string) string) *out {
	o := &out{stdout: bufio.NewWriter(stdout), stderr: stderr}
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		o.color = getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
		o.width = 80
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			o.width = w
		}
	}
	return o
}

// styled is text with a look, for line and table.
type styled struct {
	text  string
	style style
}

type style string

// The looks, as the numbers of SGR.
const (
	plain  style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
	mark   style = "1;33"
)

func (o *out) render(s styled) string {
	text := clean(s.text)
	if !o.color || s.style == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s.style) + "m" + text + "\x1b[0m"
}

// line prints one line: strings, styled text, and anything else as %v.
func (o *out) line(parts ...any) {
	for _, p := range parts {
		switch p := p.(type) {
		case styled:
			o.stdout.WriteString(o.render(p))
		case []styled:
			for _, s := range p {
				o.stdout.WriteString(o.render(s))
			}
		default:
			o.stdout.WriteString(clean(fmt.Sprint(p)))
		}
	}
	o.stdout.WriteByte('\n')
}

// linef prints one line.
func (o *out) linef(format string, args ...any) { o.line(fmt.Sprintf(format, args...)) }

// text prints text that may have several lines, and ends it with one line end.
func (o *out) text(s string) {
	if s = strings.TrimRight(clean(s), "\n"); s != "" {
		o.stdout.WriteString(s + "\n")
	}
}

// raw prints a script of the program's own.
func (o *out) raw(s string) { o.stdout.WriteString(s) }

// document prints a JSON document, indented.
func (o *out) document(v any) {
	raw, err := encode(v)
	if err != nil {
		o.fail(err.Error())
		return
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Reset()
		b.Write(raw)
	}
	o.stdout.Write(safeJSON(bytes.TrimRight(b.Bytes(), "\n")))
	o.stdout.WriteByte('\n')
}

// record prints one JSON value on one line.
func (o *out) record(v any) {
	raw, err := encode(v)
	if err != nil {
		o.fail(err.Error())
		return
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		b.Reset()
		b.Write(bytes.TrimSpace(raw))
	}
	o.stdout.Write(safeJSON(b.Bytes()))
	o.stdout.WriteByte('\n')
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// note says something that is not the answer.
func (o *out) note(format string, args ...any) {
	o.flush()
	fmt.Fprintf(o.stderr, "(%s)\n", oneLine(fmt.Sprintf(format, args...)))
}

// told prints lines to standard error that a question refers to.
func (o *out) told(format string, args ...any) {
	o.flush()
	fmt.Fprintln(o.stderr, oneLine(fmt.Sprintf(format, args...)))
}

// ask prints a question, without an end of line.
func (o *out) ask(question string) {
	o.flush()
	fmt.Fprint(o.stderr, oneLine(question)+" ")
}

// fail prints an error.
func (o *out) fail(message string) {
	o.flush()
	fmt.Fprintln(o.stderr, "kmemctl: "+oneLine(message))
}

// flush writes out what is printed. The error is that of any write so far.
func (o *out) flush() error {
	if err := o.stdout.Flush(); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// help is where the library prints the help that was asked for.
func (o *out) help() io.Writer { return o.stdout }
