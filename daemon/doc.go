// Package daemon joins the parts of kmemd into one process.
//
// # A tour of the program
//
// Agents write transcripts. Package ingest finds and follows them and hands
// chunks of events to the [pipeline], the daemon's sink. There an extractor of
// package rules, one a transcript, turns events into deltas; the committer
// gathers deltas and gives them to package store, which writes facts and
// position in one transaction a store. That is the whole way in.
//
// The way out begins at the socket (package ipc). A table of methods
// (methods.go) decodes the parameters of package api, asks store for the merged
// view of a project, an immutable value, and answers from it: package render
// makes the <memory> block, index searches, query evaluates expressions. Only
// saving, deleting, forgetting and importing write, and answer after the
// commit.
//
// Left of the store everything writes, right of it everything reads; they meet
// nowhere else. The package holds no memory of its own that a restart would
// lose.
package daemon
