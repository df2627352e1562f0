/// Credentials of accounts at providers that a user no longer has.
public struct ReleasedCredentials: Sendable, Equatable {
    /// Nobody keeps them: they are no longer stored, and are to be revoked at their providers.
    public var gone: [StoredCredential] = []
    /// The person keeps them.
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
}
