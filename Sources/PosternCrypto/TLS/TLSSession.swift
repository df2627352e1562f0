import COpenSSL

/// One TLS connection without a socket: the caller passes ciphertext in and out.
///
/// Not safe to share between threads; it belongs to the handler of one connection.
public final class TLSSession {
    public enum State: Hashable, Sendable {
        case handshaking
        case open
        /// The peer has sent `close_notify`: everything was read, and nothing more can be.
        case closedByPeer
        /// Closed from this side, or failed.
        case closed
    }

    public enum ReadResult: Hashable, Sendable {
        case bytes(Int)
        /// Everything received was read.
        case needsMore
        case closedByPeer
    }

    public private(set) var state = State.handshaking

    private let session: OpaquePointer
    /// Owned by the session.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let context: TLSContext
    /// The host that the certificate must be for; nil on the server's side.
    private let serverHost: String?

    /// The client's side.
    ///
    /// - Parameter serverHost: the host name, or an IP address without brackets, that the server's certificate must be for.
    public convenience init(client context: TLSContext, serverHost: String) throws(TLSError) {
        try self.init(context, role: .client, serverHost: serverHost)
    }

    /// The server's side.
    public convenience init(server context: TLSContext) throws(TLSError) {
        try self.init(context, role: .server, serverHost: nil)
    }

    private init(_ context: TLSContext, role: TLSContext.Role, serverHost: String?) throws(TLSError) {
        guard context.role == role else { throw TLSError(.operationFailed, "the TLS context is for the other side of a connection") }
        guard let session = try context.withPointer({ SSL_new($0) }) else { throw TLSError.failed("starting TLS") }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(session)
            throw TLSError.failed("starting TLS")
        }
        SSL_set_bio(session, incoming, outgoing)
        self.context = context
        self.serverHost = serverHost
        self.session = session
        self.incoming = incoming
        self.outgoing = outgoing
        switch role {
        case .server:
            SSL_set_accept_state(session)
        case .client:
            SSL_set_connect_state(session)
            try ServerName.require(serverHost ?? "", of: session)
        }
    }

    deinit { SSL_free(session) }

    /// Accepts what the peer sent. Call ``handshake()`` or ``read(into:)`` next.
    public func receive(_ ciphertext: UnsafeRawBufferPointer) throws(TLSError) {
        var rest = ciphertext
        while !rest.isEmpty {
            let written = BIO_write(incoming, rest.baseAddress, Int32(clamping: rest.count))
            guard written > 0 else { throw fail(.failed("buffering TLS data")) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(written)))
        }
    }

    /// The connection has ended: what is still missing will not arrive.
    public func receiveEnd() { POSTERN_BIO_set_end_of_input(incoming) }

    /// Bytes waiting to be sent.
    public var pendingCiphertext: Int { BIO_ctrl_pending(outgoing) }

    /// Lends what to send, then discards it. There may be some after every call, even a failed one: the alert that tells the peer why.
    public func takeCiphertext<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let count = BIO_ctrl(outgoing, BIO_CTRL_INFO, 0, &start)
        defer { BIO_ctrl(outgoing, BIO_CTRL_RESET, 0, nil) }
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : max(0, count)))
    }

    /// Continues the handshake as far as possible with what was received; true when it is done.
    public func handshake() throws(TLSError) -> Bool {
        switch state {
        case .open, .closedByPeer: return true
        case .closed: throw TLSError(.closed, "the TLS connection is closed")
        case .handshaking: break
        }
        ErrorQueue.clear()
        let outcome = SSL_do_handshake(session)
        if outcome == 1 {
            state = .open
            return true
        }
        if SSL_get_error(session, outcome) == SSL_ERROR_WANT_READ { return false }
        throw fail(TLSFailure.ofHandshake(session, serverHost: serverHost))
    }

    /// Decrypts into the buffer.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> ReadResult {
        switch state {
        case .open: break
        case .closedByPeer: return .closedByPeer
        case .handshaking: return .needsMore
        case .closed: throw TLSError(.closed, "the TLS connection is closed")
        }
        guard !buffer.isEmpty else { return .bytes(0) }
        ErrorQueue.clear()
        var count = 0
        let outcome = SSL_read_ex(session, buffer.baseAddress, buffer.count, &count)
        if outcome == 1 { return .bytes(count) }
        switch SSL_get_error(session, outcome) {
        case SSL_ERROR_WANT_READ:
            return .needsMore
        case SSL_ERROR_ZERO_RETURN:
            state = .closedByPeer
            return .closedByPeer
        default:
            throw fail(TLSFailure.ofRead(session))
        }
    }

    /// Encrypts; the result waits as ciphertext. Also possible after the peer has closed its own side.
    public func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) {
        switch state {
        case .open, .closedByPeer: break
        case .handshaking: throw TLSError(.operationFailed, "nothing can be sent before the TLS handshake is done")
        case .closed: throw TLSError(.closed, "the TLS connection is closed")
        }
        guard !plaintext.isEmpty else { return }
        ErrorQueue.clear()
        var count = 0
        // A memory buffer accepts everything, so less than everything is an error, too.
        guard SSL_write_ex(session, plaintext.baseAddress, plaintext.count, &count) == 1, count == plaintext.count else {
            throw fail(.failed("encrypting"))
        }
    }

    /// Ends the session with `close_notify`, sent with the next ciphertext.
    public func close() {
        if state == .open || state == .closedByPeer {
            // 0 means that the peer has not answered yet; nothing waits for that.
            _ = SSL_shutdown(session)
            ErrorQueue.clear()
        }
        state = .closed
    }

    /// "TLSv1.3", once the handshake is done.
    public var version: String { String(cString: SSL_get_version(session)) }

    /// After an error OpenSSL allows no further call, not even the closing one.
    private func fail(_ error: TLSError) -> TLSError {
        state = .closed
        return error
    }
}
