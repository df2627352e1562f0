/// The key that the tokens of one credential are bound to (RFC 9449). Stolen without it, they are of no use.
public struct DPoPKey: Sendable, Equatable {
    /// A P-256 key as PKCS #8 in PEM.
    public let privateKeyPEM: Secret
    /// Its public part, 32 bytes each.
    public let x: [UInt8]
    public let y: [UInt8]

    /// - Returns: nil for coordinates that are none of P-256.
    public init?(privateKeyPEM: Secret, x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.privateKeyPEM = privateKeyPEM
        self.x = x
        self.y = y
    }

    /// The public part as a JWK: the members that its thumbprint is made of, in their order (RFC 7638 section 3).
    var jwk: String {
        #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
    }

    /// SHA-256 of the public part (RFC 7638), for `dpop_jkt`.
    public func thumbprint(using cryptography: some Cryptography) -> String {
        Base64URL.encode(cryptography.sha256(Array(jwk.utf8)))
    }
}
