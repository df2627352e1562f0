/// What a program needs of a token.
public struct TokenDemand: Sendable, Hashable {
    /// Which of the credential's tokens; one renewal renews both.
    public enum Kind: Sendable, Hashable {
        case accessToken, idToken
    }

    public var kind: Kind
    /// What was granted will do where this is empty.
    public var scopes: [String]
    /// The service that the token is for (RFC 8707 section 2); nil: wherever the credential's tokens are for.
    public var resource: String?
    /// Seconds that the token must still be valid for.
    public var minimumValidity: Int64
    /// The provider is to be asked, though the token that is kept may be good.
    public var forceRefresh: Bool

    public init(
        _ kind: Kind = .accessToken, scopes: [String] = [], resource: String? = nil, minimumValidity: Int64 = 60, forceRefresh: Bool = false
    ) {
        self.kind = kind
        self.scopes = scopes
        self.resource = resource
        self.minimumValidity = minimumValidity
        self.forceRefresh = forceRefresh
    }

    /// It may be that another token than the one that is kept is wanted.
    public var mayRestrict: Bool { kind == .accessToken && (resource != nil || !scopes.isEmpty) }
}

/// What a program gets that wanted a token.
public enum TokenVerdict: Sendable, Equatable {
    /// The token is in it.
    case token(StoredCredential)
    case signInRequired(SignInRequirement)
    case scopeNotGranted(missing: [String])
    /// The credential never had an ID token.
    case noIDToken
    case failed(ToldFailure)
    /// The provider gave a token, and it is not on disk yet.
    case notSaved(StoreError)
    /// The credential was revoked while it was being renewed.
    case takenBack
}

/// From when until when a token is good.
struct TokenLifetime: Sendable {
    var begin: Timestamp
    /// Nil: the provider named no end.
    var end: Timestamp?

    init(_ begin: Timestamp, _ end: Timestamp?) {
        self.begin = begin
        self.end = end
    }

    /// In milliseconds; nil if there is no end.
    var length: Int64? { end.map { $0.milliseconds - begin.milliseconds } }
}

extension StoredCredential {
    /// By the claims of the ID token, which were verified before it was kept; nil if there is none.
    var idTokenLifetime: TokenLifetime? {
        guard let token = grant.idToken, let claims = try? UnverifiedIDToken(parsing: token).claims else { return nil }
        return TokenLifetime(claims.issuedAt, claims.expiresAt)
    }

    /// When the ID token ends; nil if there is none.
    public var idTokenExpiresAt: Timestamp? { idTokenLifetime?.end }

    func lifetime(of kind: TokenDemand.Kind) -> TokenLifetime? {
        switch kind {
        case .accessToken: TokenLifetime(grant.obtainedAt, grant.expiresAt)
        case .idToken: idTokenLifetime
        }
    }
}
