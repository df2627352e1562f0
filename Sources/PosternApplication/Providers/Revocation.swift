import PosternCore

/// Revokes credentials at their providers, and forgets them here.
@DaemonActor
final class Revocation: Grounded {
    private let cache: CredentialCache
    let ground: Ground
    private let providers: ProviderDirectory
    private let requests: RevocationRequests
    private let endSessionPages: EndSessionPages

    init(
        _ ground: Ground, cache: CredentialCache, providers: ProviderDirectory, requests: RevocationRequests,
        endSessionPages: EndSessionPages
    ) {
        self.cache = cache
        self.ground = ground
        self.providers = providers
        self.requests = requests
        self.endSessionPages = endSessionPages
    }

    /// Forgets the credential even if the provider cannot be reached, or is no longer configured: who revokes a credential does not want it
    /// kept.
    ///
    /// - Parameter keepsGrant: the provider is left alone.
    /// - Returns: whether the provider has revoked it too.
    func revoke(_ credential: StoredCredential, keepsGrant: Bool) async throws(StoreError) -> RevocationResult {
        try await platform.work.count(.toBeKept) { () async throws(StoreError) in try await forget(credential, keepsGrant: keepsGrant) }
    }

    private func forget(_ credential: StoredCredential, keepsGrant: Bool) async throws(StoreError) -> RevocationResult {
        let key = CredentialCache.Key(credential)
        let deleted = try await store.opened().deleteCredential(
            providerID: key.providerID, subject: key.subject, isRevoked: !keepsGrant)
        let kept = cache[key]
        let name = providers.displayName(key.providerID)
        if keepsGrant {
            _ = cache.removed(key)
            events.report(
                .credentialRevoked, "a credential of \(name) was forgotten here; the provider was left alone", providerID: key.providerID)
            return .notAsked
        }
        takeBackRestricted(of: key, binding: (kept ?? credential).binding)
        let last = cache.removed(key) ?? deleted ?? kept ?? credential
        let result = await requests.revoke(last, written: deleted)
        await endSessionPages.open(for: last.grant, providerID: key.providerID, binding: last.binding)
        events.report(
            .credentialRevoked,
            result == .revoked
                ? "\(name) revoked a credential"
                : "a credential of \(name) was forgotten here\(result == .noWay ? "; it cannot revoke one" : "")",
            providerID: key.providerID)
        return result
    }

    /// Forgets credentials that cannot be decrypted, and so cannot be revoked.
    ///
    /// - Parameter subject: nil for all of the provider's.
    /// - Returns: false if there were none.
    func forgetDamaged(providerID: String, subject: String?) async throws(StoreError) -> Bool {
        let count = try await platform.work.count(.toBeKept) { () async throws(StoreError) in
            try await store.opened().deleteDamagedCredentials(providerID: providerID, subject: subject)
        }
        guard count > 0 else { return false }
        let name = providers.displayName(providerID)
        events.report(
            .credentialRevoked,
            count == 1
                ? "a credential of \(name) that could not be read was forgotten here"
                : "\(count) credentials of \(name) that could not be read were forgotten here", providerID: providerID)
        return true
    }

    /// A user no longer has these accounts: what nobody keeps is revoked, and what the person keeps stays.
    func release(_ released: ReleasedCredentials) {
        takeBack(forgotten: released.gone)
        for credential in released.staying {
            cache.keepersChanged(of: CredentialKey(credential), to: credential.keepers)
            guard credential.keepers.isPerson else { continue }
            let account = "\(credential.calling) at \(providers.displayName(credential.providerID))"
            events.report(
                .credentialKept, "the tokens of \(account) stay: you keep the account for your programs",
                providerID: credential.providerID)
        }
    }

    /// Revokes credentials that are already gone from the store, with the accounts that they belonged to.
    ///
    /// None of their tokens is handed out from now on. They are on disk as what is to be revoked: a provider that cannot be reached now is
    /// asked again (``RevocationLedger``).
    private func takeBack(forgotten credentials: [StoredCredential]) {
        guard !credentials.isEmpty else { return }
        let last = credentials.map { credential in
            let key = CredentialCache.Key(credential)
            // One that was stored meanwhile stays.
            guard (cache[key]?.generation ?? .min) <= credential.generation else { return (credential, written: credential) }
            takeBackRestricted(of: key, binding: credential.binding)
            return (cache.removed(key) ?? credential, written: credential)
        }
        platform.work.start(.toBeKept) {
            for (credential, written) in last { await self.takeBack(credential, written: written) }
        }
    }

    /// Revokes the tokens with restricted scopes, which are in memory beside the credential. Nobody waits for it: most providers revoke
    /// them with the refresh token.
    private func takeBackRestricted(of key: CredentialCache.Key, binding: ProviderBinding) {
        let grants = cache.restrictedGrants(of: key, now: platform.now)
        guard !grants.isEmpty else { return }
        platform.work.start(.toBeKept) {
            for grant in grants where !self.store.isClosed {
                await self.requests.revokeOnce(grant, providerID: key.providerID, binding: binding)
            }
        }
    }

    private func takeBack(_ credential: StoredCredential, written: StoredCredential) async {
        let key = CredentialCache.Key(credential)
        // The user signed in there again: some providers would revoke that too.
        guard cache[key] == nil else { return await requests.forget(RevocationLedger.Entry(written)) }
        // Locked meanwhile: it is no longer known whether it is the only one of its account.
        guard !store.isClosed else { return }
        let isRevoked = await requests.revoke(credential, written: written) == .revoked
        let name = providers.displayName(key.providerID)
        let words =
            isRevoked
            ? "\(name) revoked a credential that no user has any more"
            : "a credential that no user has any more was forgotten here; it may still be valid at \(name)"
        events.report(.credentialRevoked, words, providerID: key.providerID)
    }

    /// A grant arrived that nobody wants now, because its sign-in was cancelled meanwhile.
    func discard(_ grant: Grant, of identity: Identity, boundTo binding: ProviderBinding) {
        requests.discard(grant, of: identity.subject, providerID: identity.providerID, binding: binding)
    }
}

extension RevocationRequests {
    /// - Parameters:
    ///   - credential: what is to be revoked: a renewal may have brought it that never was on disk.
    ///   - written: what is on disk in its place as what is to be revoked; nil if nothing is.
    fileprivate func revoke(_ credential: StoredCredential, written: StoredCredential?) async -> RevocationResult {
        let entry = RevocationLedger.Entry(credential)
        guard let written = written.map(RevocationLedger.Entry.init) else { return await revoke(entry) }
        if written.isSame(as: entry) { return await revoke(written: entry) }
        let result = await revoke(entry)
        await forget(written)
        return result
    }
}
