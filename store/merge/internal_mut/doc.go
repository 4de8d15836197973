// Package merge computes what a reader sees of a project.
//
// A store keeps, for every transcript, what that transcript alone has said: a
// [Contribution]. Nothing is decided between transcripts when writing. What
// they say together, with the entries that callers saved and the tombstones
// that deletes left, is computed here: [Build] is a pure function of the set
// of rows, so the order of reading cannot show. [State] gives the same view
// step by step, without computing it all again after every change.
//
// The rules rest on three ideas:
//
//   - A tombstone hides rows by what the row itself holds: its key, its time,
//     its session. A hidden row is treated as its [Ghost], a row without text.
//     Writing ghosts in place of hidden rows ([Contribution.Erase]) can
//     therefore be done at any time, or never, and the view stays the same.
//   - Copies of a record are found by its id; the copy with the least stamp
//     speaks for all of them, also when it is a ghost.
//   - Every register and every write offers candidates for keys; for each key
//     the candidate with the greatest stamp counts.
//
// The package does not store, extract or render.
package merge
