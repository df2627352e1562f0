import PosternCore
import PosternInterface

/// Sees to it that an ID token that a program shows signs somebody in once.
@DaemonActor
final class PresentedTokens {
    static let isSpent = InterfaceError.invalidCredential(
        message: "this ID token signed somebody in already, or is about to; each is good for one sign-in, so get a new one")

    private var spent = SpentTokens()
    private let platform: Platform

    init(platform: Platform) { self.platform = platform }

    private var cryptography: any Cryptography { platform.cryptography }

    /// Taken before the work begins, so that two calls at a time are not both the first; given back where it comes to nothing.
    func once<Value: Sendable>(_ idToken: Secret, _ work: @DaemonActor () async throws -> Value) async throws -> Value {
        let hash = SpentTokens.hash(of: idToken, cryptography: cryptography)
        switch spent.spend(hash, now: platform.now) {
        case .fresh: break
        case .spent: throw Self.isSpent
        case .full(let seconds):
            throw InterfaceError.tooManyAttempts(
                message: "too many ID tokens were shown in the last minutes; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
        }
        do { return try await work() } catch {
            spent.restore(hash)
            throw error
        }
    }
}
