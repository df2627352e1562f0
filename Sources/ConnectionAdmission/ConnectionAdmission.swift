// ConnectionAdmission: how many connections there may be, and which one is closed to make room.
//
// Knows peers and ages of connections, for both listeners.
//
// Does not know sockets of either kind, nor what is said on them.
//
// Imports: Glibc.
// Start: ConnectionTable.swift.
