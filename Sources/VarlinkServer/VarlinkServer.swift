// VarlinkServer: a Varlink service on a Unix socket.
//
// Knows connections, their calls and replies in order, limits, and who the caller is as the kernel says.
//
// Does not know `io.postern`: it routes a call to an interface by name. No NIO.
//
// Imports: CEpoll, ConnectionAdmission, Reactor, Varlink, StrictJSON, Glibc.
// Start: VarlinkListener.swift, ConnectionHandler.swift, ServiceTable.swift.
