import StrictJSON

/// One public signing key of a provider (RFC 7517 section 4).
public struct JSONWebKey: Sendable, Hashable {
    public var key: PublicKey
    public var keyID: String?
    /// The one algorithm it is for; nil if the provider does not say.
    var algorithm: String?
    /// The one issuer whose tokens it signs. It is in no standard; if many issuers share a key set, as Entra's tenants do, it separates
    /// them.
    var issuer: String?

    /// Nil for a key that can verify no ID token here: of another type or curve, for encryption, of an unsafe or absurd size, or malformed.
    /// A set may contain such keys together with good ones, so they are no error.
    init?(_ json: JSON) {
        guard let members = json.objectValue, Self.isForVerifying(members),
            let key = Self.publicKey(members),
            // A published private part is known to everybody, and a symmetric key is no public key.
            members["d"] == nil, members["k"] == nil
        else { return nil }
        do throws(JSONMemberError) {
            keyID = try members.optional("kid")
            algorithm = try members.optional("alg")
            issuer = try members.optional("issuer")
        } catch {
            return nil
        }
        self.key = key
    }

    /// Sections 4.2 and 4.3: `use` and `key_ops` restrict a key, if present.
    private static func isForVerifying(_ members: JSONObject) -> Bool {
        if let use = members["use"], use != .null, use != .string("sig") { return false }
        if let operations = members["key_ops"], operations != .null {
            guard let operations = operations.arrayValue, operations.contains(.string("verify")) else { return false }
        }
        return true
    }

    private static func publicKey(_ members: JSONObject) -> PublicKey? {
        switch (members["kty"]?.stringValue, members["crv"]?.stringValue) {
        case ("RSA", _):
            guard let modulus = bytes("n", in: members, count: 256...1024), let exponent = bytes("e", in: members, count: 1...8),
                // With the exponent 1 anybody could sign; an even one belongs to no key.
                exponent != [1], let last = exponent.last, last & 1 == 1
            else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case ("EC", "P-256"): return point(in: members, size: 32).map { .p256(x: $0.x, y: $0.y) }
        case ("EC", "P-384"): return point(in: members, size: 48).map { .p384(x: $0.x, y: $0.y) }
        case ("EC", "P-521"): return point(in: members, size: 66).map { .p521(x: $0.x, y: $0.y) }
        case ("OKP", "Ed25519"):
            guard let x = bytes("x", in: members, count: 32...32) else { return nil }
            return .ed25519(x)
        default: return nil
        }
    }

    /// - Parameter size: of a coordinate, in bytes, including leading zeros (RFC 7518 section 6.2.1.2).
    private static func point(in members: JSONObject, size: Int) -> (x: [UInt8], y: [UInt8])? {
        guard let x = bytes("x", in: members, count: size...size), let y = bytes("y", in: members, count: size...size) else { return nil }
        return (x, y)
    }

    /// - Parameter count: of significant bytes for RSA's numbers, which some providers write with a leading zero.
    private static func bytes(_ name: String, in members: JSONObject, count: ClosedRange<Int>) -> [UInt8]? {
        guard let text = members[name]?.stringValue, text.utf8.count <= 2048, let decoded = Base64URL.decode(text) else { return nil }
        let bytes = count.count == 1 ? decoded : Array(decoded.drop { $0 == 0 })
        return count.contains(bytes.count) ? bytes : nil
    }

    /// Whether this key can have made a signature with this algorithm (RFC 7518 section 3.1, RFC 8037 section 3.1).
    public func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        if let own = self.algorithm, own != algorithm.rawValue { return false }
        switch (algorithm, key) {
        case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa): return true
        case (.es256, .p256), (.es384, .p384), (.es512, .p521), (.edDSA, .ed25519): return true
        default: return false
        }
    }
}
