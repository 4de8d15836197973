// Package rules decides what of a session is worth remembering.
//
// Rules are data: builtin.toml holds one rule for each row of the capture
// table, the user's files in rules.d replace, switch off or add. A rule says on
// which moments it looks (on), under which condition (when), once for each of
// what (each), and gives key, value and type as expressions over [Env].
//
// The [Extractor] is the state machine around them. It turns the events of one
// transcript, in file order, into moments and collects what the rules make of
// them as [fact.Delta]s, one a directory. It is a pure function of its state and
// the events: fed in pieces or at once, with its state saved in between or not,
// it gives the same rows. What depends on several records (a turn, a failing
// command, a task list, a compaction) is a register that is rewritten whole.
//
// The package reads no files but rule files, stores nothing and knows no
// agent's format.
package rules
