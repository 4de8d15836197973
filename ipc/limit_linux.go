package ipc

const maxSocketPath = 107
