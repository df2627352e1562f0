/// Why a TLS connection could not be established, or ended early.
public struct TLSError: Error, Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        // Checks of the peer's certificate, each of which ends the handshake.
        case expired
        case notYetValid
        /// Signed by itself and not among the authorities.
        case selfSigned
        case unknownAuthority
        /// Valid, but for another name or address.
        case hostNameMismatch
        /// Any other X.509 reason: a purpose, a weak key, a constraint.
        case certificateRefused

        /// The peer supports neither TLS 1.2 nor a later version.
        case protocolVersion
        /// The peer does not speak TLS.
        case notTLS
        /// The two sides did not agree, or the peer sent something invalid.
        case handshakeFailed
        /// The connection ended before the handshake did.
        case closedDuringHandshake
        /// The connection ended without `close_notify`: what was received may be truncated.
        case truncated
        /// Data after the handshake cannot be decrypted, or violates the protocol.
        case protocolViolation
        /// More data waits for the handshake than is allowed.
        case tooMuchWaiting
        /// Used after it was closed or had failed.
        case closed
        /// A certificate, key or authority file that cannot be used.
        case badFile
        /// libssl refused an operation that should have worked.
        case operationFailed
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static func failed(_ operation: String) -> TLSError {
        let reason = ErrorQueue.drain()
        return TLSError(.operationFailed, "\(operation) failed in libssl\(reason.isEmpty ? "" : ": \(reason)")")
    }
}

extension TLSError: CustomStringConvertible {}
