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

    /// A user of a Firebase project has lost an account: the apps that are signed in as that user give up their shares in its credential, and
    /// no other app does.
    ///
    /// The credential is gone if those were the last shares, unless another app's user has the account.
    ///
    /// - Parameters:
    ///   - sessions: the user's, as they were when the project was asked. One that is no longer exactly what is stored gives up nothing: a
    ///     sign-in or a link since may have brought the account back, and its app asks the project again.
    ///   - app: the app that waits for this, in which nobody else can have signed in meanwhile; it may have signed out.
    public func givenUp(
        _ key: CredentialKey, by sessions: [FirebaseSession], inTurnOf app: AppName? = nil
    ) throws(AccountFailure) -> (ReleasedCredentials, AccountChanges) {
        var (released, changes) = (ReleasedCredentials(), AccountChanges())
        guard let project = sessions.first?.project, var credential = try credential(providerID: key.providerID, subject: key.subject)
        else { return (released, changes) }
        var (left, losers) = (credential.keepers, Set<AppName>())
        for session in sessions where session.user.has(key) {
            let stored = try firebaseSession(app: session.app, project: project)
            guard stored == session || (session.app == app && stored.map { $0.id == session.id } ?? true) else { continue }
            losers.insert(session.app)
            left = left.without(app: session.app) ?? left
        }
        guard left != credential.keepers else { return (released, changes) }
        if left.isPerson || !left.apps.isEmpty {
            credential.keepers = left
            released.staying = [credential]
            changes.credential = .keepers(left, of: key)
            return (released, changes)
        }
        let others = try firebaseSessions(project: project).filter { !losers.contains($0.app) }
        guard !others.contains(where: { $0.user.has(key) }) else { return (released, changes) }
        released.gone = [credential]
        changes.released = [key]
        return (released, changes)
    }
}

extension User {
    fileprivate func has(_ key: CredentialKey) -> Bool { identities.contains { CredentialKey($0) == key } }
}
