package lang

import "strings"

// section says what a section of a compaction summary is for.
type section uint8

const (
	noSection section = iota
	decisionSection
	contextSection
	progressSection
	errorSection
	fixedSection // errors with their fixes
	restSection  // known, but no entries
)

// name returns the type of the entries that a section gives, "" for none.
func (s section) name() string {
	switch s {
	case decisionSection:
		return "decision"
	case contextSection:
		return "context"
	case progressSection:
		return "progress"
	case errorSection, fixedSection:
		return "error"
	}
	return ""
}

// part says which part of the checkpoint a section gives.
type part uint8

const (
	noPart part = iota
	pendingPart
	nextPart
	currentPart
	goalPart
	progressPart
	decisionPart
	contextPart
	partCount
)

// title is what is known of a heading.
type title struct {
	section section
	part    part
}

// titles are the headings of compaction summaries that are known, as
// normalTitle leaves them.
var titles = map[string]title{
	"key decisions":          {decisionSection, decisionPart},
	"decisions":              {decisionSection, decisionPart},
	"decisions made":         {decisionSection, decisionPart},
	"key decisions made":     {decisionSection, decisionPart},
	"design decisions":       {decisionSection, decisionPart},
	"key design decisions":   {decisionSection, decisionPart},
	"architecture decisions": {decisionSection, decisionPart},

	"critical context":              {contextSection, contextPart},
	"key knowledge":                 {contextSection, contextPart},
	"important context":             {contextSection, contextPart},
	"discoveries":                   {contextSection, contextPart},
	"key discoveries":               {contextSection, contextPart},
	"constraints and preferences":   {contextSection, contextPart},
	"constraints":                   {contextSection, contextPart},
	"instructions":                  {contextSection, contextPart},
	"user instructions":             {contextSection, contextPart},
	"user preferences":              {contextSection, contextPart},
	"critical data and constraints": {contextSection, contextPart},

	"pending tasks":           {progressSection, pendingPart},
	"pending":                 {progressSection, pendingPart},
	"remaining":               {progressSection, pendingPart},
	"remaining work":          {progressSection, pendingPart},
	"remaining tasks":         {progressSection, pendingPart},
	"what remains":            {progressSection, pendingPart},
	"what remains to be done": {progressSection, pendingPart},
	"current plan":            {progressSection, pendingPart},
	"todo":                    {progressSection, pendingPart},
	"next steps":              {progressSection, nextPart},
	"next step":               {progressSection, nextPart},
	"optional next step":      {progressSection, nextPart},
	"optional next steps":     {progressSection, nextPart},
	"immediate next steps":    {progressSection, nextPart},
	"next":                    {progressSection, nextPart},
	"in progress":             {progressSection, progressPart},

	"errors and fixes": {fixedSection, noPart},
	"known issues":     {errorSection, noPart},
	"blockers":         {errorSection, noPart},
	"blocked":          {errorSection, noPart},
	"open issues":      {errorSection, noPart},

	"goal":                       {restSection, goalPart},
	"goals":                      {restSection, goalPart},
	"primary request and intent": {restSection, goalPart},
	"primary request":            {restSection, goalPart},
	"objective":                  {restSection, goalPart},
	"overall goal":               {restSection, goalPart},
	"user goal":                  {restSection, goalPart},
	"current work":               {restSection, currentPart},
	"current task":               {restSection, currentPart},
	"current state":              {restSection, currentPart},
	"current status":             {restSection, currentPart},
	"progress":                   {restSection, progressPart},
	"current progress":           {restSection, progressPart},
	"progress so far":            {restSection, progressPart},
	"done":                       {restSection, progressPart},
	"completed":                  {restSection, progressPart},
	"completed work":             {restSection, progressPart},
	"accomplished":               {restSection, progressPart},
	"work done":                  {restSection, progressPart},
	"state":                      {restSection, progressPart},
	"summary":                    {restSection, noPart},
	"overview":                   {restSection, goalPart},
	"history":                    {restSection, noPart},
	"recent actions":             {restSection, progressPart},
	"task state":                 {progressSection, pendingPart},
	"key technical concepts":     {restSection, noPart},
	"technical details":          {restSection, noPart},
	"files and code sections":    {restSection, noPart},
	"relevant files":             {restSection, noPart},
	"important files":            {restSection, noPart},
	"file system state":          {restSection, noPart},
	"artifact trail":             {restSection, noPart},
	"problem solving":            {restSection, noPart},
	"all user messages":          {restSection, noPart},
	"user messages":              {restSection, noPart},
	"checkpoint title":           {restSection, noPart},
	"files":                      {restSection, noPart},
	"highlights":                 {contextSection, contextPart},
}

// longestTitle bounds a heading that may be known, in bytes.
const longestTitle = 60

// knownTitle looks up a heading, however it is written.
func knownTitle(s string) (title, bool) {
	if len(s) > longestTitle {
		return title{}, false
	}
	t, ok := titles[normalTitle(s)]
	return t, ok
}

// normalTitle brings a heading to the form of titles: lower case, "and" for
// "&", blanks for "_", without number, signs, closing colon and what stands in
// brackets at its end.
func normalTitle(s string) string {
	s = strings.Trim(strings.ToLower(s), " \t*_:.#`")
	if at := strings.IndexByte(s, '('); at > 0 && strings.HasSuffix(s, ")") {
		s = s[:at]
	}
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n > 0 && n < len(s) && (s[n] == '.' || s[n] == ')') {
		s = s[n+1:]
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "&", " and "), "_", " ")
	s = strings.ReplaceAll(s, "-", " ")
	start := strings.IndexFunc(s, isWordRune)
	if start < 0 {
		return ""
	}
	return strings.Trim(OneLine(s[start:]), " *:.")
}
