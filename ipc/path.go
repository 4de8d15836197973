package ipc

// Place says where a socket may be. Both ends fill it in from the same
// environment and configuration, and so find the same socket.
type Place struct {
	Explicit   string // --socket, KMEM_SOCKET or the configuration's socket; wins where it is set
	RuntimeDir string // XDG_RUNTIME_DIR
	Data       string // the data directory, absolute
	TempDir    string // the temporary directory; the system's where it is empty
}
