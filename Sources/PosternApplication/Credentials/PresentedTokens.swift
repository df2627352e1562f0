import PosternCore

/// Sees to it that an ID token that a program shows signs somebody in once.
@DaemonActor
final class PresentedTokens {
    private var spent = SpentTokens()
    private let platform: Platform

    init(platform: Platform) { self.platform = platform }

    /// Before the work begins, so that two calls at a time are not both the first; ``giveBack(_:)`` where it comes to nothing.
    ///
    /// - Throws: ``AccountFailure/tokenSpent``, or ``AccountFailure/tooManyTokens(retryAfterSeconds:)``.
    func take(_ idToken: Secret) throws(AccountFailure) {
        switch spent.spend(hash(idToken), now: platform.now) {
        case .fresh: break
        case .spent: throw .tokenSpent
        case .full(let seconds): throw .tooManyTokens(retryAfterSeconds: seconds)
        }
    }

    /// A program was given it by the daemon: shown back, it is no proof that the person is there.
    func handedOut(_ idToken: Secret) { _ = spent.spend(hash(idToken), now: platform.now) }

    /// It signed nobody in, so it may be shown again.
    func giveBack(_ idToken: Secret) { spent.restore(hash(idToken)) }

    private func hash(_ idToken: Secret) -> [UInt8] { SpentTokens.hash(of: idToken, cryptography: platform.cryptography) }
}
