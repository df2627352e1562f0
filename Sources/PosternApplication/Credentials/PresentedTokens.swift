import PosternCore
import PosternInterface

/// Sees to it that a token that a program shows signs somebody in once.
@DaemonActor
final class PresentedTokens {
    static let isSpent = isSpent("ID token")

    private static func isSpent(_ kind: String) -> InterfaceError {
        .invalidCredential(
            message: "this \(kind) signed somebody in already, or is about to; each is good for one sign-in, so get a new one")
    }

    private var spent = SpentTokens()
    private let platform: Platform

    init(platform: Platform) { self.platform = platform }

    private var cryptography: any Cryptography { platform.cryptography }

    /// Taken before the work begins, so that two calls at a time are not both the first; given back where it comes to nothing.
    func once<Value: Sendable>(idToken: Secret, _ work: @DaemonActor () async throws -> Value) async throws -> Value {
        try await once(SpentTokens.hash(of: idToken, cryptography: cryptography), "ID token", work)
    }

    /// As ``once(idToken:_:)``. An access token proves nothing of the person being there that it did not prove before, so one that is to
    /// do that must be new.
    func once<Value: Sendable>(accessToken: Secret, _ work: @DaemonActor () async throws -> Value) async throws -> Value {
        try await once(cryptography.sha256(accessToken.revealBytes()), "access token", work)
    }

    /// It is no new one from now on.
    func shown(accessToken: Secret) {
        _ = spent.spend(cryptography.sha256(accessToken.revealBytes()), now: platform.now)
    }

    func wasShown(accessToken: Secret) -> Bool { spent.contains(cryptography.sha256(accessToken.revealBytes())) }

    private func once<Value: Sendable>(
        _ hash: [UInt8], _ kind: String, _ work: @DaemonActor () async throws -> Value
    ) async throws -> Value {
        switch spent.spend(hash, now: platform.now) {
        case .fresh: break
        case .spent: throw Self.isSpent(kind)
        case .full(let seconds):
            throw InterfaceError.tooManyAttempts(
                message: "too many tokens were shown in the last minutes; try again in \(seconds) s", retryAfterSeconds: Int(seconds))
        }
        do { return try await work() } catch {
            spent.restore(hash)
            throw error
        }
    }
}
