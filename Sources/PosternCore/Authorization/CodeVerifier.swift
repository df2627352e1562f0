/// The secret half of PKCE (RFC 7636), bound to one sign-in. Its challenge is always made by S256; `plain` cannot be said.
public struct CodeVerifier: Sendable, Equatable {
    /// 256 bits, the entropy that RFC 7636 section 7.1 recommends.
    public static let randomByteCount = 32

    /// 43 to 128 unreserved characters.
    public let secret: Secret

    /// - Parameter randomBytes: at least 32 bytes of good randomness, at most 96; nil for another count.
    public init?(randomBytes: [UInt8]) {
        guard (Self.randomByteCount...96).contains(randomBytes.count) else { return nil }
        secret = Secret(Base64URL.encode(randomBytes))
    }

    /// A verifier that was kept with its session; nil for what is none (RFC 7636 section 4.1).
    public init?(stored: Secret) {
        let isVerifier = stored.withBytes { bytes in
            (43...128).contains(bytes.count) && bytes.allSatisfy(Self.isUnreserved)
        }
        guard isVerifier else { return nil }
        secret = stored
    }

    /// `BASE64URL(SHA256(ASCII(code_verifier)))` (RFC 7636 section 4.2).
    public func challenge(using cryptography: some Cryptography) -> String {
        Base64URL.encode(cryptography.sha256(secret.revealBytes()))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDecimalDigit || "-._~".utf8.contains(byte)
    }
}
