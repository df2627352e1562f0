import PosternCore

/// ID tokens of this machine's users, and the keys with which other programs verify them.
///
/// The keys are read from the store each time: if the store is locked or replaced, no key remains here.
@DaemonActor
final class UserTokens: Grounded {
    let ground: Ground
    private let origins: CallbackOrigins

    init(_ ground: Ground, origins: CallbackOrigins) {
        self.ground = ground
        self.origins = origins
    }

    /// The base URL of the callback listener, which is the issuer of the tokens.
    private var issuer: String { origins.first }

    /// A new token each time: it says that the user is signed in now, not up to an hour ago.
    ///
    /// - Returns: nil if the app has no current user.
    func token(audience: TokenAudience, app: AppName) async throws(AccountFailure) -> UserToken? {
        let (issuer, cryptography, now) = (issuer, platform.cryptography, platform.now)
        let signed = try await store.forAccounts.signUserToken(app: app, now: now) { signIn, user, key throws(AccountFailure) in
            let claims = UserTokenClaims.claims(for: user, signIn, audience: audience, issuer: issuer, now: now)
            guard let token = UserTokenIssuer.token(saying: claims, signedBy: key, cryptography: cryptography) else {
                throw .internal(message: "the key \(key.id) cannot sign; restore a backup of the store")
            }
            return token
        }
        guard let signed else { return nil }
        report(signed.problem)
        return UserToken(idToken: signed.value, expiresAt: Timestamp(seconds: now.seconds + UserTokenClaims.lifetimeSeconds))
    }

    /// The public keys, as JSON; nil while the store cannot be read.
    func keySet() async -> [UInt8]? {
        do throws(StoreError) {
            let (keys, problem) = try await store.opened().userTokenKeys(now: platform.now)
            report(problem)
            return keys.published.serialized
        } catch {
            // A store that is not open was logged when that began.
            if !store.isUnavailable { events.report(.storeProblem, "the keys of the ID tokens cannot be shown: \(error)") }
            return nil
        }
    }

    var discoveryDocument: [UInt8] { UserTokenIssuer.discoveryDocument(issuer: issuer).serialized }

    private func report(_ problem: StoreError?) {
        if let problem { events.report(.storeProblem, "the keys of the ID tokens were not rotated: \(problem)") }
    }
}
