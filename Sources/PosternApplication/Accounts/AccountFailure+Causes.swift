import PosternCore

// What the accounts need from the rest of the application, with its failures turned into theirs.

extension StoreAccess {
    /// Queries the store, outside a decision.
    func ask<Value>(
        _ request: @DaemonActor (any ApplicationStore) async throws(StoreError) -> Value
    ) async throws(AccountFailure) -> Value {
        do throws(StoreError) { return try await request(try opened()) } catch { throw .store(error) }
    }

    /// As ``ApplicationStore/change(deciding:)``, for what the rules decide.
    func decide(
        _ deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> AccountRules.Decision
    ) async throws(AccountFailure) -> AccountRules.Decision {
        try await forAccounts.change { accounts throws(AccountFailure) in
            let decision = try deciding(accounts)
            return (decision, decision.changes)
        }
    }

    /// The store, for what ends with a failure of the accounts.
    var forAccounts: any ApplicationStore {
        get throws(AccountFailure) { try AccountFailure.wrapping(store: opened()) }
    }
}

extension AccountChanges.Spending {
    init?(of completed: CompletedSignIn, now: Timestamp, cryptography: any Cryptography) {
        guard let idToken = completed.grant.idToken else { return nil }
        let hash = SpentTokens.hash(of: idToken, cryptography: cryptography)
        self.init(SpentToken(hash: hash, until: now.adding(seconds: SpentTokens.memory)), now: now)
    }
}

extension Platform {
    /// The ID token that a sign-in of this daemon brought: presented again, it would make an old sign-in recent.
    func spending(of completed: CompletedSignIn) -> AccountChanges.Spending? {
        AccountChanges.Spending(of: completed, now: now, cryptography: cryptography)
    }

    func newUID() throws(AccountFailure) -> String { RandomIdentifier.uid(randomBytes: try accountBytes(28)) }

    func newSignInID() throws(AccountFailure) -> String { RandomIdentifier.sessionID(randomBytes: try accountBytes(24)) }

    func accountBytes(_ count: Int) throws(AccountFailure) -> [UInt8] {
        try AccountFailure.wrapping(randomness: randomness.bytes(count))
    }

    /// 256 random bits as text, to identify an account's sign-in.
    func accountToken() throws(AccountFailure) -> Secret { try AccountFailure.wrapping(randomness: randomToken()) }
}
