// Package lang holds the pure text functions that capture is made of: how a
// text is cut, named and condensed, and what can be read from prose.
//
// Every function is a pure function of its arguments and may be called from
// any goroutine. None panics, whatever the text; all answer valid UTF-8 and
// take time linear in their input. The package knows words and Markdown, not
// agents, events or stores: what a text is (a prompt, a reply, a tool's
// output) is the caller's knowledge.
package lang
