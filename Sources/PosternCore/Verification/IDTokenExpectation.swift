/// What an ID token must be to be believed.
public struct IDTokenExpectation: Sendable {
    /// How far two clocks may be apart.
    public static let leeway: Int64 = 60
    /// An ID token that answers a sign-in was made for it, moments ago.
    public static let longestAge: Int64 = 600

    public enum Nonce: Sendable, Equatable {
        /// A sign-in that sent none.
        case none
        /// Must be repeated.
        case required(Secret)
        /// A refresh: may be left out, but not be another (OpenID Connect Core section 12.2).
        case optional(Secret?)
        /// A refresh whose sign-in was another program's: it may be repeated, and nobody here knows it.
        case unknown
    }

    public var issuer: IssuerRule
    public var clientID: String
    public var algorithms: Set<SignatureAlgorithm>
    public var nonce: Nonce
    /// That came with it, to be compared with `at_hash` where the token has one.
    public var accessToken: Secret?
    /// That it was exchanged for, to be compared with `c_hash` where the token has one.
    public var code: Secret?
    /// Seconds since it was issued; nil if its age does not matter.
    public var longestAge: Int64?
    /// `max_age` of the authorization request, in seconds; nil if none was sent.
    public var longestSinceAuthentication: Int64?
    /// The ID token that it takes the place of.
    public var earlier: UnverifiedIDToken?
    /// The subject that it must be about; nil if that is to be learnt.
    public var subject: String?
    /// `auth_time` is the earlier one's.
    public var keepsAuthenticationTime = true
    /// The provider's own rules, after all others.
    public var furtherCheck: @Sendable (IDTokenClaims) throws(IDTokenRejection) -> Void = { _ in }
}

extension IDTokenExpectation {
    /// With the rules that the provider's dialect adds.
    private func adding(rulesOf provider: Provider, parameters: [String: String] = [:]) -> IDTokenExpectation {
        var expectation = self
        expectation.keepsAuthenticationTime = provider.dialect.keepsAuthenticationTime
        expectation.furtherCheck = { claims throws(IDTokenRejection) in
            try provider.dialect.check(claims, of: provider, parameters: parameters)
        }
        return expectation
    }

    /// For the answer to a code.
    ///
    /// - Parameters:
    ///   - nonce: as it was sent.
    ///   - parameters: those of the authorization request beside the standard's, for their `max_age`.
    public static func signIn(
        at provider: ResolvedProvider, nonce: Secret?, accessToken: Secret, code: Secret? = nil, parameters: [String: String] = [:]
    ) -> IDTokenExpectation {
        let longestSinceAuthentication = (parameters["max_age"] ?? provider.provider.parameters["max_age"]).flatMap(Int64.init)
        return IDTokenExpectation(
            issuer: provider.dialect.issuerRule(of: provider.provider), clientID: provider.clientID, algorithms: provider.idTokenAlgorithms,
            nonce: nonce.map(Nonce.required) ?? .none, accessToken: accessToken, code: code, longestAge: longestAge,
            longestSinceAuthentication: longestSinceAuthentication, earlier: nil, subject: nil
        ).adding(rulesOf: provider.provider, parameters: parameters)
    }

    /// For a token that a program got itself, such as from a phone's sign-in. Its nonce is its only tie to whoever shows it, so there must
    /// be one.
    ///
    /// - Parameters:
    ///   - nonce: as it was sent.
    ///   - accessToken: that is shown beside it; nil if none is.
    public static func presented(at provider: ResolvedProvider, nonce: Secret, accessToken: Secret? = nil) -> IDTokenExpectation {
        IDTokenExpectation(
            issuer: provider.dialect.issuerRule(of: provider.provider), clientID: provider.clientID, algorithms: provider.idTokenAlgorithms,
            nonce: .required(nonce), accessToken: accessToken, code: nil, longestAge: longestAge, longestSinceAuthentication: nil,
            earlier: nil,
            subject: nil
        ).adding(rulesOf: provider.provider)
    }

    /// For the answer to a refresh token that another program got for the same client. It came straight from the token endpoint, so its
    /// issuer, audience and signature say enough of whose it is; nothing is known of the sign-in that it goes back to.
    public static func imported(at provider: ResolvedProvider, accessToken: Secret) -> IDTokenExpectation {
        IDTokenExpectation(
            issuer: provider.dialect.issuerRule(of: provider.provider), clientID: provider.clientID, algorithms: provider.idTokenAlgorithms,
            nonce: .unknown, accessToken: accessToken, code: nil, longestAge: nil, longestSinceAuthentication: nil, earlier: nil,
            subject: nil
        ).adding(rulesOf: provider.provider)
    }

    /// For the answer to a refresh token (OpenID Connect Core section 12.2): the same person at the same provider for the same client.
    public static func refresh(
        at provider: ResolvedProvider, of credential: StoredCredential, accessToken: Secret
    ) -> IDTokenExpectation {
        // It was verified before it was kept; one that can no longer be read is as good as none.
        let earlier = credential.grant.idToken.flatMap { try? UnverifiedIDToken(parsing: $0) }
        return IDTokenExpectation(
            issuer: provider.dialect.issuerRule(of: provider.provider), clientID: provider.clientID, algorithms: provider.idTokenAlgorithms,
            nonce: .optional(earlier?.claims.nonce), accessToken: accessToken, code: nil, longestAge: nil,
            longestSinceAuthentication: nil, earlier: earlier,
            subject: provider.provider.profileMapping.uid == "sub" ? credential.subject : nil
        ).adding(rulesOf: provider.provider)
    }
}
