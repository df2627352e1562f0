extension StoredCredential {
    /// An ID token answers the nonce of this credential's sign-in, and is not the one that the sign-in brought: a renewal brought it.
    public func isRenewal(_ text: Secret, _ claims: IDTokenClaims) -> Bool {
        guard let first = grant.idTokenOfRefreshToken ?? grant.idToken, let nonce = claims.nonce, first != text else { return false }
        return (try? UnverifiedIDToken(parsing: first))?.claims.nonce == nonce
    }
}

extension StoredCredential {
    /// This credential with only the refresh token of a refresh, one generation later: this must be stored before the rest of the answer is
    /// checked, because the old refresh token may be dead already.
    ///
    /// - Returns: nil if it is the stored one, so that the old one remains valid.
    public func rotated(by fresh: RotatedToken) -> StoredCredential? {
        guard fresh.token != grant.refreshToken else { return nil }
        var credential = self
        credential.generation = generation &+ 1
        credential.grant.refreshToken = fresh.token
        credential.grant.refreshTokenSentAt = nil
        credential.grant.refreshTokenExpiresAt = fresh.expiresAt
        credential.grant.refreshTokenSince =
            fresh.expiresAt == nil ? nil : grant.hasEnd(near: fresh.expiresAt) ? grant.refreshTokenBegin : fresh.obtainedAt
        return credential
    }

    /// This credential after a refresh (RFC 6749 section 6), one generation later.
    ///
    /// - Parameter fresh: what the token endpoint issued, its ID token already verified against the stored one.
    public func refreshed(with fresh: Grant) -> StoredCredential {
        var credential = self
        credential.generation = generation &+ 1
        credential.grant = fresh
        if fresh.refreshToken == nil {
            // No new one means that the old one remains valid, until it would have expired anyway.
            credential.grant.takeRefreshToken(of: grant)
        } else if grant.hasEnd(near: fresh.refreshTokenExpiresAt) {
            credential.grant.refreshTokenSince = grant.refreshTokenBegin
        }
        if fresh.idToken == nil {
            credential.grant.idToken = grant.idToken
            credential.grant.idTokenOfRefreshToken = grant.idTokenOfRefreshToken
        }
        credential.grant.proofKey = grant.proofKey
        credential.grant.requestedScopes = grant.requestedScopes
        credential.grant.authenticationClasses = grant.authenticationClasses
        credential.grant.provedClass = grant.provedClass
        credential.grant.parameters = grant.parameters
        // A refresh cannot extend what the user agreed to. Programs are not promised further scopes that an answer names.
        let granted = Set(grant.scopes)
        credential.grant.scopes = fresh.scopes.filter(granted.contains)
        let kept = Set(credential.grant.scopes)
        credential.lostScopes = Scopes.bounded(lostScopes + grant.scopes.filter { !kept.contains($0) }, most: Self.mostLostScopes)
        return credential
    }

    /// More than a person is asked for at once.
    static var mostLostScopes: Int { 64 }

    /// Only the restricted token in a grant that a refresh brought: a refresh token in it is stored already, and the ID token is the
    /// credential's own.
    public func restricted(to fresh: Grant, dialect: any ProviderDialect) -> Grant {
        var token = fresh
        token.refreshToken = nil
        token.refreshTokenExpiresAt = nil
        token.idToken = nil
        token.proofKey = grant.proofKey
        token.scopes = fresh.scopes.filter { dialect.missingScopes(asked: [$0], granted: grant.scopes).isEmpty }
        return token
    }

    /// This credential without the refresh token that was refused, one generation later: the next program learns at once that the user is
    /// needed.
    public func withoutRefreshToken(now: Timestamp) -> StoredCredential {
        var credential = self
        // The access token itself was to be renewed, and was refused.
        if grant.refreshToken == nil { credential.grant.expiresAt = now }
        credential.grant.refreshToken = nil
        credential.grant.refreshTokenExpiresAt = nil
        credential.grant.refreshTokenSince = nil
        credential.grant.refreshTokenSentAt = nil
        credential.grant.idTokenOfRefreshToken = nil
        credential.generation = generation &+ 1
        return credential
    }

