import PosternCore
import PosternInterface

extension ProviderDirectory {
    /// The provider that a program names.
    ///
    /// - Parameter accounts: the accounts in the configuration that the program could have named instead.
    func named(_ id: String, accounts: AccountDirectory? = nil) throws(InterfaceError) -> Provider {
        do throws(ProviderUnavailable) { return try configured(id) } catch {
            throw InterfaceError(error, accounts: accounts?.accounts.map(\.name) ?? [])
        }
    }

    /// A client that an application brought is only for its own sign-ins.
    static func check(_ provider: Provider, isFor app: String) throws(InterfaceError) {
        guard let own = provider.app, own != app else { return }
        throw .providerNotConfigured(
            message: "the client of \(provider.id) is only for the app \(own), not for \(app)", providerID: provider.id)
    }
}
