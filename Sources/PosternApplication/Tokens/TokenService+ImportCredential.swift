import PosternCore
import PosternInterface

extension TokenService {
    /// Turns another program's refresh token into a credential, if the provider still accepts it and says whose it is.
    func importCredential(_ call: Interface.ImportCredential) async throws(InterfaceError) -> Interface.ImportCredential.Reply {
        try await read { _ = providers.cache.all }
        let token = call.refreshToken
        // RFC 6749 appendix A.17.
        let isToken = (1...Grant.longestToken).contains(token.count) && token.withBytes { $0.allSatisfy { 0x20...0x7E ~= $0 } }
        guard isToken else { throw .invalidParameter("refreshToken") }
        let scopes = call.scopes ?? []
        guard scopes.count <= Scopes.most, scopes.allSatisfy(Scopes.isValid) else { throw .invalidParameter("scopes") }
        let named = directory[call.providerID]
        try named?.requireUsable()
        let provider = try providers.directory.named(named?.providerID ?? call.providerID, accounts: settings.configuration.namedAccounts)
        let credential: StoredCredential
        do throws(ImportFailure) {
            credential = try await tokens.imports.take(
                CredentialImports.Request(
                    providerID: provider.id, account: named, refreshToken: token, scopes: scopes, replaces: call.replace ?? false))
        } catch {
            throw InterfaceError(error, providerID: provider.id, name: provider.displayName)
        }
        return Interface.ImportCredential.Reply(credential: tokens.states.described(credential, as: owner(of: credential)))
    }
}
