import COpenSSL

/// Turns libssl's errors after a failed call into an error that says what to do.
enum TLSFailure {
    static func ofHandshake(_ session: OpaquePointer, serverHost: String?) -> TLSError {
        let entry = ERR_peek_error()
        let reason = ErrorQueue.drain()
        let peer = serverHost.map { "'\($0)'" } ?? "the client"
        if let serverHost, SSL_get_verify_result(session) != Int(X509_V_OK) {
            return CertificateFailure.error(of: session, host: serverHost)
        }
        switch reasonCode(entry) {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW:
            return TLSError(.protocolVersion, "\(peer) does not offer TLS 1.2 or later (\(reason))")
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG:
            return TLSError(.notTLS, "\(peer) does not speak TLS on this port (\(reason))")
        case SSL_R_UNEXPECTED_EOF_WHILE_READING:
            return TLSError(.closedDuringHandshake, "\(peer) closed the connection during the TLS handshake")
        default:
            return TLSError(.handshakeFailed, "the TLS handshake with \(peer) failed: \(reason.isEmpty ? "no reason given" : reason)")
        }
    }

    static func ofRead(_ session: OpaquePointer) -> TLSError {
        let entry = ERR_peek_error()
        let reason = ErrorQueue.drain()
        if reasonCode(entry) == SSL_R_UNEXPECTED_EOF_WHILE_READING {
            return TLSError(.truncated, "the connection ended without TLS's close_notify, so data may be missing")
        }
        return TLSError(.protocolViolation, "the TLS connection broke: \(reason.isEmpty ? "no reason given" : reason)")
    }

    /// `ERR_GET_REASON`, which is not imported because it is inline: the low 23 bits, unless it is a system error.
    private static func reasonCode(_ entry: UInt) -> Int32 {
        let systemFlag: UInt = 0x8000_0000
        return entry & systemFlag != 0 ? 0 : Int32(entry & 0x7F_FFFF)
    }
}
