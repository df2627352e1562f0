/// Who gave us an ID token.
public enum IDTokenOrigin: Sendable {
    /// The provider, in an answer to us.
    case provider
    /// A program, which may have made it up.
    case program
}

/// What an ID token must satisfy to be trusted.
public struct IDTokenExpectation: Sendable {
    /// How far two clocks may differ, in seconds.
    public static let leeway: Int64 = 60
    /// In seconds. An ID token that answers a sign-in was issued for it, moments ago.
    public static let longestAge: Int64 = 600

    public enum Nonce: Sendable, Equatable {
        /// The sign-in sent none.
        case none
        /// The token must repeat it.
        case required(Secret)
        /// A refresh: it may be missing, but must not differ (OpenID Connect Core section 12.2).
        case optional(Secret?)
        /// A refresh after another program's sign-in: there may be one, which nobody here knows.
        case unknown
    }

    public var origin = IDTokenOrigin.provider
    public var issuer: IssuerRule
    public var clientID: String
    public var algorithms: Set<SignatureAlgorithm>
    public var nonce: Nonce
    /// The one that came with it, to be compared with `at_hash` if the token has one.
    public var accessToken: Secret?
    /// The one that was exchanged for it, to be compared with `c_hash` if the token has one.
    public var code: Secret?
    /// The most seconds since it was issued; nil if its age does not matter.
    public var longestAge: Int64?
    /// `max_age` of the authorization request, in seconds; nil if none was sent.
    public var longestSinceAuthentication: Int64?
    /// The ways to sign in of which a server demanded one; empty if none did.
    public var authenticationClasses: [String] = []
    /// The ID token that it replaces.
    public var earlier: UnverifiedIDToken?
    /// The subject that it must have; nil if that is not known yet.
    public var subject: String?
    /// Whether `auth_time` must be the earlier one's.
    public var keepsAuthenticationTime = true
    /// The provider's own rules, after all others.
    public var furtherCheck: @Sendable (IDTokenClaims) throws(IDTokenRejection) -> Void = { _ in }
}

extension IDTokenExpectation {
    /// It matters how, or when, the person signed in (RFC 9470).
    public var demandsAuthentication: Bool { !authenticationClasses.isEmpty || longestSinceAuthentication != nil }

    /// What every token of the provider must satisfy, and the rules of its dialect.
    private init(at provider: ResolvedProvider, nonce: Nonce, accessToken: Secret?, parameters: [String: String] = [:]) {
        let configured = provider.provider
        self.init(
            issuer: configured.dialect.issuerRule(of: configured), clientID: provider.clientID, algorithms: provider.idTokenAlgorithms,
            nonce: nonce, accessToken: accessToken, keepsAuthenticationTime: configured.dialect.keepsAuthenticationTime,
            furtherCheck: { claims throws(IDTokenRejection) in
                try configured.dialect.check(claims, of: configured, parameters: parameters)
            })
    }

    /// For the answer to a code.
    ///
    /// - Parameters:
    ///   - nonce: as it was sent.
    ///   - parameters: the additional ones of the authorization request, for their `max_age`.
    ///   - authenticationClasses: those that a server demanded.
    public static func signIn(
        at provider: ResolvedProvider, nonce: Secret?, accessToken: Secret, code: Secret? = nil, parameters: [String: String] = [:],
        authenticationClasses: [String] = []
    ) -> IDTokenExpectation {
        var expectation = Self(
            at: provider, nonce: nonce.map(Nonce.required) ?? .none, accessToken: accessToken, parameters: parameters)
        expectation.code = code
        expectation.longestAge = longestAge
        expectation.authenticationClasses = authenticationClasses
        expectation.longestSinceAuthentication = (parameters["max_age"] ?? provider.provider.parameters["max_age"]).flatMap(Int64.init)
        return expectation
    }

    /// For a token that a program obtained itself, for example from a phone's sign-in. Its nonce is its only link to the program that
    /// presents it, so there must be one.
    ///
    /// - Parameters:
    ///   - nonce: as it was sent.
    ///   - accessToken: the one presented with it; nil if there is none.
    public static func presented(at provider: ResolvedProvider, nonce: Secret, accessToken: Secret? = nil) -> IDTokenExpectation {
        var expectation = Self(at: provider, nonce: .required(nonce), accessToken: accessToken)
        expectation.origin = .program
        expectation.longestAge = longestAge
        return expectation
    }

    /// For the answer to a refresh token that another program obtained for the same client. It came directly from the token endpoint, so
    /// its issuer, audience and signature are enough to identify it; nothing is known of the original sign-in.
    public static func imported(at provider: ResolvedProvider, accessToken: Secret) -> IDTokenExpectation {
        Self(at: provider, nonce: .unknown, accessToken: accessToken)
    }

    /// For the answer to a refresh token (OpenID Connect Core section 12.2): the same person at the same provider for the same client, with
    /// the nonce and the time of the refresh token's sign-in.
    public static func refresh(
        at provider: ResolvedProvider, of credential: StoredCredential, accessToken: Secret
    ) -> IDTokenExpectation {
        // It was verified before it was stored; one that can no longer be parsed is as good as none.
        let grant = credential.grant
        let earlier = (grant.idTokenOfRefreshToken ?? grant.idToken).flatMap { try? UnverifiedIDToken(parsing: $0) }
        var expectation = Self(at: provider, nonce: .optional(earlier?.claims.nonce), accessToken: accessToken)
        expectation.earlier = earlier
        expectation.subject = provider.provider.profileMapping.uid == "sub" ? credential.subject : nil
        return expectation
    }
}
