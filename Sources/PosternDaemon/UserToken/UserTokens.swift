import PosternCore
import PosternInterface
import PosternStore

/// ID tokens of this machine's users, and what other programs verify them with.
///
/// The keys are read from the store each time: a store that is locked, or that another took the place of, leaves no key behind here.
@DaemonActor
final class UserTokens {
    private let store: StoreAccess
    private let cryptography: any Cryptography
    private let log: DaemonLog
    /// The base URL of the callback listener: who issues the tokens.
    private let issuer: @DaemonActor () -> String

    init(store: StoreAccess, cryptography: any Cryptography, log: DaemonLog, issuer: @escaping @DaemonActor () -> String) {
        self.store = store
        self.cryptography = cryptography
        self.log = log
        self.issuer = issuer
    }

    /// A new token each time: it says that the user is signed in now, not up to an hour ago.
    ///
    /// - Returns: nil where the app has no current user.
    func token(audience: TokenAudience, app: String) async throws -> UserToken? {
        let (issuer, cryptography, now) = (issuer(), cryptography, WallClock.now)
        let signed = try await store.opened().signUserToken(app: app, now: now) { signIn, user, key in
            let claims = UserTokenClaims.claims(for: user, signIn, audience: audience, issuer: issuer, now: now)
            guard let token = UserTokenIssuer.token(saying: claims, signedBy: key, cryptography: cryptography) else {
                throw InterfaceError.internalError(message: "the key \(key.id) cannot sign; restore a backup of the store")
            }
            return token
        }
        guard let signed else { return nil }
        report(signed.problem)
        return UserToken(idToken: signed.value, expiresAt: Timestamp(seconds: now.seconds + UserTokenClaims.lifetimeSeconds))
    }

    /// The public keys, as JSON; nil while the store cannot be read.
    func keySet() async -> [UInt8]? {
        do {
            try store.check()
            let (keys, problem) = try await store.opened().userTokenKeys(now: WallClock.now)
            report(problem)
            return keys.published.serialized
        } catch let error as StoreError {
            log.error("the keys of the ID tokens cannot be shown: \(error)", event: .storeProblem)
            return nil
        } catch {
            // The store is not open, which was told to the log when that began.
            return nil
        }
    }

    var discoveryDocument: [UInt8] { UserTokenIssuer.discoveryDocument(issuer: issuer()).serialized }

    private func report(_ problem: StoreError?) {
        if let problem { log.error("the keys of the ID tokens were not rotated: \(problem)", event: .storeProblem) }
    }
}
