package main

import (
	"fmt"
	"strings"
)

func zshScript(commands []completed, global completed) string {
	var b strings.Builder
	b.WriteString("#compdef kmemctl\n# zsh completion for kmemctl\n_kmemctl() {\n    local -a commands global\n    commands=(\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "        %s\n", zshQuote(c.name+":"+strings.ReplaceAll(c.usage, ":", `\:`)))
	}
	b.WriteString("    )\n    global=(\n        '--help[show help]'\n")
	for _, o := range global.options {
		fmt.Fprintf(&b, "        %s\n", zshOption(o))
	}
	b.WriteString(`    )
    local state line
    _arguments -C $global '1: :->command' '*:: :->arguments' && return
    case $state in
    command) _describe command commands ;;
    arguments)
        case $words[1] in
`)
	for _, c := range commands {
		fmt.Fprintf(&b, "        %s)\n            _arguments $global", c.name)
		for _, o := range c.options {
			b.WriteString(" \\\n                " + zshOption(o))
		}
		switch {
		case len(c.words) > 0:
			fmt.Fprintf(&b, " \\\n                '1: :(%s)'", strings.Join(c.words, " "))
		case c.files == "dir":
			b.WriteString(" \\\n                '*: :_files -/'")
		case c.files == "file":
			b.WriteString(" \\\n                '*: :_files'")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString(`        help) _describe command commands ;;
        esac ;;
    esac
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
    _kmemctl "$@"
else
    compdef _kmemctl kmemctl
fi
`)
	return b.String()
}

func zshOption(o completedOption) string {
	usage := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(o.usage)
	spec := fmt.Sprintf("--%s[%s]", o.name, usage)
	if o.value {
		spec = fmt.Sprintf("--%s=[%s]", o.name, usage)
		switch {
		case len(o.words) > 0:
			spec += ": :(" + strings.Join(o.words, " ") + ")"
		case o.files == "dir":
			spec += ": :_files -/"
		case o.files == "file":
			spec += ": :_files"
		default:
			spec += ": :"
		}
	}
	return zshQuote(spec)
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fishScript(commands []completed, global completed) string {
	var b strings.Builder
	b.WriteString("# fish completion for kmemctl\ncomplete -c kmemctl -f\n")
	for _, o := range global.options {
		b.WriteString("complete -c kmemctl" + fishOption(o) + "\n")
	}
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c kmemctl -n __fish_use_subcommand -a %s -d %s\n", c.name, fishQuote(c.usage))
	}
	for _, c := range commands {
		seen := fmt.Sprintf("complete -c kmemctl -n '__fish_seen_subcommand_from %s'", c.name)
		for _, o := range c.options {
			b.WriteString(seen + fishOption(o) + "\n")
		}
		switch {
		case len(c.words) > 0:
			fmt.Fprintf(&b, "%s -a %s\n", seen, fishQuote(strings.Join(c.words, " ")))
		case c.files == "dir":
			fmt.Fprintf(&b, "%s -a '(__fish_complete_directories)'\n", seen)
		case c.files == "file":
			fmt.Fprintf(&b, "%s -F\n", seen)
		}
	}
	return b.String()
}

func fishOption(o completedOption) string {
	s := " -l " + o.name
	switch {
	case len(o.words) > 0:
		s += " -x -a " + fishQuote(strings.Join(o.words, " "))
	case o.files == "dir":
		s += " -x -a '(__fish_complete_directories)'"
	case o.files == "file":
		s += " -r -F"
	case o.value:
		s += " -x"
	}
	return s + " -d " + fishQuote(o.usage)
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

func powershellScript(commands []completed, global completed) string {
	var b strings.Builder
	b.WriteString("# PowerShell completion for kmemctl\nRegister-ArgumentCompleter -Native -CommandName kmemctl -ScriptBlock {\n" +
		"    param($wordToComplete, $commandAst, $cursorPosition)\n    $commands = [ordered]@{\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "        %s = %s\n", powershellQuote(c.name), powershellQuote(c.usage))
	}
	fmt.Fprintf(&b, "    }\n    $global = @(%s)\n    $options = @{\n", powershellList("--help "+dashed(global.options)))
	for _, c := range commands {
		fmt.Fprintf(&b, "        %s = @(%s)\n", powershellQuote(c.name), powershellList(dashed(c.options)))
	}
	b.WriteString("    }\n    $words = @{\n")
	for _, c := range commands {
		if len(c.words) > 0 {
			fmt.Fprintf(&b, "        %s = @(%s)\n", powershellQuote(c.name), powershellList(strings.Join(c.words, " ")))
		}
	}
	fmt.Fprintf(&b, `    }
    $valued = @(%s)
    $command = $null
    $skip = $false
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        $text = $element.ToString()
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        if ($skip) { $skip = $false; continue }
        if ($valued -contains $text) { $skip = $true; continue }
        if (-not $text.StartsWith('-')) { $command = $text; break }
    }
    if ($wordToComplete.StartsWith('-')) {
        $found = $global
        if ($command) { $found += $options[$command] }
    } elseif (-not $command) {
        $found = @($commands.Keys) + 'help'
    } else {
        $found = @($words[$command])
    }
    $found | Where-Object { $_ -and $_.StartsWith($wordToComplete) } | ForEach-Object {
        $tip = if ($commands.Contains($_)) { $commands[$_] } else { $_ }
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $tip)
    }
}
`, powershellList(dashed(valued(commands, global))))
	return b.String()
}

func powershellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func powershellList(words string) string {
	var quoted []string
	for _, w := range strings.Fields(words) {
		quoted = append(quoted, powershellQuote(w))
	}
	return strings.Join(quoted, ", ")
}
