extension StoredCredential {
    /// This credential with the refresh token that a refresh gave and nothing else of it, one generation on: what must be kept
    /// before the rest of the answer is believed, because the old refresh token may be dead already.
    ///
    /// - Returns: nil where the answer has no new one, so the old one stays good.
    public func rotated(by fresh: Grant) -> StoredCredential? {
        guard let refreshToken = fresh.refreshToken, refreshToken != grant.refreshToken else { return nil }
        var credential = self
        credential.generation = generation &+ 1
        credential.grant.refreshToken = refreshToken
        credential.grant.refreshTokenExpiresAt = fresh.refreshTokenExpiresAt
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
        }
        if fresh.idToken == nil { credential.grant.idToken = grant.idToken }
        credential.grant.proofKey = grant.proofKey
        // A refresh cannot widen what the person agreed to. What an answer names beyond it is not promised to programs.
        let granted = Set(grant.scopes)
        credential.grant.scopes = fresh.scopes.filter(granted.contains)
        return credential
    }
}
