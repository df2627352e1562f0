/// What a program requires of a token.
public struct TokenDemand: Sendable, Hashable {
    /// Which of the credential's tokens is meant; one renewal renews both.
    public enum Kind: Sendable, Hashable {
        case accessToken, idToken
    }

    public var kind: Kind
    /// If this is empty, what was granted is enough.
    public var scopes: [String]
    /// The service that the token is for (RFC 8707 section 2); nil: whatever the credential's tokens are for.
    public var resource: String?
    /// How long the token must still be valid, in seconds.
    public var minimumValidity: Int64
    /// The provider is to be asked even if the stored token may be valid.
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

    /// The program may want another token than the stored one.
    public var mayRestrict: Bool { kind == .accessToken && (resource != nil || !scopes.isEmpty) }
}

/// What a program that wanted a token gets.
public enum TokenVerdict: Sendable, Equatable {
    /// The credential contains the token.
    case token(StoredCredential)
    case signInRequired(SignInRequirement)
    case scopeNotGranted(missing: [String])
    /// The credential never had an ID token.
    case noIDToken
    case failed(ProviderFailure)
    /// The provider is not asked now.
    case tooMany(TooManyTokens)
    /// The provider issued a token, but it is not on disk yet.
    case notSaved(StoreError)
    /// The credential was revoked while it was being renewed.
    case takenBack
}

/// Why the provider is not asked for a credential's tokens now, although it did nothing wrong.
public enum TooManyTokens: Sendable, Hashable {
    /// Programs requested more than one credential's pace allows.
    case requests(seconds: Int64)
    /// More tokens for single services or scopes are valid than are kept to be revoked.
    ///
    /// - Parameter seconds: until the first of them expires; nil if none does.
    case validTokens(seconds: Int64?)
}

/// When a token's validity begins and ends.
struct TokenLifetime: Sendable {
    var begin: Timestamp
    /// Nil: the provider named no expiry.
    var end: Timestamp?

    /// In milliseconds; nil if there is no expiry.
    var length: Int64? { end.map { $0.milliseconds - begin.milliseconds } }
}

extension StoredCredential {
    /// From the claims of the ID token, which was verified before it was stored; nil if there is none.
    var idTokenLifetime: TokenLifetime? {
        guard let token = grant.idToken, let claims = try? UnverifiedIDToken(parsing: token).claims else { return nil }
        return TokenLifetime(begin: claims.issuedAt, end: claims.expiresAt)
    }

    /// When the ID token expires; nil if there is none.
    public var idTokenExpiresAt: Timestamp? { idTokenLifetime?.end }

    func lifetime(of kind: TokenDemand.Kind) -> TokenLifetime? {
        switch kind {
        case .accessToken: TokenLifetime(begin: grant.obtainedAt, end: grant.expiresAt)
        case .idToken: idTokenLifetime
        }
    }
}
