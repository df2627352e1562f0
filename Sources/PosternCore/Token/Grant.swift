/// What a token endpoint gave, after its answer was read and checked.
public struct Grant: Sendable, Equatable {
    /// Empty if there is an ID token alone, which a program got itself.
    public var accessToken: Secret
    /// As the provider wrote it: `bearer`, `Bearer`; `DPoP` for one that is bound to a key.
    public var tokenType: String
    /// Nil: the provider named no end.
    public var expiresAt: Timestamp?
    public var refreshToken: Secret?
    public var refreshTokenExpiresAt: Timestamp?
    /// Since when that end is known, if it is longer than the access token has been there; nil: since ``obtainedAt``.
    public var refreshTokenSince: Timestamp?
    public var idToken: Secret?
    /// What was granted; what was asked for where the provider is silent (RFC 6749 section 5.1).
    public var scopes: [String]
    public var obtainedAt: Timestamp
    /// That the tokens are bound to (RFC 9449); nil for bearer tokens.
    public var proofKey: DPoPKey?
    /// What signs requests with the access token of OAuth 1.0a (RFC 5849 section 2.3); nil for all others.
    public var tokenSecret: Secret?

    public init(
        accessToken: Secret, tokenType: String, expiresAt: Timestamp? = nil, refreshToken: Secret? = nil,
        refreshTokenExpiresAt: Timestamp? = nil, refreshTokenSince: Timestamp? = nil, idToken: Secret? = nil, scopes: [String],
        obtainedAt: Timestamp, proofKey: DPoPKey? = nil, tokenSecret: Secret? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.refreshTokenExpiresAt = refreshTokenExpiresAt
        self.refreshTokenSince = refreshTokenSince
        self.idToken = idToken
        self.scopes = scopes
        self.obtainedAt = obtainedAt
        self.proofKey = proofKey
        self.tokenSecret = tokenSecret
    }
}

extension Grant {
    /// Of an access token or its secret, in bytes.
    public static let longestToken = TokenAnswer.longestToken

    /// An ID token that a program got itself, and nothing else.
    public init(idToken: Secret, obtainedAt: Timestamp) {
        self.init(accessToken: Secret([]), tokenType: "", idToken: idToken, scopes: [], obtainedAt: obtainedAt)
    }

    public var hasAccessToken: Bool { !accessToken.isEmpty }
}

/// A grant that is kept, with the account at the provider that it belongs to.
public struct StoredCredential: Sendable, Equatable {
    public var providerID: String
    /// The account at the provider.
    public var subject: String
    public var displayName: String?
    public var email: String?
    /// What the provider calls the account by.
    public var username: String?
    /// The name in the configuration under which somebody signed in last; nil if it was the provider's.
    public var signedInAs: SignInName?
    /// Where the grant may be used and renewed, and nowhere else.
    public var binding: ProviderBinding
    public var grant: Grant
    /// Rises by one with every change, so that a late answer can be told from a fresh one.
    public var generation: Int64

    public init(
        providerID: String, subject: String, displayName: String?, email: String? = nil, username: String? = nil,
        signedInAs: SignInName? = nil, binding: ProviderBinding, grant: Grant, generation: Int64
    ) {
        self.providerID = providerID
        self.subject = subject
        self.displayName = displayName
        self.email = email
        self.username = username
        self.signedInAs = signedInAs
        self.binding = binding
        self.grant = grant
        self.generation = generation
    }
}
