// TLSTransport: TLS for a NIO channel: one handler between NIO and PosternCrypto's TLS.
//
// Knows buffers and the handshake, for the client and for the listener.
//
// Does not know certificates of ours or HTTP.
//
// Imports: PosternCrypto, NIOCore.
// Start: TLSHandler.swift.
