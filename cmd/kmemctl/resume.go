package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

func resumeCommand(k *ctl) *cli.Command {
	return &cli.Command{
		Name: "resume", Usage: "the newest session, with the agent's own command to continue it", Category: groupHistory,
		Flags: []cli.Flag{agentFlag()},
		Action: func(c *cli.Context) error {
			if err := arguments(c, 0, 0); err != nil {
				return err
			}
			r, err := k.sessions(api.SessionsParams{Cwd: k.cwd, Agent: c.String("agent")}, api.MaxLimit)
			if err != nil {
				return err
			}
			for i := range r.Sessions {
				if s := &r.Sessions[i]; !s.Sub {
					printResume(k, s)
					return nil
				}
			}
			return nof("no session is known in %s", k.cwd)
		},
	}
}

// continuing is the command that continues a session, nil where the agent is
// not known to have one.
func continuing(s *fact.Session) []string {
	switch s.Agent {
	case "claude-code":
		return []string{"claude", "--resume", s.ID}
	case "codex":
		return []string{"codex", "resume", s.ID}
	default:
		return nil
	}
}

func printResume(k *ctl, s *fact.Session) {
	command := continuing(s)
	if k.out.json {
		k.out.document(struct {
			Session *fact.Session `json:"session"`
			Command []string      `json:"command"`
		}{s, command})
		return
	}
	k.out.line(styled{s.Agent, bold}, " session ", styled{oneLine(s.ID), bold}, " in ", oneLine(home(s.Cwd)))
	details := []string{"started " + age(s.StartedAt), "last record " + age(s.UpdatedAt), count(s.Turns, "turn", "turns")}
	if s.Model != "" {
		details = append(details, s.Model)
	}
	k.out.line(styled{oneLine(strings.Join(details, ", ")), faint})
	if s.Title != "" {
		k.out.line(cut(oneLine(s.Title), preview))
	}
	if command == nil {
		k.out.note("how %s continues a session is not known", s.Agent)
		return
	}
	for i, word := range command {
		command[i] = shellQuote(word)
	}
	k.out.line("cd ", shellQuote(s.Cwd), " && ", strings.Join(command, " "))
}

// shellQuote quotes a word for a POSIX shell.
func shellQuote(s string) string {
	s = oneLine(s)
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:@%+=,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// times is "3x".
func times(n int) string { return strconv.Itoa(n) + "x" }
