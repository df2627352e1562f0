/// An ID token as it came: well formed, and not yet believed in any part. ``IDTokenVerifier`` makes a ``VerifiedIDToken`` of it.
public struct UnverifiedIDToken: Sendable {
    /// Ten times what large ones have.
    public static let mostBytes = 64 * 1024

    let jws: CompactJWS
    let claims: IDTokenClaims

    /// - Throws: what is wrong with its form or with the type of a claim.
    public init(parsing text: Secret) throws(IDTokenRejection) {
        jws = try CompactJWS(parsing: text, mostBytes: Self.mostBytes)
        claims = try IDTokenClaims(jws.payload)
    }
}
