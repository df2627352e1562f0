extension StoredCredential {
    /// This credential with the refresh token that a refresh gave and nothing else of it, one generation on: what must be kept
    /// before the rest of the answer is judged, because the old refresh token may be dead already.
    ///
    /// - Returns: nil if it is the one that is kept, so the old one stays good.
    public func rotated(by fresh: RotatedToken) -> StoredCredential? {
        guard fresh.token != grant.refreshToken else { return nil }
        var credential = self
        credential.generation = generation &+ 1
        credential.grant.refreshToken = fresh.token
        credential.grant.refreshTokenExpiresAt = fresh.expiresAt
        credential.grant.refreshTokenSince =
            fresh.expiresAt == nil ? nil : grant.hasEnd(near: fresh.expiresAt) ? grant.refreshTokenBegin : fresh.obtainedAt
        return credential
    }

    /// This credential after a refresh (RFC 6749 section 6), one generation on.
    ///
    /// - Parameter fresh: what the token endpoint gave, its ID token already verified against the one that is kept.
    public func refreshed(with fresh: Grant) -> StoredCredential {
        var credential = self
        credential.generation = generation &+ 1
        credential.grant = fresh
        if fresh.refreshToken == nil {
            // No new one means that the old one stays good, for as long as it was.
            credential.grant.refreshToken = grant.refreshToken
            credential.grant.refreshTokenExpiresAt = grant.refreshTokenExpiresAt
            credential.grant.refreshTokenSince = grant.refreshTokenExpiresAt == nil ? nil : grant.refreshTokenBegin
        } else if grant.hasEnd(near: fresh.refreshTokenExpiresAt) {
            credential.grant.refreshTokenSince = grant.refreshTokenBegin
        }
        if fresh.idToken == nil { credential.grant.idToken = grant.idToken }
        credential.grant.proofKey = grant.proofKey
        // A refresh cannot widen what the user agreed to. What an answer names beyond it is not promised to programs.
        let granted = Set(grant.scopes)
        credential.grant.scopes = fresh.scopes.filter(granted.contains)
        return credential
    }

    /// The restricted token in a grant that a refresh gave, and nothing else of it: what came along of a refresh token is kept already, and
    /// the ID token is the credential's own.
    public func restricted(to fresh: Grant, dialect: any ProviderDialect) -> Grant {
        var token = fresh
        token.refreshToken = nil
        token.refreshTokenExpiresAt = nil
        token.idToken = nil
        token.proofKey = grant.proofKey
        token.scopes = fresh.scopes.filter { dialect.missingScopes(asked: [$0], granted: grant.scopes).isEmpty }
        return token
    }

    /// This credential without the refresh token that was refused, one generation on: the next program learns at once that the user is
    /// needed.
    public func withoutRefreshToken(now: Timestamp) -> StoredCredential {
        var credential = self
        // It was the access token itself that was to be renewed, and that is what was refused.
        if grant.refreshToken == nil { credential.grant.expiresAt = now }
        credential.grant.refreshToken = nil
        credential.grant.refreshTokenExpiresAt = nil
        credential.grant.refreshTokenSince = nil
        credential.generation = generation &+ 1
        return credential
    }
}

extension Grant {
    fileprivate var refreshTokenBegin: Timestamp { refreshTokenSince ?? obtainedAt }

    /// The new refresh token ends when the one before does: it is a session's end, which using it does not put off. Lifetimes are named in
    /// seconds from an answer that took its time, so this is not exact.
    fileprivate func hasEnd(near end: Timestamp?) -> Bool {
        guard let end, let known = refreshTokenExpiresAt else { return false }
        return abs(end.seconds(since: known)) <= 60
    }
}

/// A refresh token that took another one's place.
public struct RotatedToken: Sendable, Equatable {
    public var token: Secret
    /// Nil: the provider named no end.
    public var expiresAt: Timestamp?
    public var obtainedAt: Timestamp?

    public init(token: Secret, expiresAt: Timestamp? = nil, obtainedAt: Timestamp? = nil) {
        self.token = token
        self.expiresAt = expiresAt
        self.obtainedAt = obtainedAt
    }
}

/// A credential as a renewal left it, to be written in place of the one that is one generation older.
public struct RenewedCredential: Sendable, Equatable {
    public var credential: StoredCredential
    /// The refresh token that the new one took the place of, and that is no longer valid; nil if none was replaced.
    public var spent: Secret?
    /// The access token of the renewal is in it; else its refresh token alone.
    public var isWhole: Bool

    public init(_ credential: StoredCredential, spent: Secret?, isWhole: Bool) {
        self.credential = credential
        self.spent = spent
        self.isWhole = isWhole
    }
}

extension RenewedCredential {
    /// What becomes of a renewed credential that is not one generation newer than what is on disk: somebody signed in again, or took the
    /// credential back. The disk decides who was first, not the copy in memory, which follows it.
    public enum Standing: Sendable, Equatable {
        /// The sign-in's grant stays.
        case newer(StoredCredential)
        /// The sign-in brought no refresh token, and kept the one that the renewal spent: this is to be written, and is the sign-in's grant
        /// with the renewal's refresh token.
        case completes(StoredCredential)
        case gone
    }

    /// - Parameter current: what is on disk.
    public func standing(beside current: StoredCredential?) -> Standing {
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
