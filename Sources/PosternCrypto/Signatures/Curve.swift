import COpenSSL
import PosternValues

/// The curves of ECDSA in JWS (RFC 7518 section 3.4).
struct Curve: Sendable {
    /// JWK's name for it.
    let name: String
    /// libcrypto's name for it.
    let groupName: String
    /// In bytes.
    let coordinateSize: Int
    let publicKey: @Sendable (_ x: [UInt8], _ y: [UInt8]) -> PublicKey

    static let p256 = Curve(name: "P-256", groupName: "prime256v1", coordinateSize: 32, publicKey: PublicKey.p256)
    static let p384 = Curve(name: "P-384", groupName: "secp384r1", coordinateSize: 48, publicKey: PublicKey.p384)
    static let p521 = Curve(name: "P-521", groupName: "secp521r1", coordinateSize: 66, publicKey: PublicKey.p521)
}

extension SignatureAlgorithm {
    /// Nil for another kind of algorithm.
    var curve: Curve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .edDSA: nil
        }
    }

    /// libcrypto's description of the hash; nil if the signature algorithm hashes by itself.
    var digest: OpaquePointer? {
        guard self != .edDSA else { return nil }
        return switch hash {
        case .sha256: Digest.sha256.method
        case .sha384: Digest.sha384.method
        case .sha512: Digest.sha512.method
        }
    }

    var isPSS: Bool { self == .ps256 || self == .ps384 || self == .ps512 }
}
