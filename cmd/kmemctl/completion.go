package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// shells are the shells that completion scripts are written for.
var shells = map[string]func([]completed, completed) string{
	"bash": bashScript, "zsh": zshScript, "fish": fishScript, "powershell": powershellScript,
}

func completionCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print a completion script", ArgsUsage: "bash|zsh|fish|powershell", Category: groupDaemon,
		Description: `bash        source <(kmemctl completion bash)
zsh         source <(kmemctl completion zsh)
fish        kmemctl completion fish | source
PowerShell  kmemctl completion powershell | Out-String | Invoke-Expression`,
		Action: func(c *cli.Context) error {
			if err := arguments(c, 1, 1); err != nil {
				return err
			}
			script, ok := shells[c.Args().First()]
			if !ok {
				return usagef("no completion for %q; there are bash, zsh, fish and powershell", c.Args().First())
			}
			commands, global := describe(c.App)
			k.out.raw(script(commands, global))
			return nil
		},
	}
}

// completed is what a script needs to know of a command.
type completed struct {
	name, usage string
	options     []completedOption
	words       []string // possible arguments
	files       string   // "file" or "dir" where arguments are paths
}

type completedOption struct {
	name, usage string
	value       bool
	words       []string // possible values
	files       string
}

// values are the possible values of options, wherever they occur.
var values = map[string][]string{
	"format": {"text", "dot", "mermaid"},
	"agent":  {"claude-code", "codex"},
	"type": {"prompt", "purpose", "progress", "status", "decision", "preference", "error", "file",
		"context", "result", "action", "note", "fact", "tool_result", "thinking"},
}

func describe(app *cli.App) (commands []completed, global completed) {
	global = completed{options: describeOptions(app.Flags)}
	for _, c := range app.Commands {
		d := completed{name: c.Name, usage: c.Usage, options: describeOptions(c.Flags)}
		for _, sub := range c.Subcommands {
			d.words = append(d.words, sub.Name)
			d.options = append(d.options, describeOptions(sub.Flags)...)
		}
		switch c.Name {
		case "completion":
			d.words = []string{"bash", "zsh", "fish", "powershell"}
		case "import", "export", "why":
			d.files = "file"
		case "exclude":
			d.files = "dir"
		}
		commands = append(commands, d)
	}
	slices.SortFunc(commands, func(a, b completed) int { return strings.Compare(a.name, b.name) })
	return commands, global
}

func describeOptions(flags []cli.Flag) (options []completedOption) {
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		if !ok || f.Names()[0] == "help" {
			continue
		}
		name := f.Names()[0]
		usage := strings.ReplaceAll(d.GetUsage(), "`", "")
		o := completedOption{name: name, usage: usage, value: d.TakesValue(), words: values[name]}
		switch name {
		case "cwd":
			o.files = "dir"
		case "socket":
			o.files = "file"
		}
		options = append(options, o)
	}
	return options
}

// valued returns the options that take a value, of all commands, each once.
func valued(commands []completed, global completed) (options []completedOption) {
	seen := map[string]bool{}
	for _, c := range append([]completed{global}, commands...) {
		for _, o := range c.options {
			if o.value && !seen[o.name] {
				seen[o.name] = true
				options = append(options, o)
			}
		}
	}
	return options
}

func dashed(options []completedOption) string {
	var names []string
	for _, o := range options {
		names = append(names, "--"+o.name)
	}
	return strings.Join(names, " ")
}

func namesOf(commands []completed) string {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

func bashScript(commands []completed, global completed) string {
	var b strings.Builder
	options := valued(commands, global)
	fmt.Fprintf(&b, `# bash completion for kmemctl
_kmemctl() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        %s) ((i++)) ;;
        -*) ;;
        *) command=${COMP_WORDS[i]}; break ;;
        esac
    done
    COMPREPLY=()
    case $prev in
`, strings.ReplaceAll(dashed(options), " ", "|"))
	for _, o := range options {
		fmt.Fprintf(&b, "    --%s) %s return ;;\n", o.name, bashWords(o.words, o.files))
	}
	fmt.Fprintf(&b, `    esac
    if [[ -z $command && $cur != -* ]]; then
        COMPREPLY=($(compgen -W "%s help" -- "$cur"))
        return
    fi
    local options="--help %s"
    case $command in
`, namesOf(commands), dashed(global.options))
	for _, c := range commands {
		if own := dashed(c.options); own != "" {
			fmt.Fprintf(&b, "    %s) options+=\" %s\" ;;\n", c.name, own)
		}
	}
	b.WriteString(`    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$cur"))
        return
    fi
    case $command in
`)
	for _, c := range commands {
		if w := bashWords(c.words, c.files); w != "" {
			fmt.Fprintf(&b, "    %s) %s ;;\n", c.name, w)
		}
	}
	fmt.Fprintf(&b, "    help) %s ;;\n    esac\n}\ncomplete -o filenames -F _kmemctl kmemctl\n", bashWords(strings.Fields(namesOf(commands)), ""))
	return b.String()
}

// bashWords is the statement that offers words or paths, empty for neither.
func bashWords(words []string, files string) string {
	switch {
	case len(words) > 0:
		return fmt.Sprintf(`COMPREPLY=($(compgen -W "%s" -- "$cur"));`, strings.Join(words, " "))
	case files == "dir":
		return `local IFS=$'\n'; COMPREPLY=($(compgen -d -- "$cur"));`
	case files == "file":
		return `local IFS=$'\n'; COMPREPLY=($(compgen -f -- "$cur"));`
	default:
		return ""
	}
}
