/// A credential that may be used now: what it was checked against when it arrived is still so.
///
/// It may have waited since, in a handle, a resolver, a question to the person or a request to a project. Meanwhile the configuration may have
/// given the provider's name to another issuer, whose accounts are other people's; or its client to one app; or the account's name to another
/// account. The rules take credentials in this form alone.
public struct StandingCredential: Sendable {
    public let completed: CompletedSignIn
    /// As it is configured now, with the client that the credential is of.
    public let provider: Provider
    public let binding: ProviderBinding

    /// - Parameters:
    ///   - app: that wants to use it; empty for the person.
    ///   - provider: what the provider's name means now, for what was begun with this binding; nil if that is nothing any more.
    ///   - names: the accounts in the configuration.
    /// - Returns: nil if it must not be used.
    public init?(
        _ completed: CompletedSignIn, boundTo binding: ProviderBinding, for app: AppName, at provider: Provider?,
        among names: AccountDirectory
    ) {
        guard let provider, provider.id == completed.profile.identity.providerID,
            completed.proof.origin == binding, Self.stillHolds(binding, for: app, at: provider),
            completed.signedInAs.map({ Self.stillHolds($0.name, $0.login, at: provider, among: names) }) ?? true
        else { return nil }
        (self.completed, self.provider, self.binding) = (completed, provider, binding)
    }

    /// Why there is none, after the name of the provider or of the account.
    public static let problem = "is configured otherwise than when this began; sign in again"

    /// Whether a provider's name still means what it meant when something began with this binding, and for this app.
    public static func stillHolds(_ binding: ProviderBinding, for app: AppName, at provider: Provider) -> Bool {
        provider.problem == nil && provider.binding == binding && (provider.app ?? app) == app
    }

    /// Whether a configured name still means what it meant when a sign-in under it began.
    public static func stillHolds(_ name: String, _ login: AccountLogin?, at provider: Provider, among names: AccountDirectory) -> Bool {
        guard let account = names[name] else { return false }
        return account.problem == nil && account.providerID == provider.id && account.knownLogin == login
    }
}
