//go:build unix && !linux

package ipc

const maxSocketPath = 103
