package daemon_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kmemd/kmemd/ipc/api"
	"github.com/kmemd/kmemd/store/fact"
)

// A story says what a person who has read a real session expects the memory to
// hold of it, and what not. One file of testdata/stories is one session:
//
//	from FILE                 the transcript, below the corpus (newest FILE: below its newest folder)
//	cwd DIR                   the project that must hold it
//	prompt A | B              some prompt entry holds A and B
//	outcome P => A | B        the outcome of the prompt that holds P holds A and B
//	failing, resolved A => B   an open, a resolved failure; error A: either
//	decision, preference A    an entry of that type
//	entry KEY => A            an entry whose key begins with KEY
//	action, files, checkpoint A | B
//	count TYPE N              or count KEY: N, by the beginning of the key
//	open, closed              whether the session's last turn is
//	resume KEY => A           the entry with the resume flag; resume none
//	shown A, hidden A         what the block of the project holds
//	not … A                   none of these; no entry KEY, no files A
//	nowhere A                 no entry at all
//	missed …                  what should hold and does not yet
type story struct {
	t       *testing.T
	entries []fact.Entry
	block   api.RenderResult
}

func TestTenStories(t *testing.T) {
	t.Parallel()
	corpus := shared(t, "corpus")
	stories, err := filepath.Glob(filepath.Join("testdata", "stories", "*.txt"))
	if err != nil || len(stories) == 0 {
		t.Fatal("no stories", err)
	}
	for _, name := range stories {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			t.Parallel()
			tell(t, corpus, name)
		})
	}
}

// tell reads the session of a story and holds every line against the memory.
func tell(t *testing.T, corpus, name string) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := newMachine(t)
	s := &story{t: t}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		verb, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		switch verb {
		case "", "#":
		case "from":
			root := "home"
			if file, ok := strings.CutPrefix(rest, "newest "); ok {
				root, rest = filepath.Join("newest", "home"), file
			}
			m.put(filepath.Join(corpus, root, filepath.FromSlash(rest)), rest)
		case "cwd":
			s.load(m, rest)
		default:
			if !s.holds(verb, rest) {
				t.Errorf("%s %s", verb, rest)
			}
		}
	}
	if os.Getenv("KMEM_STORIES") != "" {
		s.print()
	}
}

func (s *story) load(m *machine, cwd string) {
	m.read()
	d := m.start()
	defer d.Close()
	var err error
	if s.entries, err = d.Export(s.t.Context(), cwd); err != nil {
		s.t.Fatal(err)
	}
	if len(s.entries) == 0 {
		projects, _ := d.Projects(s.t.Context())
		s.t.Fatalf("%s holds nothing; the projects are %v", cwd, projects)
	}
	if s.block, err = d.Render(s.t.Context(), api.RenderParams{Cwd: cwd}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) print() {
	for _, e := range s.entries {
		s.t.Logf("%s [%s]: %s <- %v", e.Key, e.Type, e.Value, e.References)
	}
	s.t.Logf("\n%s\n(%d tokens, %d shown, %d dropped)", s.block.Text, s.block.Tokens, s.block.Shown, s.block.Dropped)
}

func (s *story) holds(verb, rest string) bool {
	switch verb {
	case "not", "no":
		verb, rest, _ = strings.Cut(rest, " ")
		return !s.holds(verb, rest)
	case "missed":
		verb, rest, _ = strings.Cut(rest, " ")
		if s.holds(verb, rest) {
			s.t.Log("this holds now: it is missed no longer")
			return false
		}
		return true
	case "open":
		return s.key("progress:turn") != nil
	case "closed":
		return s.key("progress:turn") == nil
	case "resume":
		return s.resumes(rest)
	case "count":
		return s.counts(rest)
	case "outcome":
		return s.outcome(rest)
	case "shown":
		return hasAll(s.block.Text, rest)
	case "hidden":
		return !hasAll(s.block.Text, rest)
	case "nowhere":
		return s.find(func(e *fact.Entry) bool { return hasAll(e.Key+" "+e.Value, rest) }) == nil
	}
	return s.find(func(e *fact.Entry) bool { return s.matches(e, verb, rest) }) != nil
}

// matches tells whether an entry is what a line asks for.
func (s *story) matches(e *fact.Entry, verb, rest string) bool {
	whole := e.Key + " " + e.Value
	resolved := strings.HasPrefix(e.Value, "resolved: ")
	switch verb {
	case "prompt", "decision", "preference":
		return string(e.Type) == verb && hasAll(e.Value, rest)
	case "error":
		return e.Type == fact.Error && hasAll(whole, rest)
	case "failing":
		return e.Type == fact.Error && !resolved && hasAll(whole, rest)
	case "resolved":
		return e.Type == fact.Error && resolved && hasAll(whole, rest)
	case "entry":
		key, words, _ := strings.Cut(rest, " => ")
		return strings.HasPrefix(e.Key, key) && hasAll(e.Value, words)
	case "action":
		return e.Key == "last_action" && hasAll(e.Value, rest)
	case "files":
		return e.Key == "last_files" && hasAll(e.Value, rest)
	case "checkpoint":
		return e.Key == "checkpoint:summary" && hasAll(e.Value, rest)
	}
	s.t.Fatalf("a story cannot say %q", verb)
	return false
}

func (s *story) outcome(rest string) bool {
	said, words, _ := strings.Cut(rest, " => ")
	p := s.find(func(e *fact.Entry) bool { return e.Type == fact.Prompt && hasAll(e.Value, said) })
	if p == nil {
		return false
	}
	r := s.key("result:" + strings.TrimPrefix(p.Key, "prompt:"))
	return r != nil && hasAll(r.Value, words)
}

func (s *story) resumes(rest string) bool {
	if rest == "none" {
		return s.block.Resume == ""
	}
	key, words, _ := strings.Cut(rest, " => ")
	e := s.key(s.block.Resume)
	return e != nil && strings.HasPrefix(e.Key, key) && hasAll(e.Value, words)
}

func (s *story) counts(rest string) bool {
	what, number, _ := strings.Cut(rest, " ")
	want, err := strconv.Atoi(number)
	if err != nil {
		s.t.Fatal(err)
	}
	n := 0
	for i := range s.entries {
		e := &s.entries[i]
		if strings.Contains(what, ":") && strings.HasPrefix(e.Key, what) || string(e.Type) == what {
			n++
		}
	}
	if n != want {
		s.t.Logf("%s: %d, not %d", what, n, want)
	}
	return n == want
}

func (s *story) key(key string) *fact.Entry {
	return s.find(func(e *fact.Entry) bool { return e.Key == key })
}

func (s *story) find(is func(*fact.Entry) bool) *fact.Entry {
	for i := range s.entries {
		if is(&s.entries[i]) {
			return &s.entries[i]
		}
	}
	return nil
}

// hasAll tells whether a text holds every one of the phrases between the bars;
// "=>" separates as well. Case and white space do not count.
func hasAll(text, phrases string) bool {
	text = flat(text)
	for _, p := range strings.Split(strings.ReplaceAll(phrases, " => ", " | "), " | ") {
		if !strings.Contains(text, flat(p)) {
			return false
		}
	}
	return true
}

func flat(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
