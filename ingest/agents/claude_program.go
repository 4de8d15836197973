package agents

import "strings"

// programPrompt reports whether the first words of a session that was started
// through the SDK are a memory tool's or an indexer's request about another
// session. Such sessions are nobody's work: their words are a transcript that
// was read already, and remembering them would feed a memory with itself.
//
// A session in the user's own words that is started by a script stays: the
// request must both name a conversation and ask to boil it down, in its
// beginning, or carry a transcript with it.
func programPrompt(words string) bool {
	head := strings.ToLower(headOf(words, 600))
	for _, mark := range transcriptMarks {
		if strings.Contains(head, mark) {
			return true
		}
	}
	return containsAny(head, conversationWords) && containsAny(head, boilingWords)
}

var transcriptMarks = []string{
	"transcript follows:", "<transcript>", "<conversation>", "<observed_from_primary_session>", "<session_transcript>",
	"you are a memory extraction", "you are a claude-mem", "you are a memory observer", "hello memory agent",
}

var conversationWords = []string{
	"this conversation", "the conversation", "this transcript", "the transcript", "following transcript",
	"following conversation", "this chat", "the chat log", "this session's", "coding session below", "session transcript",
}

var boilingWords = []string{
	"summarize", "summarise", "summary of", "extract ", "title for", "index", "observations", "memories", "distill", "distil ",
}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
