import StrictJSON

/// A key that ID tokens of this machine's users are signed with (ES256).
public struct UserTokenKey: Sendable, Equatable {
    /// A P-256 key as PKCS #8 in PEM.
    public let privateKeyPEM: Secret
    /// Its public part, 32 bytes each.
    public let x: [UInt8]
    public let y: [UInt8]
    /// SHA-256 of the public part (RFC 7638): the same key has the same name for ever, and two never share one.
    public let id: String

    /// - Returns: nil for coordinates that are none of P-256.
    public init?(privateKeyPEM: Secret, x: [UInt8], y: [UInt8], cryptography: some Cryptography) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.privateKeyPEM = privateKeyPEM
        self.x = x
        self.y = y
        id = Base64URL.encode(cryptography.sha256(Array(Self.thumbprintInput(x: x, y: y).utf8)))
    }

    /// The members that the thumbprint is made of, in their order, without a blank (RFC 7638 section 3).
    private static func thumbprintInput(x: [UInt8], y: [UInt8]) -> String {
        #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
    }

    /// The public part as a JWK (RFC 7517 section 4).
    var jwk: JSONObject {
        [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)), "kid": .string(id),
            "use": "sig", "alg": .string(SignatureAlgorithm.es256.rawValue),
        ]
    }
}
