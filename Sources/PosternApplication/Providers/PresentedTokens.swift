import PosternCore

/// Makes sure that an ID token presented by a program signs somebody in only once.
@DaemonActor
final class PresentedTokens: Grounded {
    private var spent = SpentTokens()
    /// Tokens that the daemon handed out and the store has recorded: until when each matters.
    private var kept: [[UInt8]: Timestamp] = [:]
    let ground: Ground

    init(_ ground: Ground) {
        self.ground = ground
    }

    /// Called before the work begins, so that of two simultaneous calls only one is the first; ``giveBack(_:)`` if the work fails.
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

    /// The token signed nobody in, so it may be presented again.
    func giveBack(_ idToken: Secret) { spent.restore(hash(idToken)) }

    // MARK: What the daemon provides

    /// A token of the daemon's own, presented again, is no proof that the user is present; the daemon knows that after a restart as well.
    ///
    /// To be called before a program gets the token.
    ///
    /// - Parameter obtainedAt: when the daemon got it, or later: the token is no younger.
    func keepHandedOut(_ idToken: Secret, obtainedAt: Timestamp) async throws(StoreError) {
        guard !isKept(idToken, obtainedAt: obtainedAt) else { return }
        let (hash, now) = (hash(idToken), platform.now)
        let token = SpentToken(hash: hash, until: obtainedAt.adding(seconds: SpentTokens.memory))
        let store = try store.opened()
        do throws(AccountFailure) {
            try await store.change { _ throws(AccountFailure) in
                var changes = AccountChanges()
                changes.spends = AccountChanges.Spending(token, now: now)
                return ((), changes)
            }
        } catch {
            // The decision itself refuses nothing.
            guard case .store(let problem) = error else { throw StoreError(.internal, file: "the store", reason: "\(error)") }
            throw problem
        }
        kept = kept.filter { $0.value > now }
        kept[hash] = token.until
    }

    /// Nothing has to be recorded: it already is, or the token is refused for its age anyway.
    func isKept(_ idToken: Secret, obtainedAt: Timestamp) -> Bool {
        obtainedAt.adding(seconds: SpentTokens.memory) <= platform.now || kept[hash(idToken)] != nil
    }

    private func hash(_ idToken: Secret) -> [UInt8] { SpentTokens.hash(of: idToken, cryptography: platform.cryptography) }
}
