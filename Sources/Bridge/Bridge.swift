// Bridge: carries requests of programs to servers, with what authorizes them, and the answers back.
//
// Knows the pipes of a client, the Unix socket and the loopback port, connections to servers, and the daemon's AuthorizeRequest. It has access
// tokens, each until the answer of its request begins; it keeps none.
//
// Does not know refresh tokens, keys, the store or the configuration; it reads no file. What is decided is decided in BridgeCore.
//
// Imports: BridgeCore, HTTPSClient, LoopbackHTTP, PosternClient, PosternCore, PosternInterface, PosternValues, StrictJSON, Varlink,
// NIOCore, NIOPosix, NIOHTTP1, Glibc.
// Start: AuthorizedExchange.swift, StdioBridge.swift, FrontServer.swift.
