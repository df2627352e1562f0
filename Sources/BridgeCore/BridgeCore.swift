// BridgeCore: what a bridge between a program and a server decides.
//
// Knows JSON-RPC messages as far as the headers of a request need them, server-sent events, the revisions of MCP's Streamable HTTP, when a
// request may be sent again, and what a reverse proxy may pass on. It changes nothing outside itself.
//
// Does not know sockets, TLS, the daemon or tokens: those who drive it do.
//
// Imports: PosternValues, StrictJSON.
// Start: BridgeRequest.swift, StreamableSession.swift, ProxyRules.swift.
