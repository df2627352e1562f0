// LoopbackHTTP: a small HTTP/1.1 server for this machine alone.
//
// Knows requests and their limits, and that the peer is a process of the same user. The parser of a request's head refuses what servers
// read in different ways.
//
// Does not know callbacks or pages: CallbackServer does, and the demo provider uses it, too. Requests that are passed on as they arrive, also
// over Unix sockets, are the bridge's.
//
// Imports: CSocketDiagnostics, ChannelAdmission, ConnectionAdmission, TLSTransport, PosternCrypto, PosternValues, NIOCore, NIOPosix,
// NIOHTTP1, Glibc.
// Start: HTTPListener.swift, RequestGate.swift, HTTPConnection.swift, StreamConnection.swift.
