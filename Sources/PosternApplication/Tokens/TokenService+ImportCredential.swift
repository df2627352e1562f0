import PosternCore
import PosternInterface

extension TokenService {
    /// Turns another program's token into a credential, if the provider still accepts it and says whose it is.
    func importCredential(_ call: Interface.ImportCredential) async throws(InterfaceError) -> Interface.ImportCredential.Reply {
        try await read { _ = providers.cache.all }
        let token: CredentialImports.Token
        switch (call.refreshToken, call.accessToken) {
        case (let refreshToken?, nil):
            guard Self.isToken(refreshToken) else { throw .invalidParameter("refreshToken") }
            token = .refresh(refreshToken)
        case (nil, let accessToken?):
            guard Self.isToken(accessToken) else { throw .invalidParameter("accessToken") }
            token = .access(accessToken)
        case (nil, nil): throw .invalidParameter("refreshToken")
        case (_?, _?): throw .invalidParameter("accessToken")
        }
        let scopes = call.scopes ?? []
        guard scopes.count <= Scopes.most, scopes.allSatisfy(Scopes.isValid) else { throw .invalidParameter("scopes") }
        let origin = CredentialImports.Origin(
            clientID: call.clientID, clientSecret: call.clientSecret, resource: call.resource, issuer: call.issuer,
            tokenEndpoint: call.tokenEndpoint)
        for (name, url) in [("resource", origin.resource), ("issuer", origin.issuer), ("tokenEndpoint", origin.tokenEndpoint)] {
            guard url.map(ProviderExtensions.isResource) ?? true else { throw .invalidParameter(name) }
        }
        let named = directory[call.providerID]
        try named?.requireUsable()
        let provider = try providers.directory.named(named?.providerID ?? call.providerID, accounts: settings.configuration.namedAccounts)
        // Where nothing says whose the token is, the name is the account.
        let account = named ?? (provider.namesPeople ? nil : directory.meant(by: provider.id))
        let credential: StoredCredential
        do throws(ImportFailure) {
            credential = try await tokens.imports.take(
                CredentialImports.Request(
                    providerID: provider.id, account: account, token: token, scopes: scopes, replaces: call.replace ?? false,
                    origin: origin))
        } catch {
            throw InterfaceError(error, providerID: provider.id, name: provider.displayName)
        }
        return Interface.ImportCredential.Reply(credential: tokens.states.described(credential, as: owner(of: credential)))
    }

    /// RFC 6749 appendices A.12 and A.17.
    private static func isToken(_ token: Secret) -> Bool {
        (1...Grant.longestToken).contains(token.count) && token.withBytes { $0.allSatisfy { 0x20...0x7E ~= $0 } }
    }
}
