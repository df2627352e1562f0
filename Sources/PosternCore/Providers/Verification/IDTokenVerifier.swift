import StrictJSON

/// An ID token that has passed every check. Only ``IDTokenVerifier`` can create one.
public struct VerifiedIDToken: Sendable {
    public let claims: IDTokenClaims

    public var subject: String { claims.subject }

    fileprivate init(_ claims: IDTokenClaims) { self.claims = claims }
}

/// Decides whether an ID token is trusted (OpenID Connect Core section 3.1.3.7).
public struct IDTokenVerifier: Sendable {
    public enum Verdict: Sendable {
        case verified(VerifiedIDToken)
        /// None of the keys fits; the provider may have changed them. Fetch them again once, then accept the rejection.
        case needsKeyRefetch(IDTokenRejection)
        case rejected(IDTokenRejection)
    }

    private let cryptography: any Cryptography

    public init(cryptography: any Cryptography) { self.cryptography = cryptography }

    /// What is wrong with the algorithm, checked before the provider's keys are known: no key set can fix it, so none is fetched for it.
    public func rejection(ofAlgorithmOf token: UnverifiedIDToken, expecting expectation: IDTokenExpectation) -> IDTokenRejection? {
        do throws(IDTokenRejection) {
            _ = try AlgorithmCheck.algorithm(named: token.jws.header.algorithm, among: expectation.algorithms)
            return nil
        } catch {
            return error
        }
    }

    /// The signature is checked first: no claim is compared before it is known who makes it.
    public func verdict(on token: UnverifiedIDToken, keys: KeySet, expecting expectation: IDTokenExpectation, now: Timestamp) -> Verdict {
        do throws(IDTokenRejection) {
            return .verified(try verified(token, keys, expectation, now))
        } catch {
            switch error {
            case .unknownKey: return .needsKeyRefetch(error)
            // Without a key ID a new key looks like a wrong signature.
            case .invalidSignature where token.jws.header.keyID == nil: return .needsKeyRefetch(error)
            default: return .rejected(error)
            }
        }
    }

    private func verified(
        _ token: UnverifiedIDToken, _ keys: KeySet, _ expectation: IDTokenExpectation, _ now: Timestamp
    ) throws(IDTokenRejection) -> VerifiedIDToken {
        let claims = token.claims
        let algorithm = try AlgorithmCheck.algorithm(named: token.jws.header.algorithm, among: expectation.algorithms)
        let key = try SignatureCheck.check(token.jws, algorithm: algorithm, keys: keys, cryptography: cryptography)
        try KeyIssuerCheck.check(keys.issuers(of: key), of: claims, rule: expectation.issuer)
        try IssuerCheck.check(claims.issuer, rule: expectation.issuer) { claims.document[$0]?.stringValue }
        try AudienceCheck.check(claims, clientID: expectation.clientID)
        try TimeCheck.check(claims, now: now, longestAge: expectation.longestAge)
        try SubjectCheck.check(claims.subject, expected: expectation.subject)
        try NonceCheck.check(claims.nonce, expected: expectation.nonce)
        try TokenHashCheck.check(
            claims, accessToken: expectation.accessToken, code: expectation.code, algorithm: algorithm, cryptography: cryptography)
        try AuthenticationAgeCheck.check(claims.authenticatedAt, longest: expectation.longestSinceAuthentication, now: now)
        try AuthenticationClassCheck.check(claims, demanded: expectation.authenticationClasses)
        try ContinuityCheck.check(
            claims, after: expectation.earlier?.claims, keepsAuthenticationTime: expectation.keepsAuthenticationTime)
        try expectation.furtherCheck(claims)
        return VerifiedIDToken(claims)
    }
}

/// An ID token as received: well-formed, but no part of it is trusted yet. ``IDTokenVerifier`` turns it into a ``VerifiedIDToken``.
public struct UnverifiedIDToken: Sendable {
    /// Ten times the size of large ones.
    public static let mostBytes = 64 * 1024

    let jws: CompactJWS
    let claims: IDTokenClaims

    /// - Throws: what is wrong with its format or with the type of a claim.
    public init(parsing text: Secret) throws(IDTokenRejection) {
        jws = try CompactJWS(parsing: text, mostBytes: Self.mostBytes)
        claims = try IDTokenClaims(jws.payload)
    }
}
