/// Credentials of accounts at providers that a user no longer has.
public struct ReleasedCredentials: Sendable, Equatable {
    /// Nobody keeps them: they are no longer stored, and are to be revoked at their providers.
    public var gone: [StoredCredential] = []
    /// The person or other apps keep them.
    public var staying: [StoredCredential] = []

    public init() {}
}

extension AccountReading where Self: ~Copyable {
    /// What becomes of credentials that ``AccountChanges/released`` names. One that cannot be decrypted is deleted; it cannot be revoked.
    public func released(_ keys: [CredentialKey]) throws(AccountFailure) -> ReleasedCredentials {
        var released = ReleasedCredentials()
        for key in keys {
            guard var credential = try credential(providerID: key.providerID, subject: key.subject) else { continue }
            if let keepers = credential.keepers.withoutApps {
                credential.keepers = keepers
                released.staying.append(credential)
            } else {
                released.gone.append(credential)
            }
        }
        return released
    }
    /// The session's app gives up its share of a credential, and nobody else's.
    ///
    /// The credential is gone if that was the last share, unless another app's user has the account. Nothing changes if the session is no
    /// longer exactly what is stored: a sign-in or a link since may have brought the account back.
    public func givenUp(
        _ key: CredentialKey, by session: FirebaseSession
    ) throws(AccountFailure) -> (ReleasedCredentials, AccountChanges) {
        var (released, changes) = (ReleasedCredentials(), AccountChanges())
        guard try firebaseSession(app: session.app, project: session.project) == session,
            var credential = try credential(providerID: key.providerID, subject: key.subject),
            let left = credential.keepers.without(app: session.app)
        else { return (released, changes) }
        if left.isPerson || !left.apps.isEmpty {
            credential.keepers = left
            released.staying = [credential]
            changes.credential = .keepers(left, of: key)
            return (released, changes)
        }
        let others = try firebaseSessions(project: session.project).filter { $0.app != session.app }
        guard !others.contains(where: { $0.user.identities.contains { CredentialKey($0) == key } }) else { return (released, changes) }
        released.gone = [credential]
        changes.released = [key]
        return (released, changes)
    }
}
