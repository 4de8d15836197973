package main

import (
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// optionForm tells an option from a value that begins with a dash ("-", "-5",
// "- a bullet").
var optionForm = regexp.MustCompile(`^--?([A-Za-z][A-Za-z0-9-]*)(?s:=(.*))?$`)

// option is one option of the line.
type option struct {
	name string // as written, without dashes
	args []string
}

// optionInfo is what is known of an option's name.
type optionInfo struct {
	takesValue bool
}

// arrange puts the words of a line into the order that the library wants:
// global options, command, its options, the end of options, arguments. So
// options may stand anywhere. A command or an option that does not exist is a
// usage error that names the nearest one.
func arrange(app *cli.App, args []string) ([]string, error) {
	every := optionsOf(app.Flags)
	collect(app.Commands, every)
	options, words, literal, err := split(args[1:], every)
	if err != nil {
		return nil, err
	}
	help := false
	if len(words) > 0 && words[0] == "help" {
		help, words = true, words[1:]
	}
	line := []string{args[0]}
	global, own := optionsOf(app.Flags), map[string]optionInfo{}
	path := "kmemctl"
	var names []string
	for level := app.Commands; len(level) > 0 && len(words) > 0; {
		c := find(level, words[0])
		if c == nil {
			return nil, usagef("there is no command %q%s", strings.TrimPrefix(path+" "+words[0], "kmemctl "), didYouMean(words[0], "", commandNames(level)))
		}
		names, words, own, level = append(names, words[0]), words[1:], optionsOf(c.Flags), c.Subcommands
		path += " " + c.Name
	}
	var after []string
	for _, o := range options {
		switch {
		case o.name == "help" || o.name == "h":
			help = true
		case has(own, o.name):
			after = append(after, o.args...)
		case has(global, o.name):
			line = append(line, o.args...)
		default:
			known := append(keys(own), keys(global)...)
			return nil, usagef("%s has no option --%s%s", path, o.name, didYouMean(o.name, "--", known))
		}
	}
	line = append(line, names...)
	if help {
		return append(line, "--help"), nil
	}
	line = append(line, after...)
	return append(append(append(line, "--"), words...), literal...), nil
}

// split takes a line apart into options, words and what stands behind "--".
func split(args []string, every map[string]optionInfo) (options []option, words, literal []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return options, words, args[i+1:], nil
		}
		m := optionForm.FindStringSubmatch(arg)
		if m == nil {
			words = append(words, arg)
			continue
		}
		o := option{name: m[1], args: []string{arg}}
		info, known := every[o.name]
		if known && info.takesValue && !strings.Contains(arg, "=") {
			if i++; i == len(args) {
				return nil, nil, nil, usagef("--%s needs a value", o.name)
			}
			o.args = []string{arg + "=" + args[i]}
		}
		if !known && o.name != "help" && o.name != "h" {
			hint := didYouMean(o.name, "--", keys(every))
			if hint == "" {
				hint = "; put -- before words that begin with a dash"
			}
			return nil, nil, nil, usagef("there is no option %s%s", m[0], hint)
		}
		options = append(options, o)
	}
	return options, words, nil, nil
}

// collect adds the options of all commands. An option's name means the same
// form wherever it occurs, so that a line can be read before its command is
// known.
func collect(cs []*cli.Command, into map[string]optionInfo) {
	for _, c := range cs {
		for name, info := range optionsOf(c.Flags) {
			into[name] = info
		}
		collect(c.Subcommands, into)
	}
}

func optionsOf(flags []cli.Flag) map[string]optionInfo {
	m := map[string]optionInfo{}
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		for _, name := range f.Names() {
			m[name] = optionInfo{takesValue: ok && d.TakesValue()}
		}
	}
	return m
}

func find(cs []*cli.Command, name string) *cli.Command {
	for _, c := range cs {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

func commandNames(cs []*cli.Command) []string {
	var names []string
	for _, c := range cs {
		names = append(names, c.Name)
	}
	return names
}

func has(m map[string]optionInfo, name string) bool {
	_, ok := m[name]
	return ok
}

func keys(m map[string]optionInfo) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}
