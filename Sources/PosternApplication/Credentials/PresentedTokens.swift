import PosternCore

/// Makes sure that an ID token that a program shows signs somebody in once.
@DaemonActor
final class PresentedTokens {
    private var spent = SpentTokens()
    /// Handed out by the daemon, and known to the store by now: until when that matters.
    private var kept: [[UInt8]: Timestamp] = [:]
    private let store: StoreAccess
    private let platform: Platform

    init(store: StoreAccess, platform: Platform) {
        self.store = store
        self.platform = platform
    }

    /// Before the work begins, so that two calls at a time are not both the first; ``giveBack(_:)`` where it comes to nothing.
    ///
    /// - Throws: ``AccountFailure/tokenSpent``, or ``AccountFailure/tooManyTokens(retryAfterSeconds:)``.
    func take(_ idToken: Secret) throws(AccountFailure) {
        guard kept[hash(idToken)] == nil else { throw .tokenSpent }
        switch spent.spend(hash(idToken), now: platform.now) {
        case .fresh: break
        case .spent: throw .tokenSpent
        case .full(let seconds): throw .tooManyTokens(retryAfterSeconds: seconds)
        }
    }

    /// It signed nobody in, so it may be shown again.
    func giveBack(_ idToken: Secret) { spent.restore(hash(idToken)) }

    // MARK: What the daemon hands out

    /// Shown back, a token of the daemon's own is not a proof that the user is there; the restarted daemon knows that as well.
    ///
    /// To be called before a program gets the token.
    ///
    /// - Parameter obtainedAt: when the daemon got it, or later: it is no younger.
    func keepHandedOut(_ idToken: Secret, obtainedAt: Timestamp) async throws(AccountFailure) {
        guard !isKept(idToken, obtainedAt: obtainedAt) else { return }
        let (hash, now) = (hash(idToken), platform.now)
        let token = SpentToken(hash: hash, until: obtainedAt.adding(seconds: SpentTokens.memory))
        let store: any ApplicationStore
        do throws(StoreError) { store = try self.store.opened() } catch { throw .store(error) }
        try await store.change { _ throws(AccountFailure) in
            var changes = AccountChanges()
            changes.spends = AccountChanges.Spending(token, now: now)
            return ((), changes)
        }
        kept = kept.filter { $0.value > now }
        kept[hash] = token.until
    }

    /// Nothing has to be recorded: it is, or the token is refused for its age already.
    func isKept(_ idToken: Secret, obtainedAt: Timestamp) -> Bool {
        obtainedAt.adding(seconds: SpentTokens.memory) <= platform.now || kept[hash(idToken)] != nil
    }

    private func hash(_ idToken: Secret) -> [UInt8] { SpentTokens.hash(of: idToken, cryptography: platform.cryptography) }
}
