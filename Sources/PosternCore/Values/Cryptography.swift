/// What decisions need of cryptography. `PosternCrypto` provides it with OpenSSL.
public protocol Cryptography: Sendable {
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    func sha384(_ bytes: [UInt8]) -> [UInt8]
    func sha512(_ bytes: [UInt8]) -> [UInt8]

    func hmacSHA1(key: [UInt8], message: [UInt8]) -> [UInt8]
    func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8]
    func hmacSHA512(key: [UInt8], message: [UInt8]) -> [UInt8]

    /// An ES256 signature in its JWS form, R and S of 32 bytes each (RFC 7518 section 3.4); nil where the key is no P-256 key in PEM.
    func es256Signature(over message: [UInt8], privateKeyPEM: Secret) -> [UInt8]?

    /// True only where the signature was made over the message with the private half of the key. A key that does not
    /// fit the algorithm, or is malformed, or is too small (RSA below 2048 bits), is false.
    func isValid(signature: [UInt8], over message: [UInt8], algorithm: SignatureAlgorithm, key: PublicKey) -> Bool
}

/// The system gives no random values, or makes no key of them.
public struct RandomnessFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The JWS algorithms taken for ID tokens (RFC 7518 section 3, RFC 8037). Neither `none` nor HMAC can be named.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    /// The signature is R and S of 32 bytes each (RFC 7518 section 3.4).
    case es256 = "ES256"
    /// Ed25519 alone.
    case edDSA = "EdDSA"
}

/// The public part of a signing key, as a JWK gives it: big-endian bytes.
public enum PublicKey: Hashable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case p256(x: [UInt8], y: [UInt8])
    case ed25519([UInt8])
}
