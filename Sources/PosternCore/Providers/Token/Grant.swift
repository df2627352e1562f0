/// What a token endpoint issued, read and checked.
public struct Grant: Sendable, Equatable {
    /// Empty if there is only an ID token, which a program obtained itself.
    public var accessToken: Secret
    /// As the provider wrote it: `bearer`, `Bearer`; `DPoP` for one that is bound to a key.
    public var tokenType: String
    /// Nil: the provider named no expiry.
    public var expiresAt: Timestamp?
    public var refreshToken: Secret?
    public var refreshTokenExpiresAt: Timestamp?
    /// Since when that expiry is known, if that is before this access token was obtained; nil: since ``obtainedAt``.
    public var refreshTokenSince: Timestamp?
    /// When this refresh token was sent and nothing came of it that is stored: the answer may have contained a new one. Nil if it was not.
    public var refreshTokenSentAt: Timestamp?
    public var idToken: Secret?
    /// The ID token of the sign-in that the refresh token is from, if ``idToken`` is from a later sign-in that brought no refresh token.
    public var idTokenOfRefreshToken: Secret?
    /// What was granted; what was requested, if the provider does not say (RFC 6749 section 5.1).
    public var scopes: [String]
    /// What was requested with it, whatever was granted. A person who is asked for more is asked for this again.
    public var requestedScopes: [String]
    /// The ways to sign in that a server demanded when this was requested (RFC 9470); empty if none did.
    public var authenticationClasses: [String]
    /// The one of them that brought this, as the verified ID token of the sign-in says. Nil if nothing said so: then only the server knows.
    public var provedClass: String?
    /// The services that it was requested for (RFC 8707); empty if none was named.
    public var resources: [String]
    /// What else it was requested with that may decide what it is good for, such as a provider's own `audience`.
    public var parameters: [String: String]
    public var obtainedAt: Timestamp
    /// Where the refresh token was issued; nil if it was not seen: a program brought it.
    public var tokenHost: EndpointHost?
    /// The key that the tokens are bound to (RFC 9449); nil for bearer tokens.
    public var proofKey: DPoPKey?
    /// Signs requests with an OAuth 1.0a access token (RFC 5849 section 2.3); nil for all others.
    public var tokenSecret: Secret?

    public init(
        accessToken: Secret, tokenType: String, expiresAt: Timestamp? = nil, refreshToken: Secret? = nil,
        refreshTokenExpiresAt: Timestamp? = nil, refreshTokenSince: Timestamp? = nil, refreshTokenSentAt: Timestamp? = nil,
        idToken: Secret? = nil,
        idTokenOfRefreshToken: Secret? = nil, scopes: [String], requestedScopes: [String] = [], authenticationClasses: [String] = [],
        provedClass: String? = nil,
        resources: [String] = [], parameters: [String: String] = [:], obtainedAt: Timestamp, tokenHost: EndpointHost? = nil,
        proofKey: DPoPKey? = nil,
        tokenSecret: Secret? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.refreshTokenExpiresAt = refreshTokenExpiresAt
        self.refreshTokenSince = refreshTokenSince
        self.refreshTokenSentAt = refreshTokenSentAt
        self.idToken = idToken
        self.idTokenOfRefreshToken = idTokenOfRefreshToken
        self.scopes = scopes
        self.requestedScopes = requestedScopes
        self.authenticationClasses = authenticationClasses
        self.provedClass = provedClass
        self.resources = resources
        self.parameters = parameters
        self.obtainedAt = obtainedAt
        self.tokenHost = tokenHost
        self.proofKey = proofKey
        self.tokenSecret = tokenSecret
    }
}

extension Grant {
    /// The longest access token or token secret, in bytes.
    public static let longestToken = TokenAnswer.longestToken

    /// An ID token that a program obtained itself, and nothing else.
    public init(idToken: Secret, obtainedAt: Timestamp) {
        self.init(accessToken: Secret([]), tokenType: "", idToken: idToken, scopes: [], obtainedAt: obtainedAt)
    }

    public var hasAccessToken: Bool { !accessToken.isEmpty }

    /// There is a refresh token that has not expired by then.
    public func hasRefreshToken(at moment: Timestamp) -> Bool {
        refreshToken != nil && (refreshTokenExpiresAt.map { moment < $0 } ?? true)
    }
}

/// A stored grant, with the account at the provider that it belongs to.
public struct StoredCredential: Sendable, Equatable {
    public var providerID: String
    /// The account at the provider.
    public var subject: String
    public var displayName: String?
    public var email: String?
    /// As ``Identity/emailVerified``.
    public var emailVerified: Bool?
    /// The provider's name for the account.
    public var username: String?
    /// The configured name under which the last sign-in was; nil if that was the provider's.
    public var signedInAs: SignInName?
    /// Was granted before, and not with this grant, for which nobody was asked for it. The person's next sign-in asks for it.
    public var lostScopes: [String]
    /// Where alone the grant may be used and renewed.
    public var binding: ProviderBinding
    public var grant: Grant
    public var keepers: CredentialKeepers
    /// Incremented with every change of the grant, to distinguish a late answer from a current one.
    public var generation: Int64

    public init(
        providerID: String, subject: String, displayName: String?, email: String? = nil, emailVerified: Bool? = nil,
        username: String? = nil,
        signedInAs: SignInName? = nil, lostScopes: [String] = [], binding: ProviderBinding, grant: Grant,
        keepers: CredentialKeepers = .person, generation: Int64
    ) {
        self.providerID = providerID
        self.subject = subject
        self.displayName = displayName
        self.email = email
        self.emailVerified = emailVerified
        self.username = username
        self.signedInAs = signedInAs
        self.lostScopes = lostScopes
        self.binding = binding
        self.grant = grant
        self.keepers = keepers
        self.generation = generation
    }
}
