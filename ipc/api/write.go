package api

import "github.com/kmemd/kmemd/store/fact"

// ForgetParams is the parameters of forget. Exactly one of Keys, Session,
// Before and All says what; Before is Unix milliseconds.
type ForgetParams struct {
	Cwd       string   `json:"cwd"`
	Keys      []string `json:"keys,omitempty"`
	Namespace string   `json:"namespace,omitempty"` // of Keys
	Session   string   `json:"session,omitempty"`
	Before    int64    `json:"before,omitempty"`
	All       bool     `json:"all,omitempty"`
}

// ForgetResult is the result of forget: how many entries.
type ForgetResult struct {
	Forgotten int `json:"forgotten"`
}

// ExcludeParams is the parameters of exclude; without a directory it lists.
type ExcludeParams struct {
	Directory string `json:"directory,omitempty"`
	Remove    bool   `json:"remove,omitempty"`
}

// ExcludeResult is the result of exclude: all that is excluded now, those of
// the configuration too, sorted.
type ExcludeResult struct {
	Excluded []string `json:"excluded"`
}

// PauseResult is the result of pause and unpause, which take [None].
type PauseResult struct {
	Paused bool `json:"paused"`
}

// RescanParams is the parameters of rescan.
type RescanParams struct {
	Full bool `json:"full,omitempty"` // every file from its beginning
}

// RescanResult is the result of rescan: how many sources are looked at. The
// reading itself goes on after the answer; sync waits for it.
type RescanResult struct {
	Sources int `json:"sources"`
}

// SyncResult is the result of sync.
type SyncResult struct {
	Sources int   `json:"sources"`
	Took    int64 `json:"took"` // milliseconds
}

// ExportParams is the parameters of export.
type ExportParams struct {
	Cwd    string `json:"cwd"`
	Cursor string `json:"cursor,omitempty"`
}

// ExportResult is one page of an export. Next is empty on the last.
type ExportResult struct {
	Entries []fact.Entry `json:"entries"`
	Next    string       `json:"next"`
}

// ImportParams is the parameters of import: one page.
type ImportParams struct {
	Cwd     string       `json:"cwd"`
	Entries []fact.Entry `json:"entries"`
}

// ImportResult is the result of import: how many entries of the page changed
// something.
type ImportResult struct {
	Imported int `json:"imported"`
}

// WatchParams is the parameters of watch. An empty directory watches every
// project.
type WatchParams struct {
	Cwd string `json:"cwd,omitempty"`
}

// WatchResult is the result of watch; [NotifyCaptured] and [NotifyMissed]
// follow until the connection closes.
type WatchResult struct {
	Watching bool `json:"watching"`
}

// Captured is the parameters of [NotifyCaptured].
type Captured struct {
	Project string     `json:"project"`
	Entry   fact.Entry `json:"entry"`
}

// Missed is the parameters of [NotifyMissed]: how many notifications were
// dropped between the one before and the one after.
type Missed struct {
	Count int `json:"count"`
}
