/// Why no token can be obtained without the user.
public enum SignInRequirement: Sendable, Hashable {
    /// The token has expired, or its renewal is demanded, and the provider issued nothing to renew it with.
    case noRefreshToken(expiresAt: Timestamp?)
    case refreshTokenExpired(at: Timestamp)
    /// The provider refused the refresh token.
    case refreshRefused(OAuthRefusal)
    /// The provider was asked whether the access token is still valid, and said why it is not.
    case accessTokenRefused(String)
    /// The refreshed ID token is about another account, provider or client.
    case refreshedIdentityDiffers(IDTokenRejection)
    /// A token for one service, or of fewer scopes, is wanted, and the provider issued no refresh token to request it with.
    case noRefreshTokenToRestrict
    /// The ID token is wanted, and the provider issued no refresh token to renew it with.
    case noRefreshTokenForIDToken(expiresAt: Timestamp)
    /// The provider renews access tokens but sends no ID token with them (OpenID Connect Core section 12.2 leaves it free to).
    case idTokenNotRenewed(expiresAt: Timestamp)
}

extension SignInRequirement: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noRefreshToken(let expiresAt?): "the access token ends at \(expiresAt), and there is no refresh token to renew it with"
        case .noRefreshToken(nil): "there is no refresh token to renew the access token with"
        case .refreshTokenExpired(let moment): "the refresh token has expired at \(moment)"
        case .refreshRefused(let refusal): "the provider refused the refresh token (\(refusal))"
        case .accessTokenRefused(let reason): "the provider no longer accepts the access token (\(reason))"
        case .refreshedIdentityDiffers(let rejection): "the refreshed ID token is not acceptable: \(rejection)"
        case .noRefreshTokenToRestrict: "without a refresh token there is no token for a single service or with fewer scopes"
        case .noRefreshTokenForIDToken(let expiresAt):
            "the ID token ends at \(expiresAt), and there is no refresh token to renew it with"
        case .idTokenNotRenewed(let expiresAt):
            "the ID token ends at \(expiresAt), and the provider sends no new one when tokens are refreshed"
        }
    }
}

/// What to do when a program wants an access or ID token.
public enum RefreshDecision: Sendable, Hashable {
    case useStored
    /// It is valid, but must be renewed early: once it has expired, nothing can renew it.
    case useStoredAndRenew
    case refresh
    case signInRequired(SignInRequirement)
    /// Renewal does not help: no refresh token brings more than was granted (RFC 6749 section 6).
    case scopeNotGranted(missing: [String])
    /// There never was an ID token.
    case noIDToken

    public init(for credential: borrowing StoredCredential, _ demand: TokenDemand, dialect: any ProviderDialect, now: Timestamp) {
        switch demand.kind {
        case .accessToken: self.init(for: credential.grant, demand, dialect, now)
        case .idToken: self.init(forIDTokenOf: credential, demand, now)
        }
    }

    private init(for grant: borrowing Grant, _ demand: TokenDemand, _ dialect: any ProviderDialect, _ now: Timestamp) {
        let missing = demand.scopes.isEmpty ? [] : dialect.missingScopes(asked: demand.scopes, granted: grant.scopes)
        guard missing.isEmpty else {
            self = .scopeNotGranted(missing: missing)
            return
        }
        let renewsItself = grant.refreshToken == nil && dialect.accessTokenRenewsItself
        let isDoubtful = grant.refreshToken != nil && Self.isFromLater(grant, now: now)
        if !demand.forceRefresh, !isDoubtful, Self.isGood(grant, now: now, minimumValidity: demand.minimumValidity) {
            self = renewsItself && Self.isInSecondHalf(grant, now: now) ? .useStoredAndRenew : .useStored
        } else if renewsItself, Self.isGood(grant, now: now, minimumValidity: 0) {
            self = .refresh
        } else {
            self.init(refreshing: grant, orElse: .noRefreshToken(expiresAt: grant.expiresAt), now)
        }
    }

    /// For a restricted token.
    ///
    /// - Parameter token: the one in memory, as its credential's grant; nil if there is none.
    init(
        for credential: StoredCredential, restricted token: StoredCredential?, _ demand: TokenDemand, dialect: any ProviderDialect,
        now: Timestamp
    ) {
        let missing = dialect.missingScopes(asked: demand.scopes, granted: credential.grant.scopes)
        if !missing.isEmpty {
            self = .scopeNotGranted(missing: missing)
        } else if let token, !demand.forceRefresh, !Self.isFromLater(token.grant, now: now),
            Self.isGood(token.grant, now: now, minimumValidity: demand.minimumValidity)
        {
            self = .useStored
        } else {
            self.init(refreshing: credential.grant, orElse: .noRefreshTokenToRestrict, now)
        }
    }

    /// The ID token has its own expiry, and is renewed together with the access token.
    private init(forIDTokenOf credential: borrowing StoredCredential, _ demand: TokenDemand, _ now: Timestamp) {
        guard let end = credential.idTokenLifetime?.end else {
            self = .noIDToken
            return
        }
        if !demand.forceRefresh, Self.isGood(until: end, now: now, minimumValidity: demand.minimumValidity) {
            self = .useStored
        } else {
            self.init(refreshing: credential.grant, orElse: .noRefreshTokenForIDToken(expiresAt: end), now)
        }
    }

    /// - Parameter requirement: where there is no refresh token.
    private init(refreshing grant: borrowing Grant, orElse requirement: SignInRequirement, _ now: Timestamp) {
        if grant.refreshToken == nil {
            self = .signInRequired(requirement)
        } else if let end = grant.refreshTokenExpiresAt, end <= now {
            self = .signInRequired(.refreshTokenExpired(at: end))
        } else {
            self = .refresh
        }
    }

    /// How far the clock may have been set back before an expiry is doubted, in seconds.
    static let clockTolerance: Int64 = 60

    private static func isInSecondHalf(_ grant: borrowing Grant, now: Timestamp) -> Bool {
        guard let end = grant.expiresAt else { return false }
        return end.seconds(since: now) < now.seconds(since: grant.obtainedAt)
    }

    /// The clock was ahead when the token was obtained, or is behind now: its expiry, calculated from then, may be long past.
    private static func isFromLater(_ grant: borrowing Grant, now: Timestamp) -> Bool {
        grant.expiresAt != nil && grant.obtainedAt > now.adding(seconds: clockTolerance)
    }

    private static func isGood(_ grant: borrowing Grant, now: Timestamp, minimumValidity: Int64) -> Bool {
        grant.expiresAt.map { isGood(until: $0, now: now, minimumValidity: minimumValidity) } ?? true
    }

    private static func isGood(until end: Timestamp, now: Timestamp, minimumValidity: Int64) -> Bool {
        end > now && end >= now.adding(seconds: max(minimumValidity, 0))
    }
}
