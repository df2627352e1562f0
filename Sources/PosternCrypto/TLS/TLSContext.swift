import COpenSSL

/// What many TLS sessions share: the versions, and the trusted authorities or the certificate to send.
public final class TLSContext: Sendable {
    enum Role {
        case client
        case server
    }

    let role: Role
    /// `SSL_CTX` is only changed while it is set up; sessions created from it only read it and count references under OpenSSL's own locks.
    private nonisolated(unsafe) let pointer: OpaquePointer

    private init(_ role: Role) throws(TLSError) {
        guard let pointer = SSL_CTX_new(role == .client ? TLS_client_method() : TLS_server_method()) else {
            throw TLSError.failed("making a TLS context")
        }
        self.role = role
        self.pointer = pointer
        guard POSTERN_SSL_CTX_require_TLS_1_2(pointer) == 1 else { throw TLSError.failed("requiring TLS 1.2") }
        // No renegotiation, compression or session tickets: each has been attacked, and short connections gain nothing from them.
        SSL_CTX_set_options(pointer, POSTERN_SSL_OPTIONS)
        POSTERN_SSL_CTX_save_memory(pointer)
        // 112 bits, as for RSA signatures: keys of 1024 bits and SHA-1 are refused. A stricter system policy stays in force.
        SSL_CTX_set_security_level(pointer, max(2, SSL_CTX_get_security_level(pointer)))
    }

    deinit { SSL_CTX_free(pointer) }

    /// Lends the pointer for one call.
    func withPointer<Result>(_ body: (OpaquePointer) throws(TLSError) -> Result) throws(TLSError) -> Result {
        try body(pointer)
    }

    /// A context that checks servers against the system's authorities (`SSL_CERT_FILE` and `SSL_CERT_DIR` name others, as always with
    /// OpenSSL).
    ///
    /// - Parameters:
    ///   - caFile: a PEM file of additional trusted authorities.
    ///   - authorities: certificates of additional trusted authorities, in PEM.
    public static func client(extraAuthorities caFile: String? = nil, authorities: String? = nil) throws(TLSError) -> TLSContext {
        let context = try TLSContext(.client)
        SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        try TrustStore.addSystemAuthorities(to: SSL_CTX_get_cert_store(context.pointer))
        if let caFile {
            guard SSL_CTX_load_verify_file(context.pointer, caFile) == 1 else {
                throw badFile("certificate authorities", caFile)
            }
        }
        if let authorities { try TrustStore.add(authorities, to: SSL_CTX_get_cert_store(context.pointer)) }
        // Sends "http/1.1" to servers that would otherwise choose a protocol themselves. Unlike the others, this returns 0 for success.
        let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
        guard SSL_CTX_set_alpn_protos(context.pointer, protocols, UInt32(protocols.count)) == 0 else {
            throw TLSError.failed("offering http/1.1")
        }
        return context
    }

    /// A context for a server.
    ///
    /// - Parameters:
    ///   - certificateFile: the certificate in PEM, followed by those of its authorities.
    ///   - keyFile: its private key in PEM, without a passphrase.
    public static func server(certificateFile: String, keyFile: String) throws(TLSError) -> TLSContext {
        let context = try TLSContext(.server)
        // Without our callback, libssl asks for a passphrase on the terminal.
        SSL_CTX_set_default_passwd_cb(context.pointer) { _, _, _, _ in -1 }
        guard SSL_CTX_use_certificate_chain_file(context.pointer, certificateFile) == 1 else {
            throw badFile("certificate", certificateFile)
        }
        guard SSL_CTX_use_PrivateKey_file(context.pointer, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw badFile("private key", keyFile)
        }
        guard SSL_CTX_check_private_key(context.pointer) == 1 else {
            ErrorQueue.clear()
            throw TLSError(.badFile, "the key in '\(keyFile)' is not the key of the certificate in '\(certificateFile)'")
        }
        return context
    }

    private static func badFile(_ what: String, _ path: String) -> TLSError {
        let reason = ErrorQueue.drain()
        return TLSError(.badFile, "cannot use the \(what) in '\(path)'\(reason.isEmpty ? "" : ": \(reason)")")
    }
}
