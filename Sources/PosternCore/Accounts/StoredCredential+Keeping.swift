/// What a sign-in writes of the credential that it brought.
public enum CredentialWrite: Sendable, Equatable {
    /// Created, or replaced. The store numbers the generation; the one given here is ignored.
    case grant(StoredCredential)
    /// The stored grant stays as it is, with these keepers.
    case keepers(CredentialKeepers, of: CredentialKey)
}

extension CredentialWrite {
    /// What is kept of a fresh grant, given the one that is already kept.
    ///
    /// What an app is granted never narrows what the person keeps: a grant with fewer scopes, for something else, or without a refresh token
    /// goes to the app and is not stored.
    ///
    /// - Returns: nil for an ID token alone: it gives access to nothing, and must not replace a grant that does. Nor may an access token
    ///   alone.
    public init?(
        of standing: StandingCredential, for share: CredentialShare, beside held: StoredCredential?, now: Timestamp
    ) {
        let completed = standing.completed
        var keepers = held?.keepers ?? CredentialKeepers()
        keepers.add(share)
        let grant = completed.grant
        if let held {
            // Every program can have an access token, and it may be an old one: it must not cost the account its refresh token.
            let isLess = !grant.hasAccessToken || completed.proof.way == .accessToken
            let narrows = share != .person && held.keepers.isPerson && held.isNarrowed(by: standing, now: now)
            if isLess || narrows {
                guard keepers != held.keepers else { return nil }
                self = .keepers(keepers, of: CredentialKey(held))
                return
            }
        }
        guard grant.hasAccessToken else { return nil }
        var fresh = StoredCredential(of: completed, boundTo: standing.binding, for: share, beside: held, keepers: keepers)
        // The person's sign-in starts the list again; an app's says nothing about what the person wants.
        if share != .person, let held, held.binding == standing.binding {
            fresh.grant.requestedScopes = Scopes.withoutRepetition(held.grant.requestedScopes + fresh.grant.requestedScopes)
        }
        if let held, held.keepers.isPerson, held.binding == standing.binding {
            fresh.lostScopes = held.lostScopes(beside: grant, at: standing.provider)
        }
        self = .grant(fresh)
    }
}

extension StoredCredential {
    /// What the person loses with a grant that takes the place of this one, without having been asked for it.
    public func lostScopes(beside fresh: Grant, at provider: Provider) -> [String] {
        // At an MCP server the person's own list starts afresh.
        guard provider.server == nil else { return [] }
        return Scopes.bounded(
            provider.dialect.missingScopes(asked: grant.scopes + lostScopes, granted: fresh.scopes + fresh.requestedScopes),
            most: Self.mostLostScopes)
    }
}

extension StoredCredential {
    fileprivate init(
        of completed: CompletedSignIn, boundTo binding: ProviderBinding, for share: CredentialShare, beside held: StoredCredential?,
        keepers: CredentialKeepers
    ) {
        var grant = completed.grant
        // Where nothing says who signed in, it may be somebody else than before: nothing of the two is mixed.
        let held = completed.profile.namesPerson ? held : nil
        // If a provider gives a refresh token only at the first consent, the user must not lose that one.
        // A token that is bound to its own key cannot be combined with another key. `offline_access` without a refresh token grants nothing.
        if grant.refreshToken == nil, held?.binding == binding, let kept = held?.grant,
            Set(grant.scopes).isSubset(of: kept.scopes + [OfflineAccess.scope]), kept.proofKey == grant.proofKey
        {
            grant.keepRefreshToken(of: kept)
        }
        let identity = completed.profile.identity
        // Names are the person's: what an app signs in under one moves none, not even one that nobody has.
        let name = share == .person ? completed.signedInAs : nil
        self.init(
            providerID: identity.providerID, subject: identity.subject,
            displayName: identity.displayName ?? identity.username ?? held?.displayName, email: identity.email ?? held?.email,
            emailVerified: identity.email == nil ? held?.emailVerified : identity.emailVerified,
            username: identity.username ?? held?.username, signedInAs: name ?? held?.signedInAs, binding: binding,
            grant: grant, keepers: keepers, generation: 0)
    }

    /// Whether programs could do less with the fresh grant than with this one. One that gives no more tokens, or that the provider would not
    /// take any more, can only get better.
    fileprivate func isNarrowed(by standing: StandingCredential, now: Timestamp) -> Bool {
        let (completed, provider) = (standing.completed, standing.provider)
        // One of a client that the provider does not have any more is of no use. Where clients are registered, it may have several.
        let isUsable =
            binding == standing.binding || provider.extensions.registersClient && binding.isOfTheSameProvider(as: standing.binding)
        guard isUsable else { return false }
        let isRenewable = grant.hasRefreshToken(at: now)
        guard isRenewable || grant.expiresAt.map({ now < $0 }) ?? true else { return false }
        // What a program presents may end in a minute.
        if completed.proof.way != .page { return true }
        let fresh = completed.grant
        if isRenewable, fresh.refreshToken == nil { return true }
        // A server demanded a stronger sign-in than this one may be.
        if !grant.authenticationClasses.isEmpty, !grant.authenticationClasses.contains(where: fresh.authenticationClasses.contains) {
            return true
        }
        if grant.provedClass != nil, fresh.provedClass == nil { return true }
        // Equal scopes may be for another service.
        if fresh.parameters != grant.parameters || fresh.resources != grant.resources { return true }
        let missing = provider.dialect.missingScopes(asked: grant.scopes, granted: fresh.scopes)
        // Only the person's sign-in adds this scope. If it is all that is missing, the grant is worth no less, unless it brings nothing more:
        // then its refresh token may be the one that ends sooner.
        guard missing == [OfflineAccess.scope] else { return !missing.isEmpty }
        return Set(fresh.scopes).isSubset(of: grant.scopes)
    }
}