    /// This credential with nothing that gives a token, one generation later: the provider no longer accepts its access token, and nothing
    /// can renew it.
    public func withoutTokens(now: Timestamp) -> StoredCredential {
        var credential = withoutRefreshToken(now: now)
        credential.grant.expiresAt = now
        return credential
    }

    /// The access token has not expired, and nothing can renew it: only its provider can say whether it is still valid.
    public func hasOnlyAccessToken(dialect: any ProviderDialect, now: Timestamp) -> Bool {
        guard grant.hasAccessToken, grant.mayBeValid(at: now) else { return false }
        let decision = RefreshDecision(for: self, TokenDemand(minimumValidity: 0, forceRefresh: true), dialect: dialect, now: now)
        return if case .signInRequired = decision { true } else { false }
    }
}

extension Grant {
    /// The access token; for ever, if it has no expiry.
    func mayBeValid(at now: Timestamp) -> Bool { expiresAt.map { $0 > now } ?? true }

    /// Keeps the refresh token of an earlier grant, with what belongs to it.
    public mutating func keepRefreshToken(of earlier: Grant) {
        takeRefreshToken(of: earlier)
        idTokenOfRefreshToken = earlier.refreshToken == nil ? nil : earlier.idTokenOfRefreshToken ?? earlier.idToken
    }

    fileprivate mutating func takeRefreshToken(of earlier: Grant) {
        refreshToken = earlier.refreshToken
        refreshTokenExpiresAt = earlier.refreshTokenExpiresAt
        refreshTokenSince = earlier.refreshTokenExpiresAt == nil ? nil : earlier.refreshTokenBegin
        tokenHost = earlier.tokenHost
    }

    fileprivate var refreshTokenBegin: Timestamp { refreshTokenSince ?? obtainedAt }

    /// The new refresh token expires when the previous one does: the end is that of a session, and use does not postpone it. Lifetimes are
    /// given in seconds from an answer that took some time, so this is not exact.
    fileprivate func hasEnd(near end: Timestamp?) -> Bool {
        guard let end, let known = refreshTokenExpiresAt else { return false }
        return abs(end.seconds(since: known)) <= 60
    }
}

/// A credential as a renewal left it, to be written over the one that is one generation older.
public struct RenewedCredential: Sendable, Equatable {
    public var credential: StoredCredential
    /// The refresh token that was replaced and is no longer valid; nil if none was replaced.
    public var spent: Secret?
    /// It has the access token of the renewal; otherwise only its refresh token.
    public var isWhole: Bool

    public init(_ credential: StoredCredential, spent: Secret?, isWhole: Bool) {
        self.credential = credential
        self.spent = spent
        self.isWhole = isWhole
    }
}

extension RenewedCredential {
    /// What becomes of a renewed credential that is not one generation newer than the one on disk: a new sign-in took place, or the
    /// credential was revoked. The disk decides which was first, not the copy in memory, which follows it.
    public enum Precedence: Sendable, Equatable {
        /// The sign-in's grant stays.
        case newer(StoredCredential)
        /// The sign-in brought no refresh token, and kept the one that the renewal used up: write this, the sign-in's grant with the
        /// renewal's refresh token.
        case completes(StoredCredential)
        case gone
    }

    /// - Parameter current: what is on disk.
    public func precedence(beside current: StoredCredential?) -> Precedence {
        guard let current else { return .gone }
        guard let spent, current.grant.refreshToken == spent, current.binding == credential.binding,
            let token = credential.grant.refreshToken,
            let completed = current.rotated(
                by: RotatedToken(
                    token: token, expiresAt: credential.grant.refreshTokenExpiresAt, obtainedAt: credential.grant.refreshTokenBegin))
        else { return .newer(current) }
        return .completes(completed)
    }
}
