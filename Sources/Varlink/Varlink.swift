// Varlink: the Varlink protocol: messages, descriptions, a client.
//
// Knows how a call, a reply and an error look, and how a description is parsed. The client blocks its thread, and refuses a socket of
// another user.
//
// Does not know `io.postern` and has no event loop, so that a command that makes one call starts without one.
//
// Imports: StrictJSON, Glibc.
// Start: VarlinkCall.swift, MessageScanner.swift, VarlinkConnection.swift.
