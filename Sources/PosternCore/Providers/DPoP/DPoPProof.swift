import StrictJSON

/// A signed statement that the sender of a request has the key that its tokens are bound to (RFC 9449 section 4.2).
public enum DPoPProof {
    /// For `jti`; the specification requires at least 96 bits.
    public static let randomByteCount = 16
    /// In seconds. `iat` is this much earlier than the clock here: many servers refuse a proof from the future, even if only their clock is
    /// slightly behind. The strictest accept proofs of the last 10 s.
    static let backdating: Int64 = 2

    /// The request with its proof.
    ///
    /// - Parameters:
    ///   - accessToken: the one in the request; nil for one to the token endpoint.
    ///   - nonce: the last one from the server.
    ///   - randomBytes: of good randomness; different for each proof.
    /// - Returns: nil if the key cannot sign.
    public static func proving(
        _ request: ProviderRequest, with key: DPoPKey, accessToken: Secret?, nonce: String?, randomBytes: [UInt8], now: Timestamp,
        cryptography: some Cryptography
    ) -> ProviderRequest? {
        var claims: JSONObject = [
            "jti": .string(Base64URL.encode(randomBytes)), "htm": .string(request.method), "htu": .string(target(of: request.url)),
            "iat": .integer(now.seconds - backdating),
        ]
        if let accessToken { claims["ath"] = .string(Base64URL.encode(cryptography.sha256(accessToken.revealBytes()))) }
        if let nonce { claims["nonce"] = .string(nonce) }
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(key.jwk)}"#
        let proof = CompactJWS.signed(Array(header.utf8), claims, by: key.privateKeyPEM, cryptography: cryptography)
        guard let proof else { return nil }
        var proved = request
        proved.headers.append(("DPoP", proof))
        return proved
    }

    /// `htu`: the URL without query and fragment.
    static func target(of url: String) -> String { String(url.before { $0 == "?" || $0 == "#" }) }
}

/// The key that the tokens of one credential are bound to (RFC 9449). Without it, stolen tokens are useless.
public struct DPoPKey: Sendable, Equatable {
    /// A P-256 key as PKCS #8 in PEM.
    public let privateKeyPEM: Secret
    /// Its public part, 32 bytes each.
    public let x: [UInt8]
    public let y: [UInt8]

    /// - Returns: nil if the coordinates are not on P-256.
    public init?(privateKeyPEM: Secret, x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.privateKeyPEM = privateKeyPEM
        self.x = x
        self.y = y
    }

    /// The public part as a JWK: the members of its thumbprint, in their order (RFC 7638 section 3).
    var jwk: String {
        #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(x))","y":"\#(Base64URL.encode(y))"}"#
    }

    /// SHA-256 of the public part (RFC 7638), for `dpop_jkt`.
    public func thumbprint(using cryptography: some Cryptography) -> String {
        Base64URL.encode(cryptography.sha256(Array(jwk.utf8)))
    }
}
