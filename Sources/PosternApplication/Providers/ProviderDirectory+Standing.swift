import PosternCore

extension HandleRecord {
    /// Its ID token was presented alone meanwhile.
    func isSpent(_ accounts: borrowing AccountSnapshot, now: Timestamp, cryptography: any Cryptography) throws(AccountFailure) -> Bool {
        guard sharesIDToken, let spending = AccountChanges.Spending(of: credential, now: now, cryptography: cryptography) else {
            return false
        }
        return try accounts.isSpent(spending.token.hash, now: now)
    }
}

/// What waited to be used is asked for here, and nowhere else.
extension ProviderDirectory {
    /// A credential as it may be used now; nil if what it was checked against has changed.
    ///
    /// - Parameter app: that wants to use it; empty for the person.
    func standing(_ completed: CompletedSignIn, boundTo binding: ProviderBinding, for app: AppName) -> StandingCredential? {
        let provider = try? provider(completed.profile.identity.providerID, boundTo: binding)
        return StandingCredential(completed, boundTo: binding, for: app, at: provider, among: settings.configuration.namedAccounts)
    }

    /// What a handle stands for. One that must not be used any more is used up.
    ///
    /// - Parameter app: empty for the person, to whom alone a confirmation is due.
    /// - Returns: nil if it is unknown, used or expired, too.
    func standing(handle: String, for app: AppName) async throws(AccountFailure) -> StandingCredential? {
        let now = platform.now
        let record = try await store.ask { store throws(StoreError) in try await store.handle(handle, now: now) }
        guard let record, record.isForPerson == app.isEmpty else { return nil }
        let cryptography = platform.cryptography
        let isSpent = try await store.forAccounts.change { accounts throws(AccountFailure) in
            (try record.isSpent(accounts, now: now, cryptography: cryptography), AccountChanges())
        }
        if !isSpent, let standing = standing(record.credential, boundTo: record.binding, for: app) { return standing }
        _ = try await store.ask { store throws(StoreError) in try await store.consumeHandle(handle, now: now) }
        return nil
    }
}
