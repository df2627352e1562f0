import Secrets

/// The cryptography that decisions need. `PosternCrypto` provides it with OpenSSL.
public protocol Cryptography: Sendable {
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    func sha384(_ bytes: [UInt8]) -> [UInt8]
    func sha512(_ bytes: [UInt8]) -> [UInt8]

    func hmacSHA1(key: [UInt8], message: [UInt8]) -> [UInt8]
    func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8]
    func hmacSHA512(key: [UInt8], message: [UInt8]) -> [UInt8]

    /// An ES256 signature in its JWS form, R and S of 32 bytes each (RFC 7518 section 3.4); nil if the key is not a P-256 key in PEM.
    func es256Signature(over message: [UInt8], privateKeyPEM: Secret) -> [UInt8]?

    /// True only if the signature was made over the message with the private half of the key. False for a key that does not fit the
    /// algorithm, is malformed, or is too small (RSA below 2048 bits).
    func isValid(signature: [UInt8], over message: [UInt8], algorithm: SignatureAlgorithm, key: PublicKey) -> Bool
}

/// The system provides no random values, or no key could be made from them.
public struct RandomnessFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// The JWS algorithms accepted for ID tokens (RFC 7518 section 3, RFC 8037). Neither `none` nor HMAC can be named.
public enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    /// On P-256. The signature is R and S, each as long as a coordinate (RFC 7518 section 3.4).
    case es256 = "ES256"
    /// On P-384.
    case es384 = "ES384"
    /// On P-521.
    case es512 = "ES512"
    /// Ed25519 only.
    case edDSA = "EdDSA"

    /// The hash that belongs to a signature algorithm.
    public enum Hash: Sendable {
        case sha256, sha384, sha512
    }

    public var hash: Hash {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        // Ed25519 uses SHA-512.
        case .rs512, .ps512, .es512, .edDSA: .sha512
        }
    }
}

/// The public part of a signing key, as in a JWK: big-endian bytes.
public enum PublicKey: Hashable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case p256(x: [UInt8], y: [UInt8])
    case p384(x: [UInt8], y: [UInt8])
    /// Coordinates of 66 bytes.
    case p521(x: [UInt8], y: [UInt8])
    case ed25519([UInt8])
}
