import COpenSSL
import PosternValues

/// The curves of ECDSA in JWS (RFC 7518 section 3.4).
enum Curve {
    case p256, p384, p521

    /// The algorithm's curve; nil for another kind of algorithm.
    init?(_ algorithm: SignatureAlgorithm) {
        switch algorithm {
        case .es256: self = .p256
        case .es384: self = .p384
        case .es512: self = .p521
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .edDSA: return nil
        }
    }

    /// JWK's name for it.
    var name: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }

    /// libcrypto's name for it.
    var groupName: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }

    /// In bytes.
    var coordinateSize: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    func publicKey(x: [UInt8], y: [UInt8]) -> PublicKey {
        switch self {
        case .p256: .p256(x: x, y: y)
        case .p384: .p384(x: x, y: y)
        case .p521: .p521(x: x, y: y)
        }
    }
}

extension SignatureAlgorithm {
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
