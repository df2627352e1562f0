// PosternCrypto: OpenSSL: hashes, signatures, sealing, TLS.
//
// Implements the core's `Cryptography`, and TLS over buffers that others send and receive.
//
// Does not know NIO, sockets or tokens. It is the only module that imports OpenSSL; a wrapper owns its pointer and lets none out.
//
// Imports: COpenSSL, PosternValues, Glibc.
// Start: OpenSSLCryptography.swift, TLSSession.swift.
