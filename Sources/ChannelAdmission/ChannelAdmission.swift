// ChannelAdmission: ConnectionAdmission for NIO's channels.
//
// Knows how to resume accepting after a shortage of descriptors, and that no program inherits a socket.
//
// Does not know HTTP.
//
// Imports: ConnectionAdmission, NIOCore, Glibc.
// Start: ConnectionTable+Channel.swift, AcceptPressure.swift.
