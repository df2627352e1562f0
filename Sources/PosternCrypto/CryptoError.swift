/// Why a cryptographic operation failed.
public struct CryptoError: Error, Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        /// The system's random generator returned nothing.
        case noRandomness
        /// A key that is malformed, too small, or not of the required kind.
        case invalidKey
        /// Sealed bytes that were changed, moved elsewhere, or sealed under another key; these cannot be distinguished.
        case cannotOpen
        /// libcrypto refused an operation that should have worked.
        case operationFailed
    }

    public let code: Code
    /// Never contains a key or a plaintext.
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// - Parameter operation: what was being done, for example "sealing"; libcrypto's own reason is appended.
    static func failed(_ operation: String) -> CryptoError {
        let reason = ErrorQueue.drain()
        return CryptoError(.operationFailed, "\(operation) failed in libcrypto\(reason.isEmpty ? "" : ": \(reason)")")
    }

    /// Drops libcrypto's reason: for a key from elsewhere, it says more about libcrypto than about the key.
    static func invalidKey(_ description: String) -> CryptoError {
        ErrorQueue.clear()
        return CryptoError(.invalidKey, description)
    }
}

extension CryptoError: CustomStringConvertible {}
